import Graph
import ModelFixtures
import StrictJSON
import Testing

@testable import Gate
@testable import Inputs

/// Features that never change say nothing of what they are multiplied with; of large ones 32 bits lose a part.
struct ConstantFeaturesTests {
  private static func slot(_ rows: [[Double]]) throws -> (EncoderSlot, ReferenceSet) {
    let text = rows.map { #"{"input": {"values": \#($0)}}"# }.joined(separator: "\n")
    let references = try ReferenceSet(bytes: Array(text.utf8), origin: "r.jsonl")
    let model = try denseModel([[1, 2, 3]])
    let slot = EncoderSlot(
      kind: .values, baseline: model, candidate: nil, inputs: Array(references.inputs.indices),
      isOfSeveral: false)
    return (slot, references)
  }

  private static func warning(_ rows: [[Double]]) throws -> String? {
    let (slot, references) = try Self.slot(rows)
    let found = ConstantFeature.all(of: slot, references)
    return found.isEmpty
      ? nil : GateWarning.references(.constantFeatures(found)).sentence
  }

  @Test func areSaid() throws {
    #expect(
      try Self.warning([[3, 1, 0.5], [4, 1, 0.5], [5, 1, 0.5]])
        == "all references have one value of 'x1' (1), 'x2' (0.5): what the model makes of "
        + "others was not judged")
  }

  @Test func areNoneWhereAllChange() throws {
    #expect(try Self.warning([[3, 1, 0.5], [4, 0, 0.25]]) == nil)
  }

  private static func coarse(_ rows: [[Double]]) throws -> [CoarseFeature] {
    let (slot, references) = try Self.slot(rows)
    return CoarseFeature.all(of: slot, references)
  }

  /// Seconds since 1970 within 16 minutes: numbers of 32 bits are 128 apart there. Within a year nothing is lost
  /// that matters, and whole numbers that 32 bits hold lose nothing however near they are.
  @Test func valuesThat32BitsHoldCoarselyAreSaid() throws {
    let start = 1_700_000_000.0
    let found = try Self.coarse([
      [start, start, 16_777_214], [start + 999, start + 3e7, 16_777_215],
      [start + 70, start + 1e6, 16_777_216],
    ])
    #expect(found == [CoarseFeature(name: "x0", step: 128, range: 999)])
    let warning = GateWarning.references(.coarseFeatures(found))
    #expect(
      warning.sentence
        == "32 bits hold the values of 'x0' (steps of 128 in a range of 999) coarsely: a library "
        + "that computes in 64 bits gives other outputs; take a fixed number from such a feature "
        + "before training and in the app"
    )
    #expect(
      warning.json.compact.hasPrefix(
        #"{"features":[{"name":"x0","range":999.0,"step":128.0}],"id":"coarse-features","#))
  }

  @Test func negativeValuesAreLookedAt() throws {
    let found = try Self.coarse([[-20_000_001.25, 1, 1], [-20_000_003.5, 1, 1]])
    #expect(found == [CoarseFeature(name: "x0", step: 2, range: 2.25)])
  }
}
