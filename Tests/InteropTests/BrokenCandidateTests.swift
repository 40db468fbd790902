import Formats
import Foundation
import Gate
import Graph
import Inputs
import Testing
import WeightCompression
import Weights

/// The real encoder, broken in the ways that converters break models: each is refused with its
/// reason, and the reason names the weight.
@Suite(.enabled(if: Oracle.hasMiniLM, "no oracle environment or model: run scripts/test"))
struct BrokenCandidateTests {
  struct Damage: CustomTestStringConvertible, Sendable {
    let name: String
    let apply: @Sendable (inout [Float]) -> Void
    /// Words that one of the reasons must say, besides naming the weight.
    let reason: String
    var testDescription: String { name }
  }

  static let weight: TensorName = "encoder.layer.3.intermediate.dense.weight"

  static let damages: [Damage] = [
    Damage(
      name: "all zero", apply: { $0 = $0.map { _ in 0 } }, reason: "zero"),
    Damage(name: "one NaN", apply: { $0[1234] = .nan }, reason: "not finite"),
    Damage(
      name: "rows shuffled",
      apply: { values in
        let rows = stride(from: 0, to: values.count, by: 384).map { Array(values[$0..<$0 + 384]) }
        values = rows.reversed().flatMap { $0 }
      }, reason: "rows"),
    Damage(
      name: "scales doubled", apply: { $0 = $0.map { $0 * 2 } }, reason: "2"),
  ]

  @Test(arguments: damages)
  func isRefusedAndNamed(_ damage: Damage) throws {
    let baseline = try ModelLoader.open(try #require(Oracle.miniLM))
    var values = try baseline.weights.floats(of: Self.weight)
    damage.apply(&values)
    let broken = try Model(
      origin: "broken", architecture: baseline.architecture, files: baseline.files,
      weights: ReplacedWeight(base: baseline.weights, name: Self.weight, values: values))
    let references = try ReferenceSet(
      path: "\(Oracle.repository)/specs/examples/minilm/pairs.jsonl")
    for profile in Limits.Profile.allCases {
      let verdict = try Gate(on: references, Limits(profile: profile), threshold: nil, jobs: 2)
        .judge([broken], against: [baseline])
      #expect(!verdict.isPassed)
      #expect(verdict.receipt == nil)
      #expect(
        verdict.reasons.contains { $0.contains(Self.weight.text) && $0.contains(damage.reason) },
        "\(verdict.reasons)")
    }
  }
}

/// A source with the values of one weight replaced.
struct ReplacedWeight: WeightFile {
  let base: any WeightSource
  let name: TensorName
  let values: [Float]

  var files: [String] { [] }
  func digest() -> ContentDigest { ContentDigest(of: Array("\(name) replaced".utf8)) }
  var names: [TensorName] { base.names }
  func shape(of name: TensorName) -> [Int]? { base.shape(of: name) }
  func floats(of name: TensorName) throws -> [Float] {
    try name == self.name ? values : base.floats(of: name)
  }
}
