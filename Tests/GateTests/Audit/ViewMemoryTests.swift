import Graph
import ModelFixtures
import TestSupport
import Testing
import Tokenization
import Weights

@testable import Gate
@testable import Inputs

/// Texts are tokenised once for models that prepare them alike, and anew for any other.
struct ViewMemoryTests {
  /// Texts of models that prepare them alike are tokenised once, and what is kept is what runs.
  @Test func textsAreTokenisedOnce() throws {
    let model = try TinyBert.model()
    let candidates = try [1.0001, 1.0002].map { factor in
      try TinyBert.model(origin: "candidate") { weights in
        weights.change("encoder.layer.0.output.dense.weight") { $0 * Float(factor) }
      }
    }
    func receipt(_ candidate: Model, _ set: ReferenceSet) throws -> DriftReceipt? {
      try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge([candidate], against: [model])
        .receipt
    }
    let set = try TinyBert.references()
    for candidate in candidates {
      let (known, fresh) = (
        try receipt(candidate, set), try receipt(candidate, TinyBert.references())
      )
      #expect(known != nil && known == fresh)
    }
    let reader = try ViewMemory.Reader(candidates[1])
    let tokens = try #require(set.views.tokens(of: set.inputs, by: reader))

    let planted = try TinyBert.references()
    planted.views.keep(
      planted.inputs.map { _ in .tokens(tokens[0]) }, of: planted.inputs, by: reader)
    #expect(throws: EvaluationError.self) { try receipt(candidates[0], planted) }
    let runner = try ModelRunner(model: model, jobs: 1)
    let outputs = try runner.outputs(for: set.inputs).values
    #expect(try runner.outputs(for: set.inputs, tokens: tokens).values == outputs)
    #expect(try runner.outputs(for: set.inputs, tokens: tokens.reversed()).values != outputs)
  }

  /// A model of the same architecture whose tokenizer is read from other bytes, as where a package says
  /// something itself, is another reader.
  @Test(arguments: TokenizerFiles.Name.allCases.filter { !TokenizerFiles.Name.pieces.contains($0) })
  func whatATokenizerIsReadFromTellsReadersApart(_ name: TokenizerFiles.Name) throws {
    let model = try TinyBert.model()
    let other = try Model(
      origin: "other", architecture: model.architecture,
      files: model.files.replacing(name.rawValue, by: Array("{\"model_type\": \"other\"}".utf8)),
      weights: model.weights, calibration: nil)
    #expect(try ViewMemory.Reader(model) == ViewMemory.Reader(TinyBert.model(origin: "again")))
    #expect(try ViewMemory.Reader(model) != ViewMemory.Reader(other))
  }

  /// Prompts that Unicode takes for one are two: a tokenizer may tell them apart.
  @Test func promptsAreComparedByTheirBytes() {
    let one = TextPreparation(prompt: "\u{E9}: "), two = TextPreparation(prompt: "e\u{301}: ")
    #expect(one.prompt == two.prompt)
    #expect(one != two && Set([one, two]).count == 2)
    #expect(one == TextPreparation(prompt: "\u{E9}: "))
  }
}
