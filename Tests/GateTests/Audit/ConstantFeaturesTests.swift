import Graph
import ModelFixtures
import Testing

@testable import Gate
@testable import Inputs

/// Features that never change say nothing of what they are multiplied with.
struct ConstantFeaturesTests {
  private static func warning(_ rows: [[Float]]) throws -> String? {
    let text = rows.map { #"{"input": {"values": \#($0)}}"# }.joined(separator: "\n")
    let references = try ReferenceSet(bytes: Array(text.utf8), origin: "r.jsonl")
    let model = try denseModel([[1, 2, 3]])
    let slot = EncoderSlot(
      kind: .values, baseline: model, candidate: nil, inputs: Array(references.inputs.indices),
      isOfSeveral: false)
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
}
