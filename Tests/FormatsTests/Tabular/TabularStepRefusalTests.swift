import Formats
import Testing
import Trees

/// Steps that do not suit their inputs and outputs.
struct TabularStepRefusalTests {
  private typealias Kind = TabularFeature.Kind

  struct Case: CustomTestStringConvertible, Sendable {
    let step: TabularStep
    let input: TabularFeature.Kind
    let output: TabularFeature.Kind
    let words: String
    var testDescription: String { words }

    init(
      _ step: TabularStep, _ input: TabularFeature.Kind, _ output: TabularFeature.Kind,
      _ words: String
    ) {
      (self.step, self.input, self.output, self.words) = (step, input, output, words)
    }
  }

  private static let cases = [
    Case(
      .scaler(shift: [1, 2], scale: []), .array(3), .array(3),
      "has 2 numbers for 3, expected 0, 1 or 3"),
    Case(
      .scaler(shift: [.nan], scale: []), .array(3), .array(3),
      "has nan among its numbers, which is not finite"),
    Case(
      .scaler(shift: [], scale: []), .double, .double, "input 'x' is a double, expected an array"),
    Case(
      .scaler(shift: [], scale: []), .array(3), .array(2),
      "output 'y' is an array of 2 doubles, expected an array of 3 doubles"),
    Case(
      .imputer(.array([1], missing: .nan)), .array(2), .array(2),
      "input 'x' is an array of 2 doubles, expected an array of 1 doubles"),
    Case(
      .imputer(.int64(1, missing: 0)), .double, .double, "input 'x' is a double, expected an int64"),
    Case(
      .imputer(.double(.infinity, missing: 0)), .double, .double,
      "has inf among its numbers, which is not finite"),
    Case(
      .oneHotEncoder(.texts(["a", "a"]), isSparse: true, unknown: .isZero), .string,
      .integerDictionary, "has the category 'a' twice"),
    Case(
      .oneHotEncoder(.texts([]), isSparse: true, unknown: .isZero), .string, .integerDictionary,
      "has no categories"),
    Case(
      .oneHotEncoder(.texts(["a"]), isSparse: true, unknown: .isZero), .int64, .integerDictionary,
      "input 'x' is an int64, expected a string"),
    Case(
      .oneHotEncoder(.texts(["a"]), isSparse: false, unknown: .isZero), .string, .integerDictionary,
      "output 'y' is a dictionary by int64, expected an array of 1 doubles"),
    Case(
      .dictVectorizer(.texts(["a"])), .textDictionary, .array(2),
      "output 'y' is an array of 2 doubles, expected an array of 1 doubles"),
    Case(
      .arrayFeatureExtractor([0, 3]), .array(3), .array(2), "takes number 3 of an array of 3"),
    Case(
      .arrayFeatureExtractor([0, 1]), .array(3), .double,
      "output 'y' is a double, expected an array of 2 doubles"),
    Case(
      .featureVectorizer([.init("z", 1)]), .double, .array(1), "column 'z' is not one of the inputs"
    ),
    Case(
      .featureVectorizer([.init("x", 2)]), .double, .array(2),
      "column 'x' has 2 numbers and is a double"),
    Case(
      .featureVectorizer([.init("x", .max)]), .integerDictionary, .array(2),
      "column 'x' has 9223372036854775807 numbers, expected 1 to 1000000"),
    Case(
      .featureVectorizer([.init("x", 3)]), .integerDictionary, .array(2),
      "output 'y' is an array of 2 doubles, expected an array of 3 doubles"),
    Case(.pipeline(.init(.plain, [])), .double, .double, "has no steps"),
  ]

  @Test(arguments: cases)
  func stepsSuitTheirInputs(_ item: Case) {
    let error = #expect(throws: TabularError.self) {
      try TabularProgram(
        path: "a", inputs: [.init("x", item.input)], outputs: [.init("y", item.output)],
        step: item.step)
    }
    #expect(error?.description == "a: \(item.words)")
  }

  @Test(arguments: [
    (
      LinearClassifier(
        weights: [[1], [2]], offsets: [0, 0], encoding: .oneVersusRest,
        labels: .texts(["a", "b"])),
      "has 2 rows of weights and 2 offsets, expected 1 for 2 labels"
    ),
    (
      LinearClassifier(
        weights: [[1], [2, 3]], offsets: [0, 0], encoding: .referenceClass,
        labels: .integers([1, 2, 3])),
      "has rows of 1 and of 2 weights"
    ),
    (
      LinearClassifier(
        weights: [[1], [2]], offsets: [0, 0], encoding: .referenceClass, link: .probit,
        labels: .integers([1, 2, 3])),
      "has the link probit and 3 labels, expected 2"
    ),
    (
      LinearClassifier(
        weights: [], offsets: [], encoding: .referenceClass, labels: .integers([1])),
      "has 1 labels, expected 2 or more"
    ),
    (
      LinearClassifier(
        weights: [[.infinity]], offsets: [0], encoding: .referenceClass, labels: .integers([1, 2])),
      "has inf among its weights, which is not finite"
    ),
    (
      LinearClassifier(
        weights: [[1, 2]], offsets: [0], encoding: .referenceClass, labels: .integers([1, 2])),
      "the inputs have 1 numbers, the model looks at 2"
    ),
  ])
  func linearModelsAreWhole(_ linear: LinearClassifier, _ words: String) {
    let error = #expect(throws: TabularError.self) {
      try TabularProgram(
        path: "a", inputs: [.init("x", .double)], classifier: .linearClassifier(linear),
        labels: linear.labels, name: "y")
    }
    #expect(error?.description == "a: \(words)")
  }

  private static func scaler(_ input: String, _ output: String, _ count: Int) throws
    -> TabularProgram
  {
    try TabularProgram(
      path: "a", inputs: [.init(input, .array(count))], outputs: [.init(output, .array(count))],
      step: .scaler(shift: [1], scale: [2]))
  }

  private static func pipeline(
    _ programs: [TabularProgram], _ names: [String] = [], _ kind: TabularStep.Pipeline.Kind = .plain
  ) throws -> TabularProgram {
    try TabularProgram(
      path: "a", inputs: [.init("x", .array(2))], outputs: [.init("y", .array(2))],
      step: .pipeline(.init(kind, programs, names: names)))
  }

  @Test func stepsOfPipelinesFindTheirInputs() throws {
    let (first, second) = (try Self.scaler("x", "m", 2), try Self.scaler("m", "y", 2))
    let wide = try Self.scaler("m", "y", 3)
    let sound = try Self.pipeline([first, second], ["one", "two"])
    #expect(try sound.run(["x": .array([0, 1])], path: "a") == ["y": .array([6, 10])])
    for (programs, names, kind, words):
      ([TabularProgram], [String], TabularStep.Pipeline.Kind, String)
      in [
        (
          [second], [], .plain,
          "step 0 (scaler): input 'm' is neither an input nor the output of an earlier step"
        ),
        (
          [first, wide], [], .plain,
          "step 1 (scaler): input 'm' is an array of 3 doubles, but comes as an array of 2 doubles"
        ),
        ([first], [], .plain, "output 'y' is neither an input nor the output of an earlier step"),
        (
          [first, second], ["a", "a"], .plain,
          "has 2 steps and the names [\"a\", \"a\"], expected one each"
        ),
        ([first, second], [], .classifier, "no output is the predicted ''"),
        ([first, second], [], .regressor, "no output is the predicted ''"),
      ]
    {
      let error = #expect(throws: TabularError.self) { try Self.pipeline(programs, names, kind) }
      #expect(error?.description == "a: \(words)")
    }
  }

  @Test func pipelinesAreNotTooDeep() throws {
    var program = try Self.scaler("x", "y", 2)
    for _ in 0..<8 { program = try Self.pipeline([program]) }
    let bytes = try program.serialized()
    #expect(try TabularProgram(reading: bytes, path: "a") == program)
    let error = #expect(throws: TabularError.self) { try Self.pipeline([program]) }
    #expect(error?.description == "a: has pipelines in pipelines, more than 8 deep")
  }
}
