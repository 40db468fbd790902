import Graph
import StrictJSON

/// Classifies one tensor: oddities among its values, and the action Ingot takes on each.
///
/// Refusals are those of `CompressionWork`, and findings about float16 follow the needs of the
/// formats.
package struct TensorDiagnosis {
  let tensor: DiagnosedTensor
  let statistics: TensorStatistics
  let actions: DiagnosisActions

  /// Everything found, in the order of `Finding.ID`.
  ///
  /// - Parameters:
  ///   - statistics: of the values; nil for a type that Ingot does not read.
  ///   - floats: how the formats store them.
  package static func findings(
    of tensor: DiagnosedTensor, _ statistics: TensorStatistics?, floats: FloatStorage
  ) -> [Finding] {
    let actions = DiagnosisActions(tensor, floats)
    guard let statistics else { return unreadable(tensor, actions) }
    return TensorDiagnosis(tensor: tensor, statistics: statistics, actions: actions).all
  }

  private var all: [Finding] {
    if statistics.mask != nil, tensor.use != .stored { return mask }
    // NaN and infinities are finding enough, and make all statistics meaningless.
    if statistics.nonFinite.count > 0 { return nan + infinity + float16Overflow }
    if tensor.isInteger, !tensor.isUsed { return integerTable }
    if statistics.isConstant { return float16Overflow + constant + smallFloat16s }
    return float16Overflow + channels + tails + smallFloat16s + integerTable + fewValues
  }

  /// A finding of this tensor.
  func finding(
    _ id: Finding.ID, _ severity: Finding.Severity, _ fact: String, _ action: String,
    _ figures: [Finding.Figure]
  ) -> Finding {
    Finding(id, severity, tensor.name, fact, action, figures)
  }

  private static func unreadable(
    _ tensor: DiagnosedTensor, _ actions: DiagnosisActions
  ) -> [Finding] {
    if case .stored = tensor.use { return [] }
    return [
      Finding(
        .unreadableType, actions.faultSeverity, tensor.name,
        "stored as \(tensor.type), which Ingot does not read", actions.unreadable)
    ]
  }

  // MARK: Values that are not weights

  private var nan: [Finding] {
    let count = statistics.nonFinite.nan
    guard let first = statistics.nonFinite.firstNaN else { return [] }
    return [
      finding(
        .nan, actions.faultSeverity,
        "\(share(count)) \(count == 1 ? "is" : "are") NaN, the first at flat index \(first)",
        actions.notFinite, [.count("count", count), .count("firstIndex", first)])
    ]
  }

  private var infinity: [Finding] {
    let found = statistics.nonFinite
    guard let first = found.firstInfinity else { return [] }
    return [
      finding(
        .infinity, actions.faultSeverity,
        "\(share(found.infinities)) \(found.infinities == 1 ? "is" : "are") infinite, "
          + "the first at flat index \(first)",
        actions.notFinite,
        [
          .count("count", found.infinities), .count("firstIndex", first),
          .count("negative", found.negativeInfinities),
        ])
    ]
  }

  private var mask: [Finding] {
    guard let mask = statistics.mask else { return [] }
    let kind = mask.isCausal ? "a causal mask" : "a mask"
    let places = mask.count == 1 ? "1 place" : "\(mask.count) places"
    return [
      finding(
        .mask, actions.severity(of: mask),
        "\(kind), \(places) of it \(mask.count == 1 ? "is" : "are") "
          + Figures.text(mask.hidden),
        actions.text(of: mask),
        [.count("count", mask.count), .number("value", Double(mask.hidden))])
    ]
  }

  private var float16Overflow: [Finding] {
    let large = statistics.large
    guard large.count > 0, tensor.mayBecomeFloat16 else { return [] }
    return [
      finding(
        .float16Overflow, actions.faultSeverity,
        "\(share(large.count)) \(large.count == 1 ? "does" : "do") not fit float16, the largest is "
          + "\(Figures.text(large.largest)) at flat index \(large.index)",
        actions.overflow,
        [
          .count("count", large.count), .count("index", large.index),
          .number("largest", Double(large.largest)),
        ])
    ]
  }

  // MARK: Values that say little

  private var constant: [Finding] {
    guard tensor.mayBeCompressed || tensor.use == .weight(.positionTable) else { return [] }
    let value = statistics.minimum
    return [
      finding(
        .constant, .warning, "every value is \(Figures.text(value + 0))", actions.constant,
        [.number("value", Double(value + 0))])
    ]
  }

  private var channels: [Finding] {
    guard let channels = statistics.channels else { return [] }
    let word = tensor.channelWord
    // A table has rows for tokens that never come, such as padding.
    let isTable = tensor.use == .weight(.tokenTable)
    return kind(
      .constantChannels, .warning, channels.constant, of: channels.count, word,
      words: ("holds one value", "hold one value each"), actions.constantChannels)
      + kind(
        .deadChannels, isTable ? .note : .warning, channels.zero, of: channels.count, word,
        words: ("is all zero", "are all zero"), actions.zeros)
      + kind(
        .deadInputs, .warning, statistics.deadInputs ?? ChannelStatistics.Kind(),
        of: statistics.inputCount, tensor.inputWord, words: ("is all zero", "are all zero"),
        actions.deadInputs)
  }

  private func kind(
    _ id: Finding.ID, _ severity: Finding.Severity, _ kind: ChannelStatistics.Kind, of count: Int,
    _ noun: String, words: (one: String, several: String), _ action: String
  ) -> [Finding] {
    guard let first = kind.first else { return [] }
    return [
      finding(
        id, severity,
        "\(kind.count) of \(count) \(noun) \(kind.count == 1 ? words.one : words.several), "
          + "the first is \(first)",
        action, [.count("count", kind.count), .count("first", first), .count("of", count)])
    ]
  }

  // MARK: Tails

  private var tails: [Finding] {
    guard tensor.mayBeCompressed, let peak = statistics.peak,
      let kurtosis = statistics.moments.excessKurtosis
    else { return [] }
    guard peak >= Thresholds.tensorPeak, kurtosis >= Thresholds.tensorKurtosis else {
      return heavyChannels
    }
    let worst = statistics.channels?.worst
    let figures: [Finding.Figure] =
      [
        .number("peak", peak), .number("excessKurtosis", kurtosis),
        .number("standardDeviation", statistics.moments.standardDeviation),
        .number("largest", Double(max(-statistics.minimum, statistics.maximum))),
      ] + worstFigures
    return [
      finding(
        .heavyTails, .warning,
        "the farthest value is \(Figures.tenths(peak)) standard deviations from the mean, "
          + "the excess kurtosis \(Figures.tenths(kurtosis))"
          + (worst.map { "; \(channelText($0)) has one at \(Figures.tenths($0.peak)) of its own" }
            ?? ""),
        actions.tails, figures)
    ]
  }

  private var heavyChannels: [Finding] {
    guard let channels = statistics.channels, let worst = channels.worst, channels.heavy.count > 0
    else { return [] }
    return [
      finding(
        .heavyChannels, .note,
        "\(channels.heavy.count) of \(channels.count) \(tensor.channelWord) "
          + "\(channels.heavy.count == 1 ? "has" : "have") a value at least "
          + "\(Int(Thresholds.channelPeak)) standard deviations from the mean, "
          + "\(channelText(worst)) one at \(Figures.tenths(worst.peak))",
        actions.tails,
        [.count("count", channels.heavy.count), .count("of", channels.count)] + worstFigures)
    ]
  }

  private func channelText(_ worst: ChannelStatistics.Worst) -> String {
    "\(tensor.channelWord == "rows" ? "row" : "channel") \(worst.index)"
  }

  private var worstFigures: [Finding.Figure] {
    guard let channels = statistics.channels, let worst = channels.worst else { return [] }
    return [
      .count("heavyChannels", channels.heavy.count), .count("worstChannel", worst.index),
      .number("worstPeak", worst.peak), .number("worstExcessKurtosis", worst.excessKurtosis),
    ]
  }

  private func share(_ count: Int) -> String { "\(count) of \(statistics.elementCount) values" }
}
