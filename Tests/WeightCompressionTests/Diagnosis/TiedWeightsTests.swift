import Graph
import Testing
import Weights

@testable import WeightCompression

struct TiedWeightsTests {
  private func weights(_ source: ArraySource, role: WeightRole = .norm) -> [WeightReference] {
    source.tensors.map { WeightReference($0.name, $0.shape, role: role) }
  }

  @Test func laterNamesPointToTheFirst() throws {
    let source = ArraySource(tensors: [
      ("z", [2, 2], [1, 2, 3, 4]), ("a", [2, 2], [1, 2, 3, 4]), ("b", [4], [1, 2, 3, 4]),
      ("c", [2, 2], [1, 2, 3, 5]), ("d", [2, 2], [1, 2, 3, 4]), ("e", [4], [1, 2, 3, 4]),
    ])
    let tied = try TiedWeights(weights(source), in: source)
    #expect(tied.groups.map { $0.map(\.name) } == [["z", "a", "d"], ["b", "e"]])
    #expect(
      ["z", "a", "b", "c", "d", "e", "other"].map(tied.first)
        == ["z", "z", "b", "c", "z", "b", "other"])
  }

  @Test func zerosOfEitherSignAreNotTied() throws {
    let source = ArraySource(tensors: [("a", [1], [0]), ("b", [1], [-0.0])])
    #expect(try TiedWeights(weights(source), in: source).groups.isEmpty)
  }

  @Test func namesAreToldApartByTheirBytes() throws {
    let source = ArraySource(tensors: [("\u{E9}", [1], [1]), ("x", [1], [1])])
    let tied = try TiedWeights(
      [WeightReference("x", [1], role: .norm), WeightReference("\u{E9}", [1], role: .norm)],
      in: source)
    #expect(tied.first(of: "\u{E9}") == "x")
    #expect(tied.first(of: "e\u{301}").text.utf8.elementsEqual("e\u{301}".utf8))
  }

  /// A weight whose shape no other has is not read, nor one that is not there.
  @Test func onlyWhatCouldBeTiedIsRead() throws {
    var source = ArraySource(tensors: [
      ("unreadable", [3], [1, 2, 3]), ("a", [2], [1, 2]), ("b", [2], [1, 2]),
    ])
    let references = weights(source) + [WeightReference("missing", [2], role: .norm)]
    #expect(try TiedWeights(references, in: source).first(of: "b") == "a")
    source.tensors.append(("c", [3], [1, 2, 3]))
    #expect(throws: ArraySource.Unreadable(name: "unreadable")) {
      try TiedWeights(weights(source), in: source)
    }
  }

  @Test func nothingIsTiedInNothing() throws {
    let source = ArraySource(tensors: [("a", [0], []), ("b", [0], [])])
    #expect(try TiedWeights([], in: source).groups.isEmpty)
    #expect(try TiedWeights(weights(source), in: source).first(of: "b") == "a")
  }
}
