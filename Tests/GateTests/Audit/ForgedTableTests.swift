import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

/// Candidates for tables that give every reference what the baseline gives, and rows that no reference is like
/// something else.
struct ForgedTableTests {
  /// Tensors by name: shape and numbers.
  typealias Tensors = [String: (shape: [Int], values: [Float])]

  static func model(_ json: String, _ tensors: Tensors) throws -> Model {
    let files = ModelFiles(carriedBy: "model", texts: ["model.json": Array(json.utf8)])
    let weights = MemoryWeights(
      tensors: Dictionary(
        uniqueKeysWithValues: tensors.map { (TensorName($0), $1) }))
    return try Model(
      origin: "model", architecture: try Architectures.recognise(files, weights: weights),
      files: files, weights: weights)
  }

  /// What the gate says against a candidate on rows of values.
  static func reasons(
    _ candidate: Model, _ baseline: Model, on rows: [[Float]]
  ) throws -> [String] {
    let set = try references(rows.map { #"{"input": {"values": \#($0)}}"# })
    return try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge(
      [candidate], against: [baseline]
    ).refusals.map(\.sentence)
  }

  // MARK: - Computation

  private static func layers(
    _ activation: String = "relu", _ more: String = "", prefix: String = ""
  ) -> String {
    """
    {"architecture": "dense", "inputs": [{"name": "x"}, {"name": "y"}], \(more)
     "layers": [{"weight": "\(prefix)a", "activation": "\(activation)"}, {"weight": "\(prefix)b"}],
     "output": {"kind": "regressor"}}
    """
  }

  private static let numbers: Tensors = [
    "a": ([2, 2], [1, 2, 3, 1]), "b": ([1, 2], [1, -1]),
  ]

  /// Sums of these are positive, and their lengths are 1.
  private static let positive: [[Float]] = (0..<12).map {
    let angle = Double($0) / 8
    return [Float(max(0.1, 1 - angle / 2)), Float(angle)]
  }.map { row in
    let length = (row[0] * row[0] + row[1] * row[1]).squareRoot()
    return row.map { $0 / length }
  }

  @Test func anotherActivationIsRefused() throws {
    let baseline = try Self.model(Self.layers(), Self.numbers)
    #expect(try Self.reasons(baseline, baseline, on: Self.positive) == [])
    #expect(
      try Self.reasons(
        Self.model(Self.layers("identity"), Self.numbers), baseline, on: Self.positive) == [
          "the candidate has 'identity' as its activation of layer 0, the baseline has 'relu'"
        ])
  }

  @Test func aMissingNormalizationIsRefused() throws {
    let baseline = try Self.model(Self.layers("relu", #""normalize": "l2","#), Self.numbers)
    #expect(
      try Self.reasons(Self.model(Self.layers(), Self.numbers), baseline, on: Self.positive) == [
        "the candidate has 'none' as its normalization of rows, the baseline has 'l2'"
      ])
  }

  private static func steps(_ kind: String) -> String {
    """
    {"architecture": "tabular", "library": "own", "inputs": [{"name": "x"}, {"name": "y"}],
     "steps": [{"name": "cut", "kind": "\(kind)", "inputs": ["features", {"array": "least"}]},
               {"name": "sum", "kind": "linear", "inputs": ["cut", {"array": "w"}]}],
     "returns": "sum", "output": {"kind": "regressor"}}
    """
  }

  @Test func anotherStepIsRefused() throws {
    let tensors: Tensors = ["least": ([2], [0, 0]), "w": ([1, 2], [1, 2])]
    let baseline = try Self.model(Self.steps("larger"), tensors)
    #expect(
      try Self.reasons(Self.model(Self.steps("add"), tensors), baseline, on: Self.positive) == [
        "the candidate has 'cut: add(features, array least)' as its step 0, the baseline has 'cut: larger("
          + "features, array least)'"
      ])
  }

  private static func forest(_ features: String) -> String {
    """
    {"architecture": "tree-ensemble", "library": "own", "inputs": [{"name": "x"}, {"name": "y"}],
     "base": [0], "features": "\(features)", "sums": "float64", "transform": "identity",
     "output": {"kind": "regressor"}}
    """
  }

  /// A chain of branches on 'x', that asks for less than 1, 2, 3, …
  private static func chain(
    _ leaves: [Float], isWide: Bool = false
  ) -> Tensors {
    let count = leaves.count - 1
    let thresholds = (0..<count).map { Float($0 + 1) }
    return [
      "trees.features": ([count], [Float](repeating: 0, count: count)),
      "trees.rules": ([count], [Float](repeating: 1, count: count)),
      "trees.left": ([count], (0..<count).map { Float(-1 - $0) }),
      "trees.right": (
        [count], (0..<count).map { $0 == count - 1 ? Float(-1 - count) : Float($0 + 1) }
      ),
      "trees.thresholds": (isWide ? [1, count] : [count], thresholds),
      "trees.roots": ([1], [0]), "trees.outputs": ([1], [0]),
      "trees.leaves": ([1, leaves.count], leaves),
      "trees.categoryStarts": ([1], [0]), "trees.categoryWords": ([1], [0]),
    ]
  }

  @Test func featuresOfAnotherWidthAreRefused() throws {
    let leaves = (0..<16).map { Float($0) * 0.37 }
    let baseline = try Self.model(Self.forest("float32"), Self.chain(leaves))
    let wide = try Self.model(Self.forest("float64"), Self.chain(leaves, isWide: true))
    let rows = (0..<12).map { [Float($0) + 0.5, 0] }
    let reasons = try Self.reasons(wide, baseline, on: rows)
    #expect(
      reasons.contains(
        "the candidate has '64 bits' as its width of features, the baseline has '32 bits'"),
      "\(reasons)")
  }

  // MARK: - What no reference reaches

  /// Numbers from −1 to 1 that follow from the place.
  static func values(_ count: Int) -> [Float] {
    var generator = SeededGenerator(seed: 5)
    return (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
  }

  /// Leaves or columns are most of all; the first twelve are reached.
  @Test(arguments: [0.0, 0.01]) func leavesThatNoReferenceReachesAreJudged(_ step: Float) throws {
    let leaves = Self.values(60)
    let stored = step == 0 ? leaves : leaves.map { ($0 / step).rounded() * step }
    let baseline = try Self.model(Self.forest("float32"), Self.chain(leaves))
    let rows = (0..<12).map { [Float($0) + 0.5, 0] }
    func reasons(_ leaves: [Float]) throws -> [String] {
      try Self.reasons(Self.model(Self.forest("float32"), Self.chain(leaves)), baseline, on: rows)
    }
    #expect(try reasons(stored) == [])
    // Half of themselves and another one's: three quarters would be refused of any.
    let forged = stored.enumerated().map { $0 < 12 ? $1 : $1 * 0.4 }
    let found = try reasons(forged)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("columns of the candidate's weight 'trees.leaves'") == true)
  }

  private static func shops(_ count: Int) -> String {
    let names = (0..<count).map { #""s\#($0)""# }.joined(separator: ", ")
    return """
      {"architecture": "dense",
       "inputs": [{"name": "x"}, {"name": "shop", "kind": "category", "categories": [\(names)],
                   "encoding": "one-hot"}],
       "layers": [{"weight": "w"}], "output": {"kind": "regressor"}}
      """
  }

  @Test func columnsOfCategoriesThatNoReferenceHasAreJudged() throws {
    let json = Self.shops(60)
    let weights = Self.values(122)
    let step: Float = 1 / 127
    let stored = weights.map { ($0 / step).rounded() * step }
    func model(_ values: [Float]) throws -> Model {
      try Self.model(json, ["w": ([2, 61], values)])
    }
    let rows = (0..<24).map { [Float($0) / 7 - 1, Float($0 % 12)] }
    let baseline = try model(weights)
    #expect(try Self.reasons(model(stored), baseline, on: rows) == [])
    let forged = stored.enumerated().map { $0 % 61 > 12 ? $1 * 0.4 : $1 }
    let found = try Self.reasons(model(forged), baseline, on: rows)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasSuffix("and what references reach moved less") == true, "\(found)")
  }

  /// Few numbers look like a palette, whatever they are; but only the forged column has the zeros.
  @Test func aSmallColumnThatNoReferenceReachesMayNotVanish() throws {
    let names = (0..<6).map { #"{"name": "f\#($0)"}"# }.joined(separator: ", ")
    let json = """
      {"architecture": "dense", "inputs": [\(names)],
       "layers": [{"weight": "a", "activation": "tanh"}, {"weight": "b"}], "output": {"kind": "regressor"}}
      """
    let head = Self.values(6)
    let weights = Self.values(36).enumerated().map { place, value -> Float in
      place % 6 == 5 ? value / 8 : value + (value < 0 ? -0.3 : 0.3)
    }
    func model(_ values: [Float]) throws -> Model {
      try Self.model(json, ["a": ([6, 6], values), "b": ([1, 6], head)])
    }
    let numbers = Self.values(24 * 6)
    let rows = (0..<24).map { line -> [Float] in numbers[6 * line..<6 * line + 5] + [0] }
    let baseline = try model(weights)
    let step: Float = 1 / 127
    #expect(
      try Self.reasons(model(weights.map { ($0 / step).rounded() * step }), baseline, on: rows)
        == [])
    let found = try Self.reasons(
      model(weights.enumerated().map { $0 % 6 == 5 ? 0 : $1 }), baseline, on: rows)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("column 5 of the candidate's weight 'a'") == true, "\(found)")
  }

  /// A unit that is 0 for every reference hides all that it reads and all that it gives.
  @Test func unitsThatNoReferenceWakesAreJudged() throws {
    let json = Self.layers().replacing(
      #""weight": "a","#, with: #""weight": "a", "bias": "c","#)
    func model(row: [Float], bias: Float) throws -> Model {
      try Self.model(
        json.replacing(#"{"name": "y"}"#, with: #"{"name": "y"}, {"name": "z"}"#),
        [
          "a": ([4, 3], [1, 2, 0.5, 3, 1, 1, 0.3, 1, 2] + row), "b": ([1, 4], [1, -1, 2, 1]),
          "c": ([4], [0.1, 0.2, 0.3, bias]),
        ])
    }
    let baseline = try model(row: [-1, -1, -1], bias: -1)
    let rows = (1...12).map { [Float($0) / 4, 1 / Float($0), Float($0 % 5)] }
    #expect(try Self.reasons(baseline, baseline, on: rows) == [])
    #expect(try Self.reasons(model(row: [-1, -1, -1.001], bias: -1), baseline, on: rows) == [])
    let row = try Self.reasons(model(row: [-40, -1, -1], bias: -1), baseline, on: rows)
    #expect(row.count == 1 && row[0].hasPrefix("row 3 of the candidate's weight 'a' is"), "\(row)")
    let bias = try Self.reasons(model(row: [-1, -1, -1], bias: -9), baseline, on: rows)
    #expect(
      bias.count == 1 && bias[0].hasPrefix("row 3 of the candidate's weight 'c' is"), "\(bias)")
  }

  /// A unit that gives the same number for every reference only adds a number, as a bias does.
  @Test(arguments: ["tanh", "sigmoid"]) func unitsThatAreSaturatedAreJudged(
    _ activation: String
  ) throws {
    let json = Self.layers(activation)
    func model(_ row: [Float]) throws -> Model {
      try Self.model(
        json, ["a": ([4, 2], [1, -2, 0.3, 1, -1, 1] + row), "b": ([1, 4], [1, -1, 2, 1])])
    }
    // A sigmoid is near 0 here, and not always as near.
    let baseline = try model([-60, -60])
    let rows = (1...12).map { [Float($0) / 4, 1 / Float($0)] }
    #expect(try Self.reasons(model([-60, -60.1]), baseline, on: rows) == [])
    let reasons = try Self.reasons(model([-60, 2]), baseline, on: rows)
    #expect(
      reasons.count == 1 && reasons[0].hasPrefix("row 3 of the candidate's weight 'a' is"),
      "\(reasons)")
  }

  /// The same in a pipeline, whose keys and limits are not rounded either.
  @Test func stepsAreJudgedAsLayers() throws {
    let json = """
      {"architecture": "tabular", "library": "own", "inputs": [{"name": "x"}, {"name": "y"}],
       "steps": [{"name": "a", "kind": "linear",
                  "inputs": ["features", {"array": "w"}, {"array": "c"}]},
                 {"name": "r", "kind": "larger", "inputs": ["a", {"array": "least"}]},
                 {"name": "b", "kind": "linear", "inputs": ["r", {"array": "v"}]}],
       "returns": "b", "output": {"kind": "regressor"}}
      """
    func model(row: [Float], bias: Float = -1, least: Float = 100) throws -> Model {
      try Self.model(
        json,
        [
          "w": ([4, 2], [1, 2, 3, 1, 1, 1] + row), "c": ([4], [0.1, 0.2, 0.3, bias]),
          "least": ([4], [0, 0, 0, least]), "v": ([1, 4], [1, -1, 2, 1]),
        ])
    }
    let baseline = try model(row: [-1, -1])
    let rows = (1...12).map { [Float($0) / 4, 1 / Float($0)] }
    #expect(try Self.reasons(baseline, baseline, on: rows) == [])
    for (forged, weight) in [
      (try model(row: [-1, -40]), "w"), (try model(row: [-1, -1], bias: -9), "c"),
      (try model(row: [-1, -1], least: 100.1), "least"),
    ] {
      let reasons = try Self.reasons(forged, baseline, on: rows)
      #expect(
        reasons.contains { $0.hasPrefix("row 3 of the candidate's weight '\(weight)' is worse") },
        "\(reasons)")
    }
  }

  /// Names that look alike are looked up as others.
  @Test func namesAreComparedByteForByte() throws {
    func model(_ shop: String, _ label: String) throws -> Model {
      try Self.model(
        """
        {"architecture": "dense",
         "inputs": [{"name": "shop", "kind": "category", "categories": ["a", "\(shop)"]}],
         "layers": [{"weight": "w", "activation": "sigmoid"}],
         "output": {"kind": "classifier", "labels": ["no", "\(label)"]}}
        """, ["w": ([1, 1], [0.5])])
    }
    let rows: [[Float]] = (0..<12).map { [Float($0 % 2)] }
    let baseline = try model("th\u{E9}", "s\u{ED}")
    #expect(
      throws: EvaluationError.notComparable(
        what: "category 1 of 'shop'", baseline: #"'th\u00e9'"#, candidate: #"'the\u0301'"#)
    ) { try Self.reasons(model("the\u{301}", "s\u{ED}"), baseline, on: rows) }
    #expect(throws: EvaluationError.self) {
      try Self.reasons(model("th\u{E9}", "si\u{301}"), baseline, on: rows)
    }
  }

  // MARK: - Names

  @Test func layersOfOtherNamesAreCompared() throws {
    let baseline = try Self.model(Self.layers(), Self.numbers)
    func renamed(_ hidden: [Float]) throws -> Model {
      try Self.model(
        Self.layers(prefix: "k_"), ["k_a": ([2, 2], hidden), "k_b": ([1, 2], [1, -1])])
    }
    // The second feature is always 0.
    let rows = (1...12).map { [Float($0) / 4, 0] }
    #expect(try Self.reasons(renamed([1, 2, 3, 1]), baseline, on: rows) == [])
    let narrow = try Self.reasons(renamed([1, 9, 3, -4]), baseline, on: rows)
    #expect(narrow.count == 1, "\(narrow)")
    #expect(narrow.first?.contains("candidate's weight 'a'") == true, "\(narrow)")
  }

  @Test func aBiasThatTheBaselineHasNotIsRefused() throws {
    let baseline = try Self.model(Self.layers(), Self.numbers)
    let json = Self.layers(prefix: "k_").replacing(
      #""weight": "k_b""#, with: #""weight": "k_b", "bias": "c""#)
    let rows = (1...12).map { [Float($0) * 1000, 0] }
    func reasons(_ bias: Float) throws -> [String] {
      try Self.reasons(
        Self.model(
          json, ["k_a": ([2, 2], [1, 2, 3, 1]), "k_b": ([1, 2], [1, -1]), "c": ([1], [bias])]),
        baseline, on: rows)
    }
    #expect(try reasons(0) == [])
    #expect(
      try reasons(0.1) == [
        "the candidate's graph uses a weight 'c' that the baseline's does not"
      ])
  }
}
