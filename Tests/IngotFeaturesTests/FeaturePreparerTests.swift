import Testing

@testable import IngotFeatures

/// Values by names become the numbers that a model takes.
struct FeaturePreparerTests {
  /// A value of a feature, and its numbers or the fault.
  struct Case: CustomTestStringConvertible {
    let feature: Feature
    let value: FeatureValue
    var row: [Double] = []
    var fault = ""

    init(_ feature: Feature, _ value: FeatureValue, _ row: [Double]) {
      (self.feature, self.value, self.row) = (feature, value, row)
    }

    init(_ feature: Feature, _ value: FeatureValue, fault: String) {
      (self.feature, self.value, self.fault) = (feature, value, fault)
    }

    var testDescription: String { "\(feature.kind) \(value)" }
  }

  private static func category(
    _ names: [String], _ unknown: CategoryList.Unknown = .refused,
    _ encoding: CategoryList.Encoding = .ordinal, _ missing: Feature.Missing = .refused
  ) -> Feature {
    Feature(
      "x", .category(CategoryList(names, unknown: unknown, encoding: encoding)), missing: missing)
  }

  private static let number = Feature("x")
  private static let taken = Feature("x", missing: .taken, absent: [-999, 0])
  private static let colours = ["red", "green", "blue"]
  private static let noText = "the value of 'x' is 'red', expected a number"
  private static let noTruth = "the value of 'x' is 'TRUE', expected a number"
  private static let isMissing =
    "the value of 'x' is missing, expected a finite number of 32 bits"
  private static let unknown =
    "the value of 'x' is 'grey', which is none of its categories: 'red', 'green', 'blue'"

  static let cases: [Case] = [
    Case(number, 0.1, [0.1]), Case(number, true, [1]), Case(number, "red", fault: noText),
    Case(number, "True", [1]), Case(number, "false", [0]), Case(number, "TRUE", fault: noTruth),
    Case(number, nil, fault: isMissing), Case(number, .number(.nan), fault: isMissing),
    Case(
      number, 1e39,
      fault: "the value of 'x' is 1e+39, expected a finite number of 32 bits"),
    Case(taken, nil, [.nan]), Case(taken, -999, [.nan]), Case(taken, 0, [.nan]),
    Case(taken, 1, [1]),
    Case(Feature("x", missing: .replaced(by: 7), absent: [-1]), -1, [7]),
    Case(Feature("x", missing: .replaced(by: 7)), nil, [7]),
    Case(Feature("x", .boolean), true, [1]), Case(Feature("x", .boolean), "False", [0]),
    Case(Feature("x", .boolean), 1, [1]),
    Case(
      Feature("x", .boolean), 2, fault: "the value of 'x' is 2, expected true or false"),
    Case(category(colours), "blue", [2]), Case(category(colours), "grey", fault: unknown),
    Case(
      category(colours), 1,
      fault: "the value of 'x' is 1, which is none of its categories: 'red', 'green', 'blue'"),
    Case(category(colours, .code(-1)), "grey", [-1]),
    Case(category(colours, .missing, .ordinal, .taken), "grey", [.nan]),
    // A code is no category, whatever happens to unknown ones.
    Case(
      category(colours, .missing, .ordinal, .taken), 1,
      fault: "the value of 'x' is 1, which is none of its categories: 'red', 'green', 'blue'"),
    Case(category(["7", "2"]), 7, [0]), Case(category(["7", "2"]), "2", [1]),
    Case(category(["1.5", "02134"]), 1.5, [0]), Case(category(["1.5", "02134"]), 2134, [1]),
    Case(category(["1.0", "01"], .code(9)), 1, [9]), Case(category(["01", "1"]), 1, [1]),
    Case(category(["True", "False"]), false, [1]), Case(category(["a", ""]), "", [1]),
    Case(category([]), 3, [3]),
    Case(
      category([]), "red",
      fault: "the value of 'x' is 'red', expected a code, a whole number: the model does not name "
        + "its categories"),
    Case(category(colours, .refused, .oneHot), "green", [0, 1, 0]),
    Case(category(colours, .code(-1), .oneHot), "grey", [0, 0, 0]),
    Case(category(colours, .code(0), .oneHot), "grey", [1, 0, 0]),
    Case(category(colours, .missing, .oneHot, .replaced(by: 2)), "grey", [0, 0, 1]),
    Case(category(colours, .missing, .oneHot, .replaced(by: -1)), nil, [0, 0, 0]),
    Case(Feature("x", .cyclic(period: 24)), 18, [-1, 0]),
    Case(Feature("x", .cyclic(period: 24)), -6, [-1, 0]),
    Case(Feature("x", .cyclic(period: 24), missing: .replaced(by: 12)), nil, [0, -1]),
  ]

  @Test(arguments: cases)
  func aValueBecomesNumbers(_ test: Case) throws {
    let preparer = FeaturePreparer(try FeatureSchema([test.feature]))
    do throws(FeatureError) {
      let row = try preparer.doubles(["x": test.value])
      #expect(test.fault == "")
      #expect(row.count == test.row.count && preparer.schema.columnCount == row.count)
      #expect(zip(row, test.row).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }, "\(row)")
    } catch {
      #expect(error.description == test.fault)
    }
  }

  @Test func everyFeatureIsGivenAndNoOther() throws {
    let preparer = FeaturePreparer(FeatureSchema(names: ["a", "b"]))
    #expect(try preparer.row(["b": 2, "a": 1]) == [1, 2])
    #expect(throws: FeatureError.noValue(name: "b")) { try preparer.row(["a": 1]) }
    #expect(throws: FeatureError.unknownFeature(name: "c", known: ["a", "b"])) {
      try preparer.row(["a": 1, "b": 2, "c": 3])
    }
  }

  /// Codes by place are as trees take them; columns for categories take those that there are.
  @Test func codesBecomeColumns() throws {
    let refused = FeaturePreparer(
      try FeatureSchema([Self.category(Self.colours, .refused, .oneHot), Feature("y")]))
    #expect(try refused.columns(ofCodes: [2, 0.5]) == [0, 0, 1, 0.5])
    for code in [3, -1, 0.5] {
      #expect(throws: FeatureError.self) { try refused.columns(ofCodes: [code, 0]) }
    }
    let replaced = FeaturePreparer(
      try FeatureSchema([Self.category(Self.colours, .missing, .oneHot, .replaced(by: 0))]))
    #expect(try replaced.columns(ofCodes: [3]) == [1, 0, 0])
    let trees = FeaturePreparer(
      try FeatureSchema([Self.category(Self.colours, .refused, .ordinal, .taken)]))
    #expect(try trees.columns(ofCodes: [7]) == [7])
    // No category of a list has a code between two others; without a list trees have the library's rule.
    for code in [0.5, -0.5, 1.9999999] {
      let error = #expect(throws: FeatureError.self) { try trees.columns(ofCodes: [code]) }
      let words = "the value of 'x' is the code \(code), which is none of its categories"
      #expect(error?.description.hasPrefix(words) == true)
    }
    let unnamed = FeaturePreparer(
      try FeatureSchema([Self.category([], .refused, .ordinal, .taken)]))
    #expect(try unnamed.columns(ofCodes: [0.5]) == [0.5])
  }
}
