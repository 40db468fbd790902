import Graph
import Testing
import Weights

@testable import WeightCompression

struct EqualTensorsTests {
  @Test func groupsKeepTheOrderOfTheirFirst() {
    let keys = [1, 2, nil, 1, 2, 1, 3, nil]
    #expect(EqualTensors.groups(keys) { _, _ in true } == [[0, 3, 5], [1, 4]])
    #expect(EqualTensors.groups(keys) { _, _ in false } == [])
    #expect(EqualTensors.groups([Int?](), areEqual: { _, _ in true }) == [])
  }

  /// Equal keys prove nothing.
  @Test func contentDecides() {
    let content = ["a", "b", "a", "b", "a"]
    let groups = EqualTensors.groups([0, 0, 0, 0, 0]) { content[$0] == content[$1] }
    #expect(groups == [[0, 2, 4], [1, 3]])
  }

  @Test func bitsAreCompared() {
    #expect(EqualTensors.areSame([1, .nan], [1, .nan]))
    #expect(!EqualTensors.areSame([0], [-0.0]))
    #expect(!EqualTensors.areSame([1], [1, 1]))
    #expect(EqualTensors.areSame([], []))
    let long = (0..<999).map(Float.init)
    #expect(EqualTensors.areSame(long, long.map { $0 }))
    #expect(!EqualTensors.areSame(long, long.dropLast() + [1]))
  }

  @Test func hashesTellPlacesApart() {
    let values = (0..<37).map { Float($0) }
    let hash = ContentHash(values)
    #expect(hash == ContentHash(values.map { $0 }))
    for place in values.indices {
      var other = values
      other[place] += 0.5
      #expect(ContentHash(other) != hash, "place \(place)")
      other = values
      other.swapAt(place, (place + 1) % 37)
      #expect(ContentHash(other) != hash, "swap at \(place)")
    }
    #expect(ContentHash([]) == ContentHash([]))
  }

  private func tensor(_ name: TensorName, _ use: DiagnosedTensor.Use) -> DiagnosedTensor {
    DiagnosedTensor(name, [2], use, type: "F32", isInteger: false)
  }

  @Test func tiedWeightsAreStoredOnce() {
    let finding = EqualTensors.finding([
      tensor("a", .weight(.tokenTable)), tensor("b", .weight(.matrix(outputAxis: 0))),
    ])
    #expect(
      finding
        == Finding(
          .tied, .note, "a", "equal to 'b'", "stored once", [.count("count", 2)], others: ["b"]))
    let third = EqualTensors.finding([
      tensor("x", .unused("unused")), tensor("a", .weight(.norm)), tensor("b", .weight(.norm)),
    ])
    #expect(third?.id == .tied)
    #expect(third?.tensor == "a")
    #expect(third?.fact == "equal to 'b', 'x'")
    // Small weights are not worth it.
    #expect(third?.action == "each is stored; what the model does not use is left out")
  }

  @Test func duplicatesThatAreNotUsedAreLeftOut() {
    let finding = EqualTensors.finding([
      tensor("a", .unused("unused")), tensor("b", .weight(.tokenTable)),
    ])
    #expect(finding?.id == .duplicate)
    #expect(finding?.tensor == "b")
    #expect(finding?.others == ["a"])
    #expect(finding?.action == "stored once; the model does not use the others")
  }

  @Test func whatNoModelUsesIsNotWorthAWord() {
    #expect(EqualTensors.finding([tensor("a", .unused("x")), tensor("b", .unused("y"))]) == nil)
    #expect(EqualTensors.finding([tensor("a", .weight(.bias))]) == nil)
    let bare = EqualTensors.finding([tensor("a", .unknown), tensor("b", .unknown)])
    #expect(bare?.id == .duplicate)
    #expect(bare?.action == "stored once where a model uses several")
  }
}
