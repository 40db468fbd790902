import StrictJSON
import Weights

/// GTE v1.5, of transformers, and of the program that the first models came with, where it is called
/// `new`.
///
/// Source: Zhang et al. 2024, arXiv:2407.19669, and the file layouts of Hugging Face transformers and
/// of Alibaba-NLP's `new-impl`.
package struct Gte: SentenceArchitecture {
  package static let name = "gte"
  package static let modelTypes = [name, "new"]
  package static var signature: String {
    "config.json with \"model_type\": \"gte\" or \"new\""
  }

  let shape: GatedBertShape
  package let sentence: SentenceEncoder

  package var vocabulary: Int { shape.vocabulary }

  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Gte? {
    for type in modelTypes {
      guard let reader = try SentenceReader(files, modelType: type) else { continue }
      let config = reader.config
      var shape = try shape(config, isFirst: type == "new")
      try shape.readWeights(weights, config, prefixes: ["gte", "new"])
      let model = Gte(
        shape: shape,
        sentence: try reader.encoder(hidden: shape.hidden, positions: shape.positions))
      let used = try model.graph(batch: 1, length: 1).weights.map(\.name)
      try shape.prefix.refuseBareTwins(of: used, weights, config.origin)
      try model.check(weights, of: config.origin)
      return model
    }
    return nil
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var builder = GatedBertGraph(shape, batch: batch, length: length)
    let (states, mask) = try builder.build()
    var end = SentenceGraph(sentence, behind: builder.graph, batch: batch, length: length)
    return try end.finish(states, mask)
  }

  /// - Parameter isFirst: whether the file is of the program that the first models came with.
  private static func shape(_ config: JSONObject, isFirst: Bool) throws -> GatedBertShape {
    try (isFirst ? GteKeys.first : GteKeys.current).check(config)
    let hidden = try config.integer("hidden_size", usual: 768, in: 1...1 << 20)
    let heads = try config.heads(
      "num_attention_heads", usual: 12, width: hidden, of: "hidden_size", isPaired: true)
    return GatedBertShape(
      layers: try config.integer("num_hidden_layers", usual: 12, in: 1...1000), heads: heads,
      hidden: hidden,
      intermediate: try config.integer("intermediate_size", usual: 3072, in: 1...1 << 20),
      vocabulary: try config.integer(
        "vocab_size", usual: isFirst ? 30528 : 250_048, in: 1...1 << 24),
      positions: try config.integer(
        "max_position_embeddings", usual: isFirst ? 2048 : 8192, in: 1...1 << 20),
      segments: try config.integer("type_vocab_size", usual: 1, in: 0...1 << 16),
      epsilon: Float(try config.double("layer_norm_eps", usual: 1e-12)),
      activation: try TransformerActivation(config, key: "hidden_act"),
      angles: isFirst
        ? try RotaryAngles(ntkOf: config, usual: 10_000, width: hidden / heads)
        : try RotaryAngles(config, usual: 160_000),
      biases: .init(attention: true, wide: false, narrow: true), names: .gte)
  }
}
