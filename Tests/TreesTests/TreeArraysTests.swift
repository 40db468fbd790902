import Testing

@testable import Trees

struct TreeArraysTests {
  private static func ensemble() throws(TreeError) -> TreeEnsemble {
    var builder = try TreeEnsembleBuilder(
      path: "a.json", featureCount: 2, base: [0.5, 1, 2], leafWidth: 2, divisor: 2,
      precision: .init(roundsFeatures: true, addsFloats: false), transform: .softmax)
    let set = builder.add(TreeEnsemble.CategorySet([1, 70]))
    try builder.add(
      TreeNodes([
        .branch(feature: 0, threshold: 0.1, rule: .missingGoesLeft, left: 1, right: 2),
        .branch(feature: 1, threshold: set, rule: .isCategory, left: 3, right: 4),
        .leaf([1, 2]), .leaf([3, 4]), .leaf([5, 6]),
      ]), output: 1)
    try builder.add(TreeNodes([.leaf([0.25, -1])]))
    return try builder.finish()
  }

  @Test func arraysGiveTheSameEnsemble() throws {
    let ensemble = try Self.ensemble()
    for array in TreeArrays.allCases {
      #expect(
        ensemble.values(of: array).count == array.shape(ensemble.header).reduce(1, *), "\(array)")
    }
    let other = try TreeEnsemble(ensemble.header, path: "b") { ensemble.values(of: $0) }
    #expect(other == ensemble)
  }

  @Test func anEnsembleWithoutBranchesHasArrays() throws {
    var builder = try TreeEnsembleBuilder(
      path: "a", featureCount: 1, base: [0],
      precision: .init(roundsFeatures: false, addsFloats: false),
      transform: .identity)
    try builder.add(TreeNodes([.leaf([3])]))
    let ensemble = try builder.finish()
    let other = try TreeEnsemble(ensemble.header, path: "b") { ensemble.values(of: $0) }
    #expect(other.outputs(of: [0]) == [3])
  }

  @Test func thresholdsDecideAsTheyDidBeforeTheyWereRounded() throws {
    for threshold in [0.1, 0.30000000000000004, -0.1, 1e-50, -1e-50, 16_777_217, 0.5, .infinity] {
      for rule in [TreeEnsemble.Rule(), .isStrict] {
        var builder = try TreeEnsembleBuilder(
          path: "a", featureCount: 1, base: [0],
          precision: .init(roundsFeatures: true, addsFloats: false), transform: .identity)
        try builder.add(
          TreeNodes([
            .branch(feature: 0, threshold: threshold, rule: rule, left: 1, right: 2), .leaf([1]),
            .leaf([0]),
          ]))
        let ensemble = try builder.finish()
        #expect(ensemble.thresholds[0] == Double(Float(ensemble.thresholds[0])))
        let near = Float(threshold)
        for value in [near.nextDown, near, near.nextUp, -near] {
          let isLeft = rule.isEmpty ? Double(value) <= threshold : Double(value) < threshold
          #expect(
            ensemble.outputs(of: [Double(value)]) == [isLeft ? 1 : 0], "\(threshold) \(value)")
        }
      }
    }
  }

  /// Numbers of 32 bits hold thresholds of 64, and infinite ones, without another decision for any row.
  @Test func thresholdsOf64BitsAreKeptInThreeNumbers() throws {
    let thresholds = [
      0.1, -1.0 / 3, 0.5962442782050664, 1.7e9 + 0.123456, 1e-20, -1.0000000180025096e-35,
      0.9999999999999999, 1.0000000000000002, -1e300, .infinity, -.infinity, 0,
      Double(Float.greatestFiniteMagnitude),
    ]
    for roundsFeatures in [true, false] {
      for rule: TreeEnsemble.Rule in [[], .isStrict, .isEqual, [.isStrict, .missingGoesLeft]] {
        for threshold in thresholds {
          var builder = try TreeEnsembleBuilder(
            path: "a", featureCount: 1, base: [0],
            precision: .init(roundsFeatures: roundsFeatures, addsFloats: false),
            transform: .identity)
          try builder.add(
            TreeNodes([
              .branch(feature: 0, threshold: threshold, rule: rule, left: 1, right: 2), .leaf([1]),
              .leaf([2]),
            ]))
          let ensemble = try builder.finish()
          try ensemble.requireStorable("a")
          let other = try TreeEnsemble(ensemble.header, path: "b") { array in
            let values = ensemble.values(of: array)
            #expect(values.allSatisfy { Double(Float($0)) == $0 && $0.isFinite })
            return values
          }
          let largest = Double(Float.greatestFiniteMagnitude)
          let near = [threshold.nextDown, threshold, threshold.nextUp].filter {
            abs($0) <= largest
          }
          for value in near + [.nan, 0, 1, -largest, largest] {
            #expect(
              other.outputs(of: [value]) == ensemble.outputs(of: [value]),
              "\(threshold) \(rule) \(value)")
          }
        }
      }
    }
  }

  @Test(arguments: [1e-300, 1.1e-45])
  func aThresholdThatCannotBeKeptIsRefused(_ threshold: Double) throws {
    var builder = try TreeEnsembleBuilder(
      path: "a", featureCount: 1, base: [0],
      precision: .init(roundsFeatures: false, addsFloats: false), transform: .identity)
    try builder.add(
      TreeNodes([
        .branch(feature: 0, threshold: threshold, rule: [], left: 1, right: 2), .leaf([1]),
        .leaf([2]),
      ]))
    let ensemble = try builder.finish()
    let error = #expect(throws: TreeError.self) { try ensemble.requireStorable("a") }
    #expect(error?.fault.contains("too near to 0") == true)
  }

  @Test(arguments: [
    (
      TreeArrays.features, 0, 2.0,
      "b: tree 0, node 0: trees.features[0] is 2.0, expected a whole number in 0...1"
    ),
    (.left, 0, 0, "b: tree 0, node 0: trees.left[0] is 0, expected a later branch, or a leaf"),
    (.right, 1, 1, "b: tree 0, node 1: trees.right[1] is 1, expected a later branch, or a leaf"),
    (.right, 1, 0, "b: tree 0, node 1: trees.right[1] is 0, expected a later branch, or a leaf"),
    (.right, 1, 2, "b: tree 0, node 1: trees.right[1] is 2.0, expected a whole number in -4...1"),
    (.roots, 0, -5, "b: tree 0: trees.roots[0] is -5.0, expected a whole number in -4...1"),
    (.outputs, 0, 2, "b: tree 0: trees.outputs[0] is 2.0, expected a whole number in 0...1"),
    (
      .rules, 0, 256,
      "b: tree 0, node 0: trees.rules[0] is 256.0, expected a whole number in 0...255"
    ),
    (
      .rules, 0, .nan,
      "b: tree 0, node 0: trees.rules[0] is nan, expected a whole number in 0...255"
    ),
    (.thresholds, 0, .nan, "b: tree 0, node 0: trees.thresholds[0] is nan, expected a number"),
    (
      .thresholds, 1, 1,
      "b: tree 0, node 1: trees.thresholds[1] is 1.0, expected one of 1 sets of categories"
    ),
    (.leaves, 3, .infinity, "b: tree 1, node 0: trees.leaves[3] is inf, expected a finite number"),
    (.categoryStarts, 0, 9, "b: trees.categoryStarts[0] is 9.0, expected a whole number in 0...8"),
    (
      .categoryWords, 0, 65536,
      "b: trees.categoryWords[0] is 65536.0, expected a whole number in 0...65535"
    ),
  ])
  func whatIsNotSoundIsNamed(
    _ array: TreeArrays, _ place: Int, _ value: Double, _ words: String
  ) throws {
    let ensemble = try Self.ensemble()
    let error = #expect(throws: TreeError.self) {
      try TreeEnsemble(ensemble.header, path: "b") { asked in
        var values = ensemble.values(of: asked)
        if asked == array { values[place] = value }
        return values
      }
    }
    #expect(error?.description == words)
  }
}
