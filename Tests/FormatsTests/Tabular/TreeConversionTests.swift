import Formats
import Testing
import Trees

struct TreeConversionTests {
  private typealias Fixtures = TabularFixtures

  private static func value(_ program: TabularProgram, _ row: [Double]) throws -> Double? {
    var values: [String: TabularValue] = [:]
    for (input, number) in zip(program.inputs, row) { values[input.name] = .double(number) }
    guard case .double(let value) = try program.run(values, path: "a")["prediction"] else {
      return nil
    }
    return value
  }

  /// Of every row the converted trees give what the library's give.
  private static func compare(_ ensemble: TreeEnsemble, _ rows: [[Double]]) throws {
    let program = try TabularProgram(Fixtures.model(ensemble), path: "a.json")
    let read = try TabularProgram(reading: try program.serialized(), path: "a.mlmodel")
    #expect(read == program)
    for row in rows {
      #expect(try value(read, row) == ensemble.outputs(of: row)[0], "\(row)")
    }
  }

  @Test func thresholdsDecideTheSameForNumbersOf32Bits() throws {
    let floats: [Float] = [
      0.1, 0.3, -0.1, 1, 0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 3.4028235e38,
      -3.4028235e38, .infinity, -.infinity,
    ]
    let thresholds =
      [0.1, 0.3, -0.1, 1, 1e-46, -1e-46, 0, 3.5e38, -3.5e38, .infinity]
      + floats.map { (Double($0) + Double($0.nextUp)) / 2 }.filter { !$0.isNaN }
    let rows = floats.flatMap { [$0, $0.nextUp, $0.nextDown] }.filter { !$0.isNaN }
      .map { [Double($0), 0] }
    for threshold in thresholds {
      for rule in [TreeEnsemble.Rule(), .isStrict] {
        let ensemble = try Fixtures.ensemble(
          [Fixtures.stump(threshold, rule)],
          precision: .init(roundsFeatures: true, addsFloats: true))
        try Self.compare(ensemble, rows + [[.nan, 0]])
      }
    }
  }

  @Test func missingValuesGoWhereTheLibrarySendsThem() throws {
    let rows: [[Double]] = [[.nan, 0], [0, 0], [1e-36, 0], [1, 0], [-1, 0], [3, 0]]
    for threshold in [-2.0, 0, 2] {
      for rule: TreeEnsemble.Rule in [
        .missingGoesLeft, [], .readsMissingAsZero, [.readsMissingAsZero, .isStrict],
        [.readsMissingAsZero, .isEqual], [.isEqual, .missingGoesLeft],
      ] {
        try Self.compare(try Fixtures.ensemble([Fixtures.stump(threshold, rule)]), rows)
      }
    }
    for (threshold, rule): (Double, TreeEnsemble.Rule) in [
      (2, [.zeroIsMissing, .missingGoesLeft]), (-2, .zeroIsMissing),
      (Double(1e-35 as Float), [.zeroIsMissing, .missingGoesLeft]),
      (-2, [.zeroIsMissing, .isStrict]), (2, [.zeroIsMissing, .isEqual]),
    ] {
      try Self.compare(try Fixtures.ensemble([Fixtures.stump(threshold, rule)]), rows)
    }
  }

  @Test func setsOfCategoriesBecomeChains() throws {
    let rows: [[Double]] = (0..<80).map { [Double($0), 0] } + [[.nan, 0], [-1, 0], [1e12, 0]]
    for rule: TreeEnsemble.Rule in [
      .isCategory, [.isCategory, .missingGoesLeft], [.isCategory, .readsMissingAsZero],
      [.isCategory, .zeroIsMissing], [.isCategory, .zeroIsMissing, .missingGoesLeft],
    ] {
      for members in [[0, 3, 70], [5], [], [1, 2]] {
        let inner = TreeNodes([
          .branch(feature: 0, threshold: 0, rule: rule, left: 1, right: 2),
          .branch(feature: 0, threshold: 2, rule: .missingGoesLeft, left: 3, right: 4),
          .leaf([30]), .leaf([10]), .leaf([20]),
        ])
        try Self.compare(try Fixtures.ensemble([inner], sets: [.init(members)]), rows)
      }
    }
  }

  @Test func votesAreDividedAndTiesGoToTheFirst() throws {
    for count in [2, 3, 10, 64, 100] {
      // Half of the trees vote for the second class above 0.5, half below.
      let trees = (0..<count).map {
        $0 % 2 == 0 ? Fixtures.stump(left: [1], right: [0]) : Fixtures.stump(left: [0], right: [1])
      }
      let ensemble = try Fixtures.ensemble(trees, base: [0], divisor: Double(count))
      let program = try TabularProgram(
        Fixtures.model(ensemble, .classification(labels: Fixtures.texts)), path: "a.json",
        options: TabularOptions(output: "label"))
      for value in [0.0, 1] {
        let row = [value, 0]
        let result = try program.run(["battery": .double(value), "hour1": .double(0)], path: "a")
        let share = ensemble.outputs(of: row)[0]
        #expect(result["label"] == .string(share > 0.5 ? "yes" : "no"), "\(count)")
        guard case .textDictionary(let shares) = result["label_probs"] else {
          Issue.record("no shares")
          continue
        }
        #expect(abs((shares["yes"] ?? 9) - share) <= 1e-12)
      }
    }
  }

  @Test func sharesOfEqualVotesBecomeSums() throws {
    let trees = [
      Fixtures.stump(left: [3, 1, 0], right: [0, 0, 4]),
      Fixtures.stump(1, left: [0.5, 0.5, 1], right: [2, 0, 0]),
    ]
    let ensemble = try Fixtures.ensemble(
      trees, base: [0, 0, 0], leafWidth: 3, divisor: 2, transform: .share)
    let program = try TabularProgram(
      Fixtures.model(ensemble, .classification(labels: nil)), path: "a.json")
    for value in [0.0, 0.75, 2] {
      let result = try program.run(["battery": .double(value), "hour1": .double(0)], path: "a")
      let shares = ensemble.outputs(of: [value, 0])
      guard case .integerDictionary(let found) = result["prediction_probs"] else {
        Issue.record("no shares")
        continue
      }
      for place in 0..<3 { #expect(abs((found[place] ?? 9) - shares[place]) < 1e-12) }
    }
  }

  @Test func severalNumbersBecomeSeveralRegressors() throws {
    let ensemble = try Fixtures.ensemble(
      [
        Fixtures.stump(left: [1, 2], right: [3, 4]),
        Fixtures.stump(2, left: [5, 6], right: [7, 8]),
      ],
      base: [1, 2], leafWidth: 2, divisor: 2)
    let program = try TabularProgram(Fixtures.model(ensemble), path: "a.json")
    let read = try TabularProgram(reading: try program.serialized(), path: "a.mlmodel")
    let result = try read.run(["battery": .double(1), "hour1": .double(0)], path: "a")
    let expected = ensemble.outputs(of: [1, 0])
    #expect(
      result == ["prediction_0": .double(expected[0]), "prediction_1": .double(expected[1])])
    let apart = try Fixtures.ensemble(
      [Fixtures.stump(), Fixtures.stump()], base: [1, 2], outputs: [0, 0])
    let second = try TabularProgram(Fixtures.model(apart), path: "a.json")
      .run(["battery": .double(1), "hour1": .double(0)], path: "a")
    #expect(second == ["prediction_0": .double(5), "prediction_1": .double(2)])
  }

  @Test func inputsAreNamedAndDescribed() throws {
    let program = try TabularProgram(
      Fixtures.model(try Fixtures.ensemble()), path: "a.json",
      options: TabularOptions(
        output: "minutes", texts: ["battery": "Charge"], integers: ["hour1"],
        metadata: .init(text: "Minutes")))
    #expect(
      program.inputs == [
        TabularFeature("battery", .double, text: "Charge"), TabularFeature("hour1", .int64),
      ])
    #expect(program.metadata.text == "Minutes")
  }
}
