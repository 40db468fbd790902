import Inputs
import StrictJSON

/// Whether outputs are numbers that can be compared at all.
enum OutputCheck {
  static func isFinite(_ matrix: OutputMatrix) -> Bool { matrix.values.allSatisfy(\.isFinite) }

  /// Inputs whose outputs cannot be compared, by number.
  static func badRows(_ matrix: OutputMatrix) -> [Int] {
    (0..<matrix.rowCount).filter { row in
      !matrix[row].allSatisfy(\.isFinite) || matrix[row].allSatisfy { $0 == 0 }
    }
  }

  /// Why they cannot, with how many and the first input; nil when they can.
  ///
  /// - Parameter matrix: one row per distinct input of the set.
  static func fault(_ matrix: OutputMatrix, in set: ReferenceSet) -> OutputFault? {
    var badValues = 0
    var badRows: [Int] = [], zeroRows: [Int] = []
    for row in 0..<matrix.rowCount {
      let bad = matrix[row].filter { !$0.isFinite }.count
      badValues += bad
      if bad > 0 { badRows.append(row) }
      if matrix[row].allSatisfy({ $0 == 0 }) { zeroRows.append(row) }
    }
    if let first = badRows.first {
      return .notFinite(
        values: badValues, of: matrix.values.count, inputs: badRows.count,
        ofInputs: matrix.rowCount, first: set.named(first))
    }
    // Only embeddings are compared by cosine; a score may well be zero.
    guard case .pairs = set.content, let first = zeroRows.first else { return nil }
    return .zero(embeddings: zeroRows.count, of: matrix.rowCount, first: set.named(first))
  }
}

extension ReferenceSet {
  /// An input by its number, as people find it.
  func named(_ input: Int) -> NamedInput {
    NamedInput(label: inputs[input].label, line: lines[input])
  }
}

/// Whether a baseline gives different inputs different outputs: where it does not, a candidate that
/// gives anything constant passes.
enum AlikeOutputs {
  /// Embeddings whose cosine is larger are one to whoever compares them.
  static let cosine = 0.9999
  /// Rows that are looked at before all.
  private static let few = 64
  /// Share of its size by which rounding may move an output.
  private static let rounding = 1e-6

  /// Refuses a set on which all outputs of the baseline are alike.
  ///
  /// - Parameters:
  ///   - baseline: one row per distinct input of the set.
  ///   - slots: the encoders, each checked by itself; empty if outputs were given.
  /// - Throws: `EvaluationError.blindReferences`.
  static func refuse(
    _ baseline: OutputMatrix, _ evaluation: Evaluation, _ slots: [EncoderSlot]
  ) throws(EvaluationError) {
    // The gate reports values that are not finite.
    guard OutputCheck.isFinite(baseline) else { return }
    let references = evaluation.references
    guard case .pairs = references.content else {
      if areConstant(baseline) { throw fault(references, "outputs", of: nil, "equal") }
      return
    }
    let judged = slots.filter { $0.baseline == nil || $0.candidate != nil }
    let rows = slots.isEmpty ? [Array(references.inputs.indices)] : judged.map(\.inputs)
    for (place, rows) in rows.enumerated() where rows.count > 1 && areAlike(baseline, rows) {
      throw fault(
        references, "embeddings", of: slots.isEmpty ? nil : judged[place].name,
        "alike (every cosine above \(Figures.plain(cosine)))")
    }
  }

  /// Whether every two of some rows have a cosine above `cosine`.
  static func areAlike(_ outputs: OutputMatrix, _ rows: [Int]) -> Bool {
    // A few tell nearly always.
    guard areAllNear(Vectors(outputs.picking(Array(rows.prefix(few))))) else { return false }
    let outputs = outputs.picking(rows), all = Vectors(outputs)
    guard (1..<all.count).allSatisfy({ all.cosine(0, $0) > cosine }) else { return false }
    return areNearTheirMean(outputs, all) || areAllNear(all)
  }

  private static func areAllNear(_ vectors: Vectors) -> Bool {
    (0..<vectors.count).allSatisfy { first in
      (first + 1..<vectors.count).allSatisfy { vectors.cosine(first, $0) > cosine }
    }
  }

  /// Whether no row is farther from the mean direction than half of the angle that two may have: none is
  /// farther from another than all of it then.
  private static func areNearTheirMean(_ outputs: OutputMatrix, _ vectors: Vectors) -> Bool {
    var sum = [Double](repeating: 0, count: outputs.width)
    for row in 0..<outputs.rowCount {
      let length = vectors.length(row)
      for (column, value) in outputs[row].enumerated() { sum[column] += Double(value) / length }
    }
    let count = Double(outputs.rowCount)
    let mean = Vectors(
      OutputMatrix(rowCount: 1, width: outputs.width, values: sum.map { Float($0 / count) }))
    // The cosine of half an angle, and more than what rounding of the mean moves it by.
    let half = ((1 + cosine) / 2).squareRoot() + 1e-7
    return (0..<vectors.count).allSatisfy { vectors.cosine($0, of: mean, 0) > half }
  }

  private static func areConstant(_ outputs: OutputMatrix) -> Bool {
    (0..<outputs.width).allSatisfy { column in
      let values = (0..<outputs.rowCount).map { Double(outputs[$0][$0 * outputs.width + column]) }
      let (low, high) = (values.min() ?? 0, values.max() ?? 0)
      return high - low <= rounding * max(low.magnitude, high.magnitude)
    }
  }

  private static func fault(
    _ references: ReferenceSet, _ outputs: String, of encoder: String?, _ word: String
  ) -> EvaluationError {
    .blindReferences(
      origin: references.origin,
      fault: "all \(outputs) of the baseline\(encoder.map { "'s \($0)" } ?? "") are \(word); a "
        + "candidate that looked at no input would pass")
  }
}

/// Whether a candidate's vectors are of length 1 where the baseline's are: an app that compares them
/// by a product rests on that, and cosines do not see it.
enum UnitLength {
  /// How far lengths may be from 1 for rounding in 16 bits.
  private static let tolerance = 0.01

  /// - Parameters:
  ///   - before: outputs of the baseline; `after` those of the candidate, finite.
  /// - Returns: the first of the candidate's lengths that differs; nil if none does, or the
  ///   baseline's own lengths vary.
  static func lost(before: OutputMatrix, after: OutputMatrix) -> Double? {
    guard lengths(before).allSatisfy({ ($0 - 1).magnitude <= tolerance }) else { return nil }
    return lengths(after).first { !(($0 - 1).magnitude <= 2 * tolerance) }
  }

  private static func lengths(_ outputs: OutputMatrix) -> [Double] {
    (0..<outputs.rowCount).map { row in
      outputs[row].reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    }
  }
}
