import Graph
import IngotFeatures
import Trees

/// Rows by which a program that was read again is compared with the model that it was made of.
struct TabularProbe {
  /// As many rows as are compared.
  private static let rowCount = 64

  /// Of each row what an app gives, in the order of the inputs.
  private let rows: [[TabularValue]]
  /// Of each row what the model gives.
  private let expected: [[Double]]
  /// Of each row how far outputs may lie apart, of 1 or of what is larger.
  private let tolerances: [Double]

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
    let numbers = (0..<Self.rowCount).map { row -> [Double] in
      values.enumerated().map { feature, thresholds -> Double in
        let draw = (row * 7919 + feature * 104_729 + 13) % 1_000_003
        if draw % 11 == 0 { return .nan }
        // Sets of categories are chains of numbers that are whole.
        guard !thresholds.isEmpty, !areCategories[feature] else { return Double(draw % 16) }
        let near = Float(thresholds[draw % thresholds.count])
        // Features of 32 bits: no library's thresholds tell others apart in the same way.
        return Double(draw % 3 == 0 ? near : draw % 3 == 1 ? near.nextUp : near.nextDown)
      }
    }
    rows = numbers.map { $0.map(TabularValue.double) }
    expected = numbers.map { ensemble.outputs(of: $0) }
    // Libraries that add in 32 bits round once per tree.
    let tolerance =
      1e-6 + (ensemble.precision.addsFloats ? 0x1p-22 * Double(ensemble.treeCount) : 0)
    tolerances = [Double](repeating: tolerance, count: Self.rowCount)
  }

  /// Rows around the means of a linear model, with every category, unknown ones and missing values.
  ///
  /// - Parameter isRounded: whether the program has numbers of 32 bits.
  /// - Throws: `FeatureError` for a row that the features do not take.
  init(_ linear: LinearNumbers, _ dense: Dense, isRounded: Bool) throws {
    let preparer = FeaturePreparer(dense.features)
    let activation = dense.layers[0].activation
    var rows: [[TabularValue]] = []
    var expected: [[Double]] = []
    var tolerances: [Double] = []
    for row in 0..<Self.rowCount {
      var values: [TabularValue] = []
      var codes: [Double] = []
      var column = 0
      for (place, feature) in dense.features.features.enumerated() {
        let draw = (row * 7919 + place * 104_729 + 13) % 1_000_003
        let spread = linear.standardisation.map { ($0.mean[column], $0.scale[column]) } ?? (0, 1)
        let (value, code) = feature.probed(draw, around: spread)
        values.append(value)
        codes.append(code)
        column += feature.columnCount
      }
      rows.append(values)
      let columns = try preparer.columns(ofCodes: codes)
      expected.append(linear.outputs(of: columns, activation))
      // Of weights of 32 bits each product may be off in the last digit.
      tolerances.append(1e-9 + (isRounded ? 0x1p-22 * linear.magnitude(of: columns) : 0))
    }
    (self.rows, self.expected) = (rows, expected)
    self.tolerances = tolerances
  }

  /// - Parameter program: takes the values of a row by name, in order.
  /// - Throws: the first row for which it gives something else.
  func compare(_ program: TabularProgram, path: String) throws(TabularError) {
    for (number, row) in rows.enumerated() {
      var values: [String: TabularValue] = [:]
      for (input, value) in zip(program.inputs, row) { values[input.name] = value }
      let found = Self.numbers(of: try program.run(values, path: path), program)
      let expected = expected[number]
      let beside = expected.count == 1 && found.count == 2 ? [found[1]] : found
      let isSame =
        beside.count == expected.count
        && zip(beside, expected).allSatisfy { abs($0 - $1) <= tolerances[number] * max(1, abs($1)) }
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
    default: result[program.predicted ?? program.outputs[0].name]?.numbers ?? []
    }
  }
}

extension Feature {
  /// A value as Core ML takes it, and the number of the feature that it is.
  ///
  /// - Parameters:
  ///   - draw: any whole number from 0.
  ///   - spread: the mean of numbers, and how far they lie apart.
  fileprivate func probed(
    _ draw: Int, around spread: (mean: Double, scale: Double)
  ) -> (TabularValue, code: Double) {
    guard let column = TabularChain.Column(self),
      case .oneHot(let labels, let unknown, let filling) = column.encoding
    else { return probedNumber(draw, spread) }
    let count = labels.count
    if unknown == .isZero, draw % 7 == 0 {
      // No category, and no code of one.
      let code: Double
      if case .category(let list) = kind, case .code(let own) = list.unknown {
        code = Double(own)
      } else {
        code = .nan
      }
      switch labels {
      case .texts(let texts):
        return (.string(texts.joined(separator: " ") + " none of these"), code)
      case .integers(let numbers): return (.int64((numbers.max() ?? 0) &+ 1), code)
      }
    }
    if filling != nil, draw % 7 == 1 { return (.string(""), .nan) }
    let code = draw % count
    switch labels {
    case .texts(let texts): return (.string(texts[code]), Double(code))
    case .integers(let numbers): return (.int64(numbers[code]), Double(code))
    }
  }

  private func probedNumber(
    _ draw: Int, _ spread: (mean: Double, scale: Double)
  ) -> (TabularValue, code: Double) {
    if case .replaced = missing, draw % 5 == 0 {
      let number = draw % 2 == 0 ? absent.first ?? .nan : .nan
      return (.double(number), number)
    }
    let number: Double =
      switch kind {
      case .boolean: Double(draw % 2)
      case .category: Double(draw % 16)
      case .number, .cyclic: spread.mean + (Double(draw) / 250_000 - 2) * spread.scale
      }
    return (.double(number), number)
  }
}
