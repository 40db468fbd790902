import StrictJSON
import Testing

@testable import Trees

/// `model.json` with arrays, whole and damaged.
struct ArrayTreesTests {
  /// Two stumps: x < = 1.5 of the first feature, and colours 0 and 2 of the second.
  static let arrays: [String: TreeArray] = [
    "starts": column([0, 3]), "left": column([1, -1, -1, 1, -1, -1]),
    "right": column([2, -1, -1, 2, -1, -1]), "feature": column([0, -2, -2, 1, -2, -2]),
    "threshold": column([1.5, -2, -2, 0, 0, 0]), "value": column([0, 10, 20, 0, 1, 2]),
    "missing": column([1, 0, 0, 1, 0, 0]), "set": column([-1, -1, -1, 0, -1, -1]),
    "sets": TreeArray(shape: [1, 3], values: [1, 0, 1]), "outputs": column([0, 1]),
    "scalar": TreeArray(shape: [], values: [1]), "none": column([]),
    "three": column([0, 1, 2]),
    "wide": TreeArray(shape: [6, 2], values: (0..<12).map(Double.init)),
    "cubic": TreeArray(shape: [6, 1, 1], values: (0..<6).map(Double.init)),
    "lying": TreeArray(shape: [1 << 40, 1 << 40], values: [1]),
    "minus": TreeArray(shape: [-6], values: [1]), "empty": TreeArray(shape: [6, 0], values: []),
    "nan": column([.nan, .nan, .nan, .nan, .nan, .nan]),
    "halves": column([0, 0.5, 0.5, 0.5, 0.5, 0.5]), "huge": column([1e300, 1, 1, 1, 1, 1]),
    "cycle": column([0, -1, -1, 1, -1, -1]), "far": column([7, -1, -1, 1, -1, -1]),
    "one-sided": column([-1, -1, -1, 1, -1, -1]), "falling": column([0, 3, 2]),
    "late": column([1, 3]), "ninth": column([9, -1, -1, 1, -1, -1]),
    "first": column([0, -1, -1, 0, -1, -1]), "infinite": column([0, .infinity, 1, 1, 1, 1]),
    "eleven": column([0, 11]),
  ]

  private static func column(_ values: [Double]) -> TreeArray {
    TreeArray(shape: [values.count], values: values)
  }

  static let whole = """
    {"architecture": "trees", "library": "scikit-learn 1.9.1",
     "inputs": [{"name": "age"}, {"name": "colour", "kind": "category", "categories": ["a", "b", "c"]}],
     "trees": {"starts": "starts", "children_left": "left", "children_right": "right",
               "feature": "feature", "threshold": "threshold", "value": "value",
               "missing_go_to_left": "missing", "category_set": "set", "category_sets": "sets"},
     "float32_features": false, "base": [100], "output": {"kind": "regressor", "name": "wait"}}
    """

  static func read(_ text: String) throws -> TreeModel {
    struct NoSuchArray: Error {}
    let model = try JSONParser.parseObject(Array(text.utf8), origin: "model.json")
    return try ArrayTrees.read(model) { name throws(NoSuchArray) in
      if name == "million" {
        return TreeArray(shape: [6, 1_000_000], values: Array(repeating: 0, count: 6_000_000))
      }
      guard let array = arrays[name] else { throw NoSuchArray() }
      return array
    }
  }

  @Test func aModelIsRead() throws {
    let model = try Self.read(Self.whole)
    #expect(
      model.features == [
        TreeFeature("age"), TreeFeature("colour", .category(names: ["a", "b", "c"])),
      ])
    #expect(model.task == .regression)
    #expect(model.library == "scikit-learn 1.9.1")
    #expect(model.outputName == "wait")
    #expect(!model.givesProbabilities)
  }

  /// Missing values and categories that nobody knows go left, as `missing_go_to_left` says.
  @Test(arguments: [
    (1.5, 0.0, 111.0), (1.6, 0, 121), (.nan, 0, 111), (0, 1, 112), (0, 2, 111), (0, 3, 111),
    (0, .nan, 111), (0, -1, 111), (0, 1e12, 111),
  ])
  func rowsReachTheirLeaves(_ age: Double, _ colour: Double, _ sum: Double) throws {
    let model = try Self.read(Self.whole)
    #expect(model.ensemble.outputs(of: [age, colour]) == [sum])
  }

  @Test(arguments: [
    (1.5, 0.0, 121.0), (.nan, 0, 121), (0, 1, 112), (0, 2, 111), (0, 3, 112), (0, .nan, 112),
    (0, -1, 112),
  ])
  func withoutAWayWhatIsMissingGoesRight(
    _ age: Double, _ colour: Double, _ sum: Double
  ) throws {
    let text = Self.whole.replacing(#""missing_go_to_left": "missing", "#, with: "")
      .replacing(#""base""#, with: #""compare": "<", "base""#)
    let model = try Self.read(text)
    #expect(model.ensemble.outputs(of: [age, colour]) == [sum])
  }

  @Test func treesAddToTheirOutputs() throws {
    let text = Self.whole.replacing(#""sets"}"#, with: #""sets", "tree_outputs": "outputs"}"#)
      .replacing("[100]", with: #"[100, 0], "divisor": 2, "float32_features": true"#)
      .replacing(#""float32_features": false, "#, with: "")
    let model = try Self.read(text)
    #expect(model.ensemble.outputs(of: [1.5, 0]) == [55, 0.5])
    #expect(model.ensemble.precision == .init(roundsFeatures: true, addsFloats: false))
  }

  @Test func labelsAreTextsOrWholeNumbers() throws {
    func model(_ output: String) throws -> TreeModel {
      try Self.read(
        Self.whole.replacing(
          #"{"kind": "regressor", "name": "wait"}"#, with: #"{"kind": "classifier", \#(output)}"#))
    }
    let texts = try model(#""labels": ["no", "yes"], "gives": "probabilities""#)
    #expect(texts.task == .classification(labels: .texts(["no", "yes"])))
    #expect(texts.givesProbabilities)
    let numbers = try model(#""labels": [7, -1.0], "gives": "scores""#)
    #expect(numbers.task == .classification(labels: .integers([7, -1])))
    #expect(!numbers.givesProbabilities)
  }

  @Test func aMillionClassesAreTooMany() throws {
    let text = Self.whole.replacing(#""value": "value""#, with: #""value": "million""#)
      .replacing(#""base": [100], "#, with: "")
    let error = #expect(throws: TreeError.self) { try Self.read(text) }
    #expect(
      error?.description == "model.json: there are 1000000 outputs, expected 1 to 100000")
  }

  struct Fault: CustomTestStringConvertible {
    let old: String
    let new: String
    let words: String

    init(_ old: String, _ new: String, _ words: String) {
      self.old = old
      self.new = new
      self.words = words
    }

    var testDescription: String { "\(old) → \(new)" }
  }

  @Test(arguments: [
    Fault(#""trees", "l"#, #""dense", "l"#, "1:1: 'architecture' is 'dense', expected 'trees'"),
    Fault(
      #""base""#, #""bias""#,
      "6:37: unknown key 'bias'; known here: architecture, library, inputs, trees, compare, "
        + "float32_features, base, divisor, transform, output"),
    Fault(
      #""float32_features": false, "#, "", "1:1: the key 'float32_features' is missing"),
    Fault(#""age""#, #""colour""#, "2:33: the feature name 'colour' is empty or appears twice"),
    Fault(
      #""category", "c"#, #""number", "c"#,
      "2:81: 'categories' is for the kind 'category', the kind is 'number'"),
    Fault(
      #""category", "c"#, #""colour", "c"#,
      "2:81: 'categories' is for the kind 'category', the kind is 'colour'"),
    Fault(
      #"["a", "b", "c"]"#, #"["a", "b", "b"]"#,
      "2:94: a category is the string \"b\", expected distinct texts or distinct whole numbers"),
    Fault(
      #"["a", "b", "c"]"#, #"["a", 1]"#,
      "2:89: a category is the number 1, expected distinct texts or distinct whole numbers"),
    Fault(#"["a", "b", "c"]"#, "[]", "2:83: there is no category"),
    Fault(
      "[100]", "[1, 2]",
      "6:37: 'base' has 2 numbers, 'value' has 1 a leaf; without 'tree_outputs' these are as many"),
    Fault(
      "[100]", #"["1"]"#,
      "6:38: a number of 'base' is the string \"1\", expected a finite number"),
    Fault(
      "[100]", #"[0], "divisor": 0"#,
      "6:53: 'divisor' is the number 0, expected a number above 0"),
    Fault(
      "[100]", #"[0], "compare": "==""#,
      "6:53: 'compare' is the string \"==\", expected '<=' or '<'"),
    Fault(
      "[100]", #"[0], "transform": "softmax""#, "6:55: 'softmax' is for several outputs, there is 1"
    ),
    Fault(
      "[100]", #"[0], "transform": "log""#,
      "6:55: 'transform' is the string \"log\", expected one of identity, sigmoid, softmax, "
        + "exponential, one-vs-rest, share, isolation"),
    Fault(
      #""regressor""#, #""embedding""#,
      "6:63: 'kind' is 'embedding', expected classifier or regressor"),
    Fault(
      #""regressor""#, #""classifier", "labels": ["x"]"#, "6:54: the key 'gives' is missing"),
    Fault(
      #""regressor""#, #""classifier", "labels": [1, 2, 3]"#,
      "6:87: there are 3 labels, the trees have 1 output"),
    Fault(
      #""regressor""#, #""classifier", "labels": [1, 1.5]"#,
      "6:91: a label is the number 1.5, expected distinct texts or distinct whole numbers"),
    Fault(
      #"[100], "output": {"kind": "regressor""#,
      #"[0], "transform": "sigmoid", "output": {"kind": "classifier", "labels": [0, 1], "gives": "scores""#,
      "6:126: 'gives' is the string \"scores\", expected 'probabilities', as 'sigmoid' gives them"),
    Fault(
      #""sets"}"#, #""sets", "tree_outputs": "eleven"}"#,
      "tree 1: adds to output 11, there are 1"),
    Fault(
      #""starts": "starts""#, #""starts": "late""#, "3:22: 'starts' begins with 1, expected 0"),
    Fault(
      #""starts": "starts""#, #""starts": "falling""#,
      "3:22: 'starts' has 2 for tree 2 after 3; every tree needs a node"),
    Fault(
      #""starts": "starts""#, #""starts": "none""#,
      "3:22: the array of 'starts' has the shape [0], expected one axis that is not empty"),
    Fault(
      #""starts": "starts""#, #""starts": "eleven""#,
      "3:22: 'starts' has 11.0 for element 1, expected a whole number from 0 to 5"),
    Fault(
      #""left""#, #""three""#, "3:49: the array of 'children_left' has the shape [3], expected [6]"),
    Fault(
      #""left""#, #""wide""#,
      "3:49: the array of 'children_left' has the shape [6, 2], expected [6]"),
    Fault(
      #""left""#, #""halves""#,
      "3:49: 'children_left' has 0.5 for tree 0, node 1, expected a whole number from -1 to 2147483647"
    ),
    Fault(
      #""left""#, #""huge""#,
      "3:49: 'children_left' has 1e+300 for tree 0, node 0, expected a whole number from -1 to 2147483647"
    ),
    Fault(
      #""left""#, #""nan""#,
      "3:49: 'children_left' has nan for tree 0, node 0, expected a whole number from -1 to 2147483647"
    ),
    Fault(
      #""left""#, #""cycle""#,
      "tree 0, node 0: is the child of two nodes, or of one below it"),
    Fault(#""left""#, #""far""#, "tree 0, node 0: has the child 7, the tree has 3 nodes"),
    Fault(#""left""#, #""one-sided""#, "tree 0, node 0: has the child -1, the tree has 3 nodes"),
    Fault(
      #""feature": "feature""#, #""feature": "ninth""#,
      "tree 0, node 0: looks at feature 9, there are 2"),
    Fault(
      #""feature": "feature""#, #""feature": "first""#,
      "tree 1, node 0: asks for set 0 of categories, feature 0 has none"),
    Fault(
      #""threshold": "threshold""#, #""threshold": "nan""#, "tree 0, node 0: compares with NaN"),
    Fault(
      #""threshold": "threshold""#, #""threshold": "lying""#,
      "4:47: the array of 'threshold' has the shape [1099511627776, 1099511627776], expected sizes from 0 whose product a file can have"
    ),
    Fault(
      #""threshold": "threshold""#, #""threshold": "minus""#,
      "4:47: the array of 'threshold' has the shape [-6], expected sizes from 0 whose product a file can have"
    ),
    Fault(
      #""threshold": "threshold""#, #""threshold": "scalar""#,
      "4:47: the array of 'threshold' has the shape [], expected one axis that is not empty"),
    Fault(
      #""value": "value""#, #""value": "nan""#,
      "tree 0, node 1: is a leaf of [nan], which is not finite"),
    Fault(
      #""value": "value""#, #""value": "infinite""#,
      "tree 0, node 1: is a leaf of [inf], which is not finite"),
    Fault(
      #""value": "value""#, #""value": "empty""#,
      "4:69: the array of 'value' has the shape [6, 0], expected [6, 1 or more]"),
    Fault(
      #""value": "value""#, #""value": "cubic""#,
      "4:69: the array of 'value' has the shape [6, 1, 1], expected [6, 1 or more]"),
    Fault(
      #""value": "value""#, #""value": "wide""#,
      "6:37: 'base' has 1 number, 'value' has 2 a leaf; without 'tree_outputs' these are as many"),
    Fault(
      #": "missing""#, #": "left""#,
      "5:34: 'missing_go_to_left' has -1.0 for tree 0, node 1, expected a whole number from 0 to 1"),
    Fault(
      #": "set""#, #": "left""#,
      "5:61: 'category_set' has 1.0 for tree 0, node 0, expected a whole number from -1 to 0"),
    Fault(
      #", "category_sets": "sets""#, "", "3:11: the key 'category_sets' is missing"),
    Fault(
      #": "sets""#, #": "three""#,
      "5:85: the array of 'category_sets' has the shape [3], expected [sets, categories]"),
    Fault(
      #"["a", "b", "c"]"#, #"["a", "b"]"#,
      "tree 1, node 0: asks for set 0 with category 2, feature 1 has 2"),
    Fault(
      #"["a", "b", "c"]"#, #"["a", "b", "c", "d"]"#,
      "tree 1, node 0: asks for a set of 3 categories, feature 1 has 4"),
  ])
  func whatIsWrongIsNamed(_ fault: Fault) throws {
    #expect(Self.whole.contains(fault.old))
    let text = Self.whole.replacing(fault.old, with: fault.new)
    let error = #expect(throws: (any Error).self) { try Self.read(text) }
    let found = error.map { "\($0)" } ?? ""
    #expect(found == "model.json:\(fault.words.first?.isNumber == true ? "" : " ")\(fault.words)")
  }
}
