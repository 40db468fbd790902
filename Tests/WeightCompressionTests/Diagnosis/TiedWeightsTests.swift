import Graph
import ModelFixtures
import Testing
import Weights

@testable import WeightCompression

struct TiedWeightsTests {
  /// Weights of a source, in this order.
  private func weights(_ names: TensorName..., of source: MemoryWeights) -> [WeightReference] {
    names.map { WeightReference($0, source.shape(of: $0) ?? [], role: .norm) }
  }

  @Test func laterNamesPointToTheFirst() throws {
    let source = MemoryWeights(tensors: [
      "z": ([2, 2], [1, 2, 3, 4]), "a": ([2, 2], [1, 2, 3, 4]), "b": ([4], [1, 2, 3, 4]),
      "c": ([2, 2], [1, 2, 3, 5]), "d": ([2, 2], [1, 2, 3, 4]), "e": ([4], [1, 2, 3, 4]),
    ])
    let tied = try TiedWeights(
      weights("z", "a", "b", "c", "d", "e", of: source), in: source)
    #expect(tied.groups.map { $0.map(\.name) } == [["z", "a", "d"], ["b", "e"]])
    #expect(
      ["z", "a", "b", "c", "d", "e", "other"].map(tied.first)
        == ["z", "z", "b", "c", "z", "b", "other"])
  }

  @Test func zerosOfEitherSignAreNotTied() throws {
    let source = MemoryWeights(tensors: ["a": ([1], [0]), "b": ([1], [-0.0])])
    #expect(try TiedWeights(weights("a", "b", of: source), in: source).groups.isEmpty)
  }

  @Test func namesAreToldApartByTheirBytes() throws {
    let source = MemoryWeights(tensors: ["\u{E9}": ([1], [1]), "x": ([1], [1])])
    let tied = try TiedWeights(
      [WeightReference("x", [1], role: .norm), WeightReference("\u{E9}", [1], role: .norm)],
      in: source)
    #expect(tied.first(of: "\u{E9}") == "x")
    #expect(tied.first(of: "e\u{301}").text.utf8.elementsEqual("e\u{301}".utf8))
  }

  /// A weight whose shape no other has is not read, nor one that is not there.
  @Test func onlyWhatCouldBeTiedIsRead() throws {
    var source = MemoryWeights(tensors: [
      "unreadable": ([3], [1, 2, 3]), "a": ([2], [1, 2]), "b": ([2], [1, 2]),
    ])
    source.unreadable = ["unreadable"]
    let references =
      weights("unreadable", "a", "b", of: source) + [WeightReference("missing", [2], role: .norm)]
    #expect(try TiedWeights(references, in: source).first(of: "b") == "a")
    source.tensors["c"] = ([3], [1, 2, 3])
    #expect(throws: MemoryWeights.Unreadable(name: "unreadable")) {
      try TiedWeights(weights("unreadable", "a", "b", "c", of: source), in: source)
    }
  }

  @Test func nothingIsTiedInNothing() throws {
    let source = MemoryWeights(tensors: ["a": ([0], []), "b": ([0], [])])
    #expect(try TiedWeights([], in: source).groups.isEmpty)
    #expect(try TiedWeights(weights("a", "b", of: source), in: source).first(of: "b") == "a")
  }
}
