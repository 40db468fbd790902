import Gate
import Graph
import Inputs
import ModelFixtures
import Testing
import Weights

@testable import Explanation

/// Candidates with the weights of their baseline and another setting beside them.
struct OtherComputationTests {
  struct Setting: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let file: String
    let text: String
    let words: String
  }

  private static func configured(
    _ name: String, _ old: String, _ new: String, _ words: String
  ) -> Setting {
    Setting(
      testDescription: name, file: "config.json",
      text: TinyBert.config.replacing(old, with: new), words: words)
  }

  static let settings = [
    Setting(
      testDescription: "pooling", file: "1_Pooling/config.json",
      text: #"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#,
      words: "pools the vectors of tokens by cls, the baseline by mean"),
    configured(
      "activation", #""gelu""#, #""relu""#,
      "computes 'layer0_active' (relu) where the baseline computes "
        + "'layer0_active' (gelu)"),
    configured(
      "heads", #""num_attention_heads": 2"#, #""num_attention_heads": 4"#,
      "computes 'layer0_query_split' (reshape, shape [1, 10, 4, 2]) where the baseline computes "
        + "'layer0_query_split' (reshape, shape [1, 10, 2, 4])"),
    configured(
      "epsilon", #""layer_norm_eps": 1e-12"#, #""layer_norm_eps": 0.5"#,
      "computes 'embeddings_norm' (layer_norm, epsilon 0.5) where the baseline computes "
        + "'embeddings_norm' (layer_norm, epsilon 1e-12)"),
  ]

  private func judge(
    _ candidate: Model, against baseline: Model? = nil
  ) throws -> (verdict: Verdict, explanation: Explanation) {
    var references = try TinyBert.references()
    references.isFewMeant = true
    let trained = try baseline ?? TinyBert.model()
    var gate = Gate(on: references, try Limits(profile: .strict), threshold: nil, jobs: 1)
    gate.attribution = .always
    let verdict = try gate.judge(.models([candidate]), against: .models([trained]))
    let explanation = try Explanation(
      of: verdict, by: gate, .models([candidate]), against: .models([trained]), jobs: 1)
    return (verdict, explanation)
  }

  @Test(arguments: settings)
  func isNamedFirstAndTheBaselinesFilesMendIt(_ setting: Setting) throws {
    let candidate = try TinyBert.model(
      origin: "candidate", files: [setting.file: Array(setting.text.utf8)])
    let (verdict, explanation) = try judge(candidate)
    #expect(!verdict.isPassed)
    #expect(verdict.reasons.contains("the candidate \(setting.words)"), "\(verdict.reasons)")
    let first = try #require(explanation.culprits.first)
    #expect(first.subject == .program)
    #expect(first.kind == .program)
    #expect(first.words == setting.words)
    let mend = try #require(explanation.mend)
    #expect(mend.isInside && mend.exchangesFiles, "\(mend.sentence)")
  }

  /// Of a candidate whose weights are at fault no setting is blamed.
  @Test func theSameSettingsAreNotNamed() throws {
    let candidate = try TinyBert.model(origin: "candidate") { weights in
      weights.tensors["encoder.layer.1.output.dense.weight"]?.values[3] += 9
    }
    let (verdict, explanation) = try judge(candidate)
    #expect(!verdict.isPassed)
    #expect(!explanation.culprits.isEmpty)
    #expect(explanation.culprits.allSatisfy { $0.subject != .program }, "\(explanation.culprits)")
  }

  /// The files and the weight together are the baseline; neither alone is enough.
  @Test func aDamagedWeightBesideAnotherSettingIsMendedWithIt() throws {
    let setting = Self.settings[0]
    let candidate = try TinyBert.model(
      origin: "candidate", files: [setting.file: Array(setting.text.utf8)]
    ) { weights in
      let name: TensorName = "encoder.layer.1.output.dense.weight"
      let values = weights.tensors[name]?.values ?? []
      weights.tensors[name]?.values = values.map { $0 * 1.5 }
    }
    let (verdict, explanation) = try judge(candidate)
    #expect(verdict.reasons.contains("the candidate \(setting.words)"), "\(verdict.reasons)")
    let kinds = explanation.culprits.prefix(2).map(\.kind)
    #expect(kinds == [.program, .scaled])
    // What is left without the weight is not known where the setting makes drift, too.
    #expect(verdict.causes?.together?.left.isFinite == false, "\(verdict.reasons)")
    let mend = try #require(explanation.mend)
    #expect(mend.isInside && mend.exchangesFiles && mend.repairs.count == 1, "\(mend.sentence)")
    #expect(
      mend.sentence.hasPrefix(
        "the baseline's own files beside the weights and taking "
          + "'encoder.layer.1.output.dense.weight' from the model as trained (+"),
      "\(mend.sentence)")
  }

  /// A weight of so few digits that strict limits are missed.
  private static func round(_ weights: inout MemoryWeights) {
    let values = weights.tensors[other]?.values ?? []
    weights.tensors[other]?.values = values.map { ($0 * 2).rounded() / 2 }
  }

  @Test func aSettingThatMovesNothingIsNotBlamedForRounding() throws {
    let config = TinyBert.config.replacing(
      #""layer_norm_eps": 1e-12"#, with: #""layer_norm_eps": 1e-10"#)
    let candidate = try TinyBert.model(
      origin: "candidate", files: ["config.json": Array(config.utf8)]
    ) { Self.round(&$0) }
    let (verdict, explanation) = try judge(candidate)
    #expect(!verdict.isPassed)
    #expect(verdict.culprits.allSatisfy { $0.subject != .program }, "\(verdict.reasons)")
    let mend = try #require(explanation.mend)
    #expect(!mend.exchangesFiles && !mend.repairs.isEmpty, "\(mend.sentence)")
  }

  @Test func roundingBesideAnotherSettingIsMendedWithTheFiles() throws {
    let setting = Self.settings[0]
    let candidate = try TinyBert.model(
      origin: "candidate", files: [setting.file: Array(setting.text.utf8)]
    ) { Self.round(&$0) }
    let (_, explanation) = try judge(candidate)
    #expect(explanation.culprits.first?.words == setting.words)
    let mend = try #require(explanation.mend)
    #expect(mend.isInside && mend.exchangesFiles && !mend.repairs.isEmpty, "\(mend.sentence)")
  }

  private static let zeroed: TensorName = "encoder.layer.0.output.dense.weight"
  private static let other: TensorName = "encoder.layer.1.output.dense.weight"

  private static func damage(_ weights: inout MemoryWeights, by factor: Float) {
    for (name, factor) in [(zeroed, 0), (other, factor)] {
      let values = weights.tensors[name]?.values ?? []
      weights.tensors[name]?.values = values.map { $0 * factor }
    }
  }

  /// A candidate with a weight of zeros is not run; what else is wrong shows without it.
  @Test func whatIsBehindAZeroedWeightIsFound() throws {
    let candidate = try TinyBert.model(origin: "candidate") { Self.damage(&$0, by: -1) }
    let (verdict, explanation) = try judge(candidate)
    #expect(verdict.causes == nil)
    #expect(explanation.culprits.map(\.weight) == [Self.zeroed, Self.other])
    #expect(explanation.culprits.map(\.kind) == [.zeroed, .negated])
    let mend = try #require(explanation.mend)
    #expect(mend.isInside && !mend.exchangesFiles, "\(mend.sentence)")
    #expect(mend.repairs.map(\.place.name) == [Self.zeroed, Self.other])
  }

  /// Nothing that is done to a candidate mends its baseline.
  @Test func aBaselineAtFaultIsSaid() throws {
    let broken = try TinyBert.model { $0.tensors[Self.other]?.values[3] = .nan }
    let (_, explanation) = try judge(broken, against: broken)
    #expect(explanation.mend == nil)
    #expect(explanation.whyNoMend == "the baseline itself is at fault")
    let (_, other) = try judge(try TinyBert.model(), against: broken)
    #expect(other.whyNoMend == "the baseline itself is at fault")
  }

  @Test func aSettingBehindAZeroedWeightIsFound() throws {
    let setting = Self.settings[0]
    let candidate = try TinyBert.model(
      origin: "candidate", files: [setting.file: Array(setting.text.utf8)]
    ) { Self.damage(&$0, by: 1.5) }
    let (_, explanation) = try judge(candidate)
    #expect(explanation.culprits.map(\.kind) == [.zeroed, .program, .scaled])
    let mend = try #require(explanation.mend)
    #expect(mend.isInside && mend.exchangesFiles, "\(mend.sentence)")
    #expect(mend.repairs.map(\.place.name) == [Self.zeroed, Self.other])
  }
}
