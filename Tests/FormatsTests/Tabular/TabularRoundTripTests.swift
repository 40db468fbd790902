import Formats
import Testing
import Trees

struct TabularRoundTripTests {
  @Test func everyKindIsReadAsItWasWritten() throws {
    for program in try TabularFixtures.all() {
      let bytes = try program.serialized()
      let read = try TabularProgram(reading: bytes, path: "a.mlmodel")
      // NaN, which imputers replace, is not equal to itself.
      #expect(try read.serialized() == bytes, "\(program.step.word)")
      if !"\(program)".contains("nan") { #expect(read == program, "\(program.step.word)") }
    }
  }

  @Test func kindsAreAllThere() throws {
    let words = Set(try TabularFixtures.all().flatMap(Self.words))
    #expect(
      words == [
        "treeEnsembleClassifier", "treeEnsembleRegressor", "glmClassifier", "glmRegressor",
        "scaler",
        "imputer", "oneHotEncoder", "dictVectorizer", "featureVectorizer", "normalizer",
        "arrayFeatureExtractor", "pipeline", "pipelineClassifier", "pipelineRegressor",
      ])
  }

  private static func words(_ program: TabularProgram) -> [String] {
    guard case .pipeline(let pipeline) = program.step else { return [program.step.word] }
    return [program.step.word] + pipeline.programs.flatMap(words)
  }

  /// Opposite comparisons become their like with the children changed.
  @Test func everyComparisonIsRun() throws {
    // Of ≤, <, ≥, >, =, ≠ with 1: numbers that go to the true child, which gives 10.
    for (behaviour, taken) in [[0.5, 1], [0.5], [1, 2], [2], [1], [0.5, 2]].enumerated() {
      for missingIsTrue in [false, true] {
        let file = StumpFile(behaviour: behaviour, threshold: 1, missingIsTrue: missingIsTrue)
        let program = try file.program()
        for value in [0.5, 1, 2, .nan] {
          let isTaken = value.isNaN ? missingIsTrue : taken.contains(value)
          #expect(
            try program.run(["battery": .double(value)], path: "a")
              == ["minutes": .double(isTaken ? 10 : 20)], "behaviour \(behaviour), \(value)")
        }
      }
    }
  }

  @Test func runsAreThoseOfTheTrees() throws {
    let program = try TabularFixtures.all()[1]
    let result = try program.run(["battery": .double(0.5), "hour": .int64(3)], path: "a")
    let second = TabularFixtures.sigmoid(0.25 + 1 + 2)
    #expect(
      result == [
        "label": .string("yes"), "label_probs": .textDictionary(["no": 1 - second, "yes": second]),
      ])
  }

  @Test func chainsAreRunStepByStep() throws {
    let program = try #require(
      try TabularFixtures.all().first { $0.step.word == "pipelineRegressor" })
    // [0.5, blue, missing] is [0.5, 0, 1, NaN], imputed [.., 4], shifted [-0.5, 0, 2, 6], twice that.
    let length = (0.25 + 4 + 36.0).squareRoot()
    let result = try program.run(
      ["battery": .double(0.5), "colour": .string("blue"), "hour": .double(.nan)], path: "a")
    guard case .double(let value) = result["prediction"] else {
      Issue.record("\(result)")
      return
    }
    #expect(abs(value - (-0.5 + 3 * 2 + 4 * 6) / length) < 1e-12)
  }

  @Test func normalizersFailWhereTheirMeaningIsNotSure() throws {
    let program = try #require(
      try TabularFixtures.all().first { $0.step == .normalizer(.largest) })
    #expect(try program.run(["x": .array([1, -0.5])], path: "a") == ["y": .array([1, -0.5])])
    #expect(try program.run(["x": .array([0, 0])], path: "a") == ["y": .array([0, 0])])
    #expect(throws: TabularError.self) { try program.run(["x": .array([1, -2])], path: "a") }
  }

  @Test(arguments: [
    (["battery": TabularValue.double(1)], "a: input 'hour' is not given"),
    (
      ["battery": .double(1), "hour": .double(1)], "a: input 'hour' is a double, expected an int64"
    ),
  ])
  func inputsOfARunAreChecked(_ values: [String: TabularValue], _ words: String) throws {
    let program = try TabularFixtures.all()[0]
    let error = #expect(throws: TabularError.self) { try program.run(values, path: "a") }
    #expect(error?.description == words)
  }

  @Test func unknownCategoriesAreErrorsWhereTheEncoderSaysSo() throws {
    let program = try #require(
      try TabularFixtures.all().first { $0.step.word == "pipelineClassifier" })
    let error = #expect(throws: TabularError.self) {
      try program.run(["battery": .double(1), "hour": .int64(4)], path: "a")
    }
    #expect(
      error?.description
        == "a: step 0 (oneHotEncoder): input 'hour' is int64(4), which is not one of the categories"
    )
  }
}
