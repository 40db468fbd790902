import Foundation
import Graph
import IngotFeatures
import TestSupport
import Testing
import Trees

@testable import Formats

/// Steps that Ingot's models cannot say as Core ML means them are refused by name, never read as something else.
struct MLModelMeaningTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func step(
    _ step: TabularStep, _ inputs: [TabularFeature], _ output: String, _ kind: TabularFeature.Kind
  ) throws -> TabularProgram {
    try TabularProgram(path: "a", inputs: inputs, outputs: [.init(output, kind)], step: step)
  }

  /// Joins numbers and multiplies each with 1, 2, 3, ….
  private static func linear(
    _ inputs: [TabularFeature], output: String = "y"
  ) throws -> [TabularProgram] {
    let columns = inputs.map { input -> TabularStep.Column in
      // Encoders and dictionaries here have two numbers.
      .init(input.name, input.kind == .integerDictionary ? 2 : input.width ?? 1)
    }
    let count = columns.reduce(0) { $0 + $1.count }
    return [
      try step(.featureVectorizer(columns), inputs, "v", .array(count)),
      try TabularProgram(
        path: "a", inputs: [.init("v", .array(count))],
        regressor: .linearRegressor(
          LinearRegressor(weights: (1...count).map(Double.init), offset: 0)), name: output),
    ]
  }

  private func open(
    _ inputs: [TabularFeature], _ steps: [TabularProgram], output: String = "y"
  ) throws -> Model {
    let path = folder.path("a.mlmodel")
    let program = try TabularProgram(
      path: path, inputs: inputs, outputs: [.init(output, .double)], predicted: output,
      step: .pipeline(.init(.regressor, steps)))
    try Data(try program.serialized()).write(to: URL(filePath: path))
    return try ModelLoader.open(path)
  }

  /// The error of a file, without its path.
  private func fault(
    _ inputs: [TabularFeature], _ steps: [TabularProgram], output: String = "y"
  ) throws -> String? {
    let error = #expect(throws: TabularError.self) {
      try open(inputs, steps, output: output)
    }
    return error.map { ($0.place + [$0.fault]).joined(separator: ": ") }
  }

  private static func imputer(
    _ name: String, _ missing: Double, _ value: Double, _ output: String? = nil
  ) throws -> TabularProgram {
    try step(
      .imputer(.double(value, missing: missing)), [.init(name, .double)], output ?? name, .double)
  }

  private static let ab: [TabularFeature] = [.init("a", .double), .init("b", .double)]

  @Test func imputersOfOneFeatureGiveOneNumber() throws {
    let linear = try Self.linear(Self.ab)
    let sequence = [try Self.imputer("a", -999, 0), try Self.imputer("a", .nan, 5)]
    #expect(
      try fault(Self.ab, sequence + linear)
        == "step 3 (glmRegressor): has imputers that put 0.0 in place of -999.0 of 'a', and 5.0 in place of "
        + "NaN; Ingot has one number for all missing values of a feature: let both be the same, or do it in "
        + "the app")
    #expect(
      try fault(Self.ab, [try Self.imputer("a", -999, 7)] + linear)?.contains(
        "put 7.0 in place of -999.0 of 'a', and none in place of NaN") == true)
    let array: [TabularFeature] = [.init("x", .array(2))]
    let arrays = try [(-999, [7, 8]), (Double.nan, [1, 2])].map { missing, values in
      try Self.step(.imputer(.array(values, missing: missing)), array, "x", .array(2))
    }
    #expect(
      try fault(array, arrays + (try Self.linear(array)))?.contains(
        "put 7.0 in place of -999.0 of 'x[0]', and 1.0 in place of NaN") == true)
    // What one makes of a number, the next may take for a missing one.
    let chained = try open(
      Self.ab, [try Self.imputer("a", .nan, -999), try Self.imputer("a", -999, 5)] + linear)
    #expect(
      chained.architecture.input
        == .features(
          try FeatureSchema([
            Feature("a", missing: .replaced(by: 5), absent: [-999]), Feature("b"),
          ])))
  }

  /// The file says 'NA'; rows of Ingot's know the empty text alone.
  @Test func anImputerOfAnotherTextThanTheEmptyOneIsRefused() throws {
    let inputs: [TabularFeature] = [.init("s", .string), .init("b", .double)]
    func steps(_ missing: String) throws -> [TabularProgram] {
      [
        try Self.step(
          .imputer(.string("u", missing: missing)), [.init("s", .string)], "t", .string),
        try Self.step(
          .oneHotEncoder(.texts(["u", "v"]), isSparse: true, unknown: .isZero),
          [.init("t", .string)], "o", .integerDictionary),
      ] + (try Self.linear([.init("o", .integerDictionary), .init("b", .double)]))
    }
    _ = try open(inputs, try steps(""))
    #expect(
      try fault(inputs, try steps("NA"))
        == "step 1 (oneHotEncoder): encodes 's' behind an imputer that puts 'u' in place of 'NA', and for "
        + "Ingot the empty text alone is missing; do it in the app")
  }

  private static func trees(_ count: Int) throws -> [TabularProgram] {
    [
      try TabularProgram(
        path: "a", inputs: [.init("v", .array(count))],
        regressor: .treeRegressor(try TabularFixtures.ensemble(features: count)), name: "y")
    ]
  }

  /// Keys of two dictionaries, a key and a number, a number and one of an array.
  @Test func twoFeaturesOfOneNameAreRefusedBeforeTrees() throws {
    func keys(_ name: String) throws -> TabularProgram {
      try Self.step(
        .dictVectorizer(.texts(["p", "q"])), [.init(name, .textDictionary)], name + "v", .array(2))
    }
    func join(_ parts: [TabularFeature]) throws -> TabularProgram {
      let columns = parts.map { TabularStep.Column($0.name, $0.width ?? 1) }
      return try Self.step(
        .featureVectorizer(columns), parts, "v", .array(columns.reduce(0) { $0 + $1.count }))
    }
    let pair: [TabularFeature] = [.init("lv", .array(2)), .init("rv", .array(2))]
    #expect(
      try fault(
        [.init("l", .textDictionary), .init("r", .textDictionary)],
        [try keys("l"), try keys("r"), try join(pair)] + (try Self.trees(4)))
        == "step 3 (treeEnsembleRegressor): has two features called 'p'; give one of them another name"
    )
    let mixed: [TabularFeature] = [.init("p", .double), .init("rv", .array(2))]
    #expect(
      try fault(
        [.init("p", .double), .init("r", .textDictionary)],
        [try keys("r"), try join(mixed)] + (try Self.trees(3)))?.contains(
          "has two features called 'p'") == true)
    let array: [TabularFeature] = [.init("x", .array(2)), .init("x[0]", .double)]
    #expect(
      try fault(array, [try join(array)] + (try Self.trees(3)))?.contains(
        "has two features called 'x[0]'") == true)
  }

  @Test func aPipelineGivesWhatItsLastStepGives() throws {
    let steps = try Self.linear(Self.ab, output: "z")
    #expect(
      try fault(Self.ab, steps, output: "a")
        == "gives 'a', which is not of its last step (glmRegressor): that gives [\"z\"]")
    _ = try open(Self.ab, steps, output: "z")
  }

  /// Rows have doubles.
  @Test func wholeNumbersAreCategoriesThatDoublesTellApart() throws {
    let inputs: [TabularFeature] = [.init("s", .int64), .init("b", .double)]
    func steps(_ category: Int) throws -> [TabularProgram] {
      [
        try Self.step(
          .oneHotEncoder(.integers([7, category]), isSparse: true, unknown: .isZero),
          [.init("s", .int64)], "o", .integerDictionary)
      ] + (try Self.linear([.init("o", .integerDictionary), .init("b", .double)]))
    }
    _ = try open(inputs, try steps((1 << 53) - 1))
    #expect(
      try fault(inputs, try steps(-(1 << 53)))
        == "step 0 (oneHotEncoder): has the category -9007199254740992 of 's', and rows have doubles, which "
        + "tell whole numbers apart below 2^53 (9007199254740992); give it a smaller number")
    let numbers: [TabularFeature] = [.init("a", .int64), .init("b", .double)]
    #expect(
      try fault(numbers, try Self.linear(numbers))
        == "step 0 (featureVectorizer): takes the number 'a' as an int64, which Ingot runs for categories "
        + "alone; make that input a double")
  }

  // MARK: - Size

  /// A few bytes name steps of a million numbers each.
  @Test func stepsThatTakeFarMoreMemoryThanTheirFileAreRefused() throws {
    let wide: [TabularFeature] = [.init("x", .array(1_000_000))]
    let scaler = try Self.step(.scaler(shift: [1], scale: [2]), wide, "x", .array(1_000_000))
    let first = try Self.step(.arrayFeatureExtractor([0]), wide, "v", .array(1))
    let linear = try TabularProgram(
      path: "a", inputs: [.init("v", .array(1))],
      regressor: .linearRegressor(LinearRegressor(weights: [1], offset: 0)), name: "y")
    _ = try open(wide, [scaler, first, linear])
    #expect(
      try fault(wide, [TabularProgram](repeating: scaler, count: 50) + [first, linear])
        == "has 51 steps of up to 1000000 numbers, 50000001 in all, and at most 4194304 are read; leave out "
        + "numbers that the model does not look at, or join scalers")
    let many = (0..<5).map { TabularFeature("x\($0)", .array(1_000_000)) }
    let error = #expect(throws: TabularError.self) { try open(many, [first, linear]) }
    #expect(
      error?.fault
        == "has 5 inputs of 5000000 numbers in all, expected at most 4194304")
  }

  /// Each column has a place in the list, and the list is looked at once.
  @Test func manyCategoriesTakeTheTimeOfTheirNumber() throws {
    let count = 20_000
    let inputs: [TabularFeature] = [.init("s", .int64)]
    let encoder = try Self.step(
      .oneHotEncoder(.integers(Array(0..<count)), isSparse: false, unknown: .isZero), inputs, "v",
      .array(count))
    let linear = try TabularProgram(
      path: "a", inputs: [.init("v", .array(count))],
      regressor: .linearRegressor(
        LinearRegressor(weights: [Double](repeating: 1, count: count), offset: 0)), name: "y")
    let time = try ContinuousClock().measure {
      _ = try open(inputs, [encoder, linear])
      _ = try open(inputs, [encoder] + (try Self.trees(count)))
    }
    #expect(time < .seconds(60))
  }

  // MARK: - Messages

  @Test func aNameThatNothingMakesIsCalledSo() throws {
    let missing: [TabularFeature] = [.init("a", .double), .init("zz", .double, isOptional: true)]
    #expect(
      try fault(Self.ab, try Self.linear(missing))
        == "step 0 (featureVectorizer): takes 'zz', which is neither an input nor the output of an earlier "
        + "step")
  }
}
