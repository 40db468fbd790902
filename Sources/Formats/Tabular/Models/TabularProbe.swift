import Graph
import Trees

/// Rows by which a program that was read again is compared with the model that it was made of.
struct TabularProbe {
  /// As many rows as are compared.
  private static let rowCount = 64

  private let rows: [[Double]]
  private let outputs: ([Double]) -> [Double]
  /// How far outputs may lie apart, of 1 or of what is larger.
  private let tolerance: Double

  /// Rows at the thresholds of trees and beside them, with missing values.
  init(_ model: TreeModel) {
    let ensemble = model.ensemble
    var values = [[Double]](repeating: [], count: ensemble.featureCount)
    var areCategories = [Bool](repeating: false, count: ensemble.featureCount)
    for branch in 0..<ensemble.branchCount {
      let isSet = ensemble.rules[branch].contains(.isCategory)
      if isSet { areCategories[Int(ensemble.features[branch])] = true }
      let threshold = isSet ? Double(branch % 16) : ensemble.thresholds[branch]
      if threshold.isFinite { values[Int(ensemble.features[branch])].append(threshold) }
    }
    rows = (0..<Self.rowCount).map { row in
      values.enumerated().map { feature, thresholds in
        let draw = (row * 7919 + feature * 104_729 + 13) % 1_000_003
        if draw % 11 == 0 { return .nan }
        // Sets of categories are chains of numbers that are whole.
        guard !thresholds.isEmpty, !areCategories[feature] else { return Double(draw % 16) }
        let near = Float(thresholds[draw % thresholds.count])
        // Features of 32 bits: no library's thresholds tell others apart in the same way.
        return Double(draw % 3 == 0 ? near : draw % 3 == 1 ? near.nextUp : near.nextDown)
      }
    }
    outputs = { ensemble.outputs(of: $0) }
    // Libraries that add in 32 bits round once per tree.
    tolerance = 1e-6 + (ensemble.precision.addsFloats ? 0x1p-22 * Double(ensemble.treeCount) : 0)
  }

  /// Rows around the means of a linear model.
  init(_ linear: LinearNumbers, _ dense: Dense) {
    rows = (0..<Self.rowCount).map { row in
      linear.rows[0].indices.map { feature in
        let draw = Double((row * 7919 + feature * 104_729 + 13) % 1_000_003) / 250_000 - 2
        guard let (mean, scale) = linear.standardisation else { return draw }
        return mean[feature] + draw * scale[feature]
      }
    }
    let activation = dense.layers[0].activation
    outputs = { linear.outputs(of: $0, activation) }
    tolerance = 1e-9
  }

  /// - Parameter program: takes the numbers of a row as doubles by name, in order.
  /// - Throws: the first row for which it gives something else.
  func compare(_ program: TabularProgram, path: String) throws(TabularError) {
    for (number, row) in rows.enumerated() {
      var values: [String: TabularValue] = [:]
      for (input, value) in zip(program.inputs, row) { values[input.name] = .double(value) }
      let found = Self.numbers(of: try program.run(values, path: path), program)
      let expected = outputs(row)
      let beside = expected.count == 1 && found.count == 2 ? [found[1]] : found
      let isSame =
        beside.count == expected.count
        && zip(beside, expected).allSatisfy { abs($0 - $1) <= tolerance * max(1, abs($1)) }
      guard isSame else {
        throw TabularPlace(path, ["row \(number) of the comparison"]).fault(
          "the Core ML model gives \(beside), the model itself \(expected)")
      }
    }
  }

  /// Of a classifier the number of each label, in order; else the one number.
  private static func numbers(
    of result: [String: TabularValue], _ program: TabularProgram
  ) -> [Double] {
    switch (program.labels, program.probabilities.flatMap { result[$0] }) {
    case (.texts(let labels), .textDictionary(let scores)): labels.map { scores[$0] ?? .nan }
    case (.integers(let labels), .integerDictionary(let scores)): labels.map { scores[$0] ?? .nan }
    default: program.predicted.flatMap { result[$0]?.numbers } ?? []
    }
  }
}
