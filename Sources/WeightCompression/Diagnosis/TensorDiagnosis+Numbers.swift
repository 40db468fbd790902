import StrictJSON

// Kinds of numbers.
extension TensorDiagnosis {
  /// Numbers that float16 loses.
  var smallFloat16s: [Finding] {
    let nonZero = statistics.elementCount - statistics.zeros
    guard nonZero > 0, tensor.mayBecomeFloat16 else { return [] }
    let vanishing = Double(statistics.vanishing) / Double(nonZero)
    if vanishing >= Thresholds.vanishingShare {
      return [
        finding(
          .float16Underflow, .warning,
          "\(Figures.percent(vanishing)) of the values that are not zero become so in float16",
          actions.underflow,
          [.count("count", statistics.vanishing), .number("share", vanishing)])
      ]
    }
    let subnormal = Double(statistics.subnormal) / Double(nonZero)
    guard subnormal >= Thresholds.subnormalShare else { return [] }
    return [
      finding(
        .float16Subnormal, .note,
        "\(Figures.percent(subnormal)) of the values that are not zero are subnormal in float16",
        actions.subnormal, [.count("count", statistics.subnormal), .number("share", subnormal)])
    ]
  }

  /// Only whole numbers.
  var integerTable: [Finding] {
    let looksSo = statistics.areWhole && statistics.elementCount >= Thresholds.wholeNumbers
    guard tensor.isInteger || looksSo, tensor.use != .stored, !tensor.isOfTrees else { return [] }
    if case .unused = tensor.use, !tensor.isInteger { return [] }
    return [
      finding(
        .integerTable, .note,
        tensor.isInteger ? "stored as \(tensor.type)" : "every value is a whole number",
        actions.integers,
        [
          .number("minimum", Double(statistics.minimum)),
          .number("maximum", Double(statistics.maximum)),
        ])
    ]
  }

  /// So few values that a palette holds them all.
  var fewValues: [Finding] {
    guard let count = statistics.distinctValues, tensor.mayBeCompressed,
      statistics.elementCount >= Thresholds.paletteElements
    else { return [] }
    let bits = PaletteScheme.knownBits.first { 1 << $0 >= count } ?? 8
    return [
      finding(
        .fewValues, .note, "has \(count) distinct values",
        actions.fewValues(bits: bits), [.count("count", count), .count("bits", bits)])
    ]
  }
}
