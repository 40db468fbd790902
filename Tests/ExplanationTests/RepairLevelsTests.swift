import Gate
import Testing
import WeightCompression

@testable import Explanation

struct RepairLevelsTests {
  private func ladder(_ name: String, _ ways: (way: Repair.Way, bytes: Int)...) -> [Repair] {
    ways.map {
      Repair(
        place: MendBench.Place("\(name)", of: nil), bias: nil, way: $0.way, extraBytes: $0.bytes)
    }
  }

  private func palette(_ bits: Int) -> Repair.Way { .scheme(.palette(bits: bits, .perTensor)) }

  private func words(_ levels: RepairLevels) -> [[String]] {
    levels.levels.map { $0.map { "\($0.place.name) \($0.extraBytes)" } }
  }

  private func levels(_ ladders: [[Repair]], _ drifts: [String: Double]) -> RepairLevels {
    RepairLevels(
      ladders,
      drifts: Dictionary(drifts.map { (MendBench.Place("\($0.key)", of: nil), $0.value) }) { $1 })
  }

  /// Whoever is stored better than a level is left out of it, and whoever has no way up to it keeps its
  /// best.
  @Test func aLevelIsOfAllThatAreStoredWorse() {
    let found = levels(
      [
        ladder("a", (palette(4), 10), (palette(6), 20), (.kept, 90)),
        ladder("b", (.scheme(.int8(.perChannel)), 5), (.kept, 80)),
        ladder("c", (palette(6), 7)), ladder("d"),
      ], ["a": 1, "b": 1, "c": 1])
    #expect(
      words(found) == [
        ["a 10"], ["c 7", "a 20"], ["b 5", "c 7", "a 20"], ["c 7", "b 80", "a 90"],
      ])
  }

  @Test func whoeverMakesMostForItsBytesIsFirst() {
    let ladders = [
      ladder("large", (palette(6), 100)), ladder("small", (palette(6), 10)),
      ladder("unknown", (palette(6), 1)), ladder("same", (palette(6), 10)),
    ]
    #expect(
      words(levels(ladders, ["large": 50, "small": 2, "same": 2]))
        == [["large 100", "small 10", "same 10", "unknown 1"]])
  }

  @Test func aTableInTwoPartsIsAsGoodAsTheWorse() {
    let split = SplitScheme(
      rows: 8, first: .palette(bits: 6, .perTensor), rest: .palette(bits: 3, .perTensor))
    let found = levels(
      [ladder("a", (.scheme(.split(split)), 10), (palette(4), 20), (.kept, 90))], [:])
    #expect(words(found) == [["a 10"], ["a 20"], ["a 90"]])
  }

  @Test func whatCostsMoreThanABetterWayIsNone() {
    let found = levels(
      [ladder("a", (palette(6), 30), (.scheme(.int8(.perChannel)), 20), (.kept, 40))], [:])
    #expect(words(found) == [["a 20"], ["a 40"]])
  }
}
