import Graph
import ModelFixtures
import Testing
import Weights

@testable import Gate

/// Which weight of a candidate is which of the baseline's.
struct WeightMatchingTests {
  /// An architecture of any weights; its graph only looks at them.
  private struct Holder<Kind>: Architecture {
    static var name: String { "holder" }
    let references: [WeightReference]
    /// Numbers of the graph's own.
    var literals: [Literal] = []
    var shapes = GraphShapes.any
    let describingFiles: [String] = []
    let input = ModelInput.features(names: ["x"])
    let output = ModelOutput.embedding(width: 1)
    let outputName = "y"

    func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
      var graph = GraphBuilder()
      var value = graph.input("features", ValueType(.float32, [1, 1]))
      for (index, reference) in references.enumerated() {
        value = try graph.append(
          "v\(index)", Reshape(.weight(reference), shape: [reference.elementCount]))
      }
      for (index, literal) in literals.enumerated() {
        value = try graph.append(
          "l\(index)", Reshape(.literal(literal), shape: [literal.type.elementCount]))
      }
      return try graph.finish(output: value)
    }
  }

  private enum Folder {}
  private enum Package {}

  private static func model(
    _ references: [WeightReference], literals: [Literal] = [], isMLPackage: Bool
  ) throws -> Model {
    var weights = MemoryWeights()
    for reference in references {
      weights.tensors[reference.name] = (
        reference.shape, (0..<reference.elementCount).map { Float($0) }
      )
    }
    let files = ModelFiles(carriedBy: "m", texts: [:])
    return isMLPackage
      ? try Model(
        origin: "m",
        architecture: Holder<Package>(references: references, shapes: .single(lengths: [1])),
        files: files, weights: weights)
      : try Model(
        origin: "m", architecture: Holder<Folder>(references: references, literals: literals),
        files: files, weights: weights)
  }

  private static func matrix(_ name: TensorName, _ shape: Int...) -> WeightReference {
    WeightReference(name, shape, role: .matrix(outputAxis: 0))
  }

  private static func table(_ name: TensorName, _ shape: Int...) -> WeightReference {
    WeightReference(name, shape, role: .positionTable)
  }

  private static func tokens(_ name: TensorName, _ shape: Int...) -> WeightReference {
    WeightReference(name, shape, role: .tokenTable)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let baseline: [WeightReference]
    let candidate: [WeightReference]
    var isMLPackage = true
    var pairs: [String] = []
    var faults: [String] = []
    var areUnrelated = false
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "the same names", baseline: [matrix("a.b", 2, 3), matrix("c", 2)],
      candidate: [matrix("c", 2), matrix("a.b", 2, 3)], isMLPackage: false,
      pairs: ["a.b=a.b", "c=c"]),
    Case(
      name: "identifiers", baseline: [matrix("a.b", 2), matrix("a/b", 2), matrix("c", 2)],
      candidate: [matrix("a_b", 2), matrix("a_b_1", 2), matrix("c", 2)],
      pairs: ["a.b=a_b", "a/b=a_b_1", "c=c"]),
    Case(
      name: "identifiers are no names of one architecture", baseline: [matrix("a.b", 2)],
      candidate: [matrix("a_b", 2)], isMLPackage: false,
      faults: [
        "the candidate's graph does not use the baseline's weight 'a.b'",
        "the candidate's graph uses a weight 'a_b' that the baseline's does not",
      ]),
    Case(
      name: "a table that is cut", baseline: [table("p", 12, 8)], candidate: [table("p", 4, 8)],
      pairs: ["p=p"]),
    Case(
      name: "a table that has grown", baseline: [table("p", 12, 8)],
      candidate: [table("p", 13, 8)],
      faults: ["the candidate's weight 'p' has shape [13, 8], the baseline's has [12, 8]"]),
    Case(
      name: "a table of another width", baseline: [table("p", 12, 8)],
      candidate: [table("p", 12, 7)],
      faults: ["the candidate's weight 'p' has shape [12, 7], the baseline's has [12, 8]"]),
    Case(
      name: "a matrix that is cut", baseline: [matrix("w", 12, 8)],
      candidate: [matrix("w", 4, 8)],
      faults: ["the candidate's weight 'w' has shape [4, 8], the baseline's has [12, 8]"]),
    Case(
      name: "a table that is cut in one architecture", baseline: [table("p", 12, 8)],
      candidate: [table("p", 4, 8)], isMLPackage: false,
      faults: ["the candidate's weight 'p' has shape [4, 8], the baseline's has [12, 8]"]),
    Case(
      name: "one is missing", baseline: [matrix("a.x", 2), matrix("b", 2)],
      candidate: [matrix("b", 2)], pairs: ["b=b"],
      faults: ["the candidate's graph does not use the baseline's weight 'a.x'"]),
    Case(
      name: "one is more", baseline: [matrix("b", 2)],
      candidate: [matrix("b", 2), matrix("const_7", 2)], pairs: ["b=b"],
      faults: ["the candidate's graph uses a weight 'const_7' that the baseline's does not"]),
    Case(
      name: "unrelated names", baseline: [matrix("a", 2), matrix("b", 2)],
      candidate: [matrix("const_1", 2), matrix("const_2", 3)], areUnrelated: true),
    Case(
      name: "unrelated names, the table of tokens alone of its shape",
      baseline: [matrix("a", 2), tokens("words", 9, 4), matrix("b", 3, 4)],
      candidate: [matrix("c_1", 2), tokens("c_2", 9, 4), matrix("c_3", 3, 4)],
      pairs: ["words=c_2"], areUnrelated: true),
    Case(
      name: "unrelated names, another of that shape",
      baseline: [tokens("words", 9, 4), matrix("b", 9, 4)],
      candidate: [tokens("c_2", 9, 4), matrix("c_3", 9, 4)], areUnrelated: true),
    Case(
      name: "a prefix before all", baseline: [matrix("a.x", 2), matrix("b", 3)],
      candidate: [matrix("bert.a.x", 2), matrix("bert.b", 3)], isMLPackage: false,
      pairs: ["a.x=bert.a.x", "b=bert.b"]),
    Case(
      name: "a prefix left out", baseline: [matrix("bert.a.x", 2), matrix("bert.b", 3)],
      candidate: [matrix("a.x", 2), matrix("b", 3)], isMLPackage: false,
      pairs: ["bert.a.x=a.x", "bert.b=b"]),
    Case(
      name: "other names in one architecture", baseline: [matrix("a", 2)],
      candidate: [matrix("b", 2)], isMLPackage: false,
      faults: [
        "the candidate's graph does not use the baseline's weight 'a'",
        "the candidate's graph uses a weight 'b' that the baseline's does not",
      ]),
  ]

  @Test(arguments: cases) func belongTogether(_ test: Case) throws {
    let found = try WeightMatching(
      baseline: try Self.model(test.baseline, isMLPackage: false),
      candidate: try Self.model(test.candidate, isMLPackage: test.isMLPackage))
    #expect(found.pairs.map { "\($0.ours.name)=\($0.theirs.name)" } == test.pairs)
    #expect(found.faults.map(\.sentence) == test.faults)
    #expect(found.areUnrelated == test.areUnrelated)
  }

  /// Under the baseline's names, with its rows where the candidate has none.
  @Test func weightsOfTheCandidate() throws {
    let baseline = try Self.model([Self.table("p.q", 3, 2)], isMLPackage: false)
    var weights = MemoryWeights(tensors: ["p_q": ([2, 2], [9, 8, 7, 6])])
    weights.label = "candidate"
    let candidate = try Model(
      origin: "m", architecture: Holder<Package>(references: [Self.table("p_q", 2, 2)]),
      files: ModelFiles(carriedBy: "m", texts: [:]), weights: weights)
    let matching = try WeightMatching(baseline: baseline, candidate: candidate)
    let replaced = MatchedWeights(matching, baseline: baseline, candidate: candidate)
    #expect(replaced.names == ["p.q"])
    #expect(replaced.shape(of: "p.q") == [3, 2])
    #expect(try replaced.floats(of: "p.q") == [9, 8, 7, 6, 4, 5])
  }

  /// A program holds the numbers of a graph (a mask, scales of pixels) as constants; whatever else
  /// it holds is refused.
  @Test(arguments: [
    ([0, 1], [2], true), ([0, 1.0004], [2], true), ([0, 1.001], [2], false),
    ([0.5, 1], [2], false), ([0, 1], [1, 2], false), ([0, .nan], [2], false),
  ])
  func numbersOfTheGraphAreConstantsOfAProgram(
    values: [Float], shape: [Int], isKnown: Bool
  ) throws {
    let shared = Self.matrix("w", 2)
    let baseline = try Self.model(
      [shared], literals: [.floats(values, shape: shape)], isMLPackage: false)
    let candidate = try Self.model([shared, Self.table("numbers", 2)], isMLPackage: true)
    let found = try WeightMatching(baseline: baseline, candidate: candidate)
    #expect(
      found.faults.map(\.sentence)
        == (isKnown
          ? [] : ["the candidate's graph uses a weight 'numbers' that the baseline's does not"]))
  }
}
