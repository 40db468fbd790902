import ModelFixtures
import Testing
import TestSupport
import Weights

@testable import Graph

/// What OpenCLIP's configurations may say of transformers beside their sizes.
struct OpenClipOptionsTests {
  private func encoder(
    image: String = "", text: String = "", weights: [String: [Int]], model: String = ""
  ) throws -> ClipEncoder? {
    let config = """
      {"model_cfg": {"embed_dim": 6, \(model)
         "vision_cfg": {\(image) "image_size": 8, "layers": 2, "width": 12, "patch_size": 4,
           "head_width": 4},
         "text_cfg": {\(text) "context_length": 7, "vocab_size": 20, "width": 8, "heads": 2,
           "layers": 1}}}
      """
    return try ClipEncoder.encoders(
      files(["open_clip_config.json": config, "tokenizer.json": "{}"]),
      weights: ShapesOnly(named: weights)
    ).first
  }

  private static let image = ["visual.conv1.weight": [12, 3, 4, 4]]
  private static let text = ["text.token_embedding.weight": [20, 8]]

  private func image(_ options: String) throws -> ModelGraph {
    try #require(try encoder(image: options, weights: Self.image)).graph(batch: 2, length: 1)
  }

  private func text(_ options: String, length: Int) throws -> ModelGraph {
    try #require(try encoder(text: options, weights: Self.text)).graph(batch: 2, length: length)
  }

  private func shape(_ name: String, _ graph: ModelGraph) -> [Int]? {
    graph.nodes.first { $0.name == name }?.type.shape
  }

  @Test func clipaPoolsPatchesByTheirMean() throws {
    let graph = try image(#""no_ln_pre": true, "pool_type": "avg", "final_ln_after_pool": true,"#)
    #expect(shape("tokens_norm", graph) == nil && shape("tokens_last_norm", graph) == nil)
    #expect(shape("patch_states", graph) == [2, 4, 12] && shape("pooled_norm", graph) == [2, 12])
  }

  @Test func theMeanIsThatOfNormalisedTokensElse() throws {
    let graph = try image(#""pool_type": "avg","#)
    #expect(shape("tokens_last_norm", graph) == [2, 5, 12] && shape("pooled_norm", graph) == nil)
  }

  /// One query counts with the class token's pooling, all others with the mean.
  @Test func queriesTakeThePlaceOfTokens() throws {
    let options = #""attentional_pool": true, "attn_pooler_queries": 4, "attn_pooler_heads": 2,"#
    #expect(shape("pool_norm", try image(options)) == [2, 1, 6])
    #expect(shape("pool_norm", try image(options + #""pool_type": "avg","#)) == [2, 3, 6])
  }

  @Test func gainsMultiplyWhatPartsAdd() throws {
    let names = try image(#""ls_init_value": 0.1,"#).weights.map(\.name)
    #expect(names.contains("visual.transformer.resblocks.1.ls_2.gamma"))
  }

  /// Padding is seen where no mask hides later tokens, or where the last place is that of the vector.
  @Test(arguments: [
    (#""no_causal_mask": true,"#, 7), (#""pool_type": "last","#, 7), ("", 4),
    (#""pool_type": "first","#, 4),
  ])
  func textsAreFilledWherePaddingIsSeen(options: String, tokens: Int) throws {
    #expect(shape("words_placed", try text(options, length: 4)) == [2, tokens, 8])
  }

  /// CoCa's vector sees the text, itself, and one token of padding if there is room.
  @Test(arguments: [(4, 6), (7, 8)])
  func cocaSeesOneTokenOfPadding(length: Int, tokens: Int) throws {
    let graph = try text(#""embed_cls": true,"#, length: length)
    #expect(shape("mask", graph) == [2, 1, tokens, tokens])
    #expect(
      graph.weights.contains { $0.shape == [8, 8] && $0.name == "text.positional_embedding" })
  }

  @Test(arguments: [
    (#""attentional_pool": "parallel","#, "'attentional_pool': 'parallel' is not supported"),
    (#""pool_type": "none","#, "'pool_type': 'none' is not supported; supported: tok, avg"),
    (#""act_kwargs": {"slope": 1},"#, "the key 'slope'"),
    (#""act_kwargs": {"approximate": "sin"},"#, "'act_kwargs': 'sin' is not supported"),
    (#""norm_kwargs": {"bias": false},"#, "the key 'bias'"),
    (#""qk_norm": true,"#, "'qk_norm' is true"),
  ])
  func refusesOfImages(options: String, words: String) {
    let text = message { _ = try encoder(image: options, weights: Self.image) }
    #expect(text?.contains(words) == true, "\(text ?? "nothing")")
  }

  @Test(arguments: [
    (#""embed_cls": true, "pad_id": 3,"#, "'pad_id': '3' is not supported; supported: 0"),
    (#""embed_cls": true, "no_causal_mask": true,"#, "supported: false beside embed_cls"),
    (#""pool_type": "eos", "eos_id": 20,"#, "'eos_id' is 20, 'vocab_size' is 20"),
    (#""proj_type": "mlp","#, "'proj_type': 'mlp' is not supported; supported: linear, none"),
    (#""hf_tokenizer_name": "x", "tokenizer_kwargs": {"language": "fr"},"#, "the key 'language'"),
    (
      #""hf_tokenizer_name": "x", "tokenizer_kwargs": {"clean": "upper"},"#,
      "'clean': 'upper' is not supported; supported: whitespace, lower, canonicalize"
    ),
  ])
  func refusesOfTexts(options: String, words: String) {
    let text = message { _ = try encoder(text: options, weights: Self.text) }
    #expect(text?.contains(words) == true, "\(text ?? "nothing")")
  }
}
