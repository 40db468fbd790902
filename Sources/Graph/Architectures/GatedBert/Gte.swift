import StrictJSON
import Weights

/// GTE v1.5, of transformers, and of the program that the first models came with, where it is called
/// `new`.
///
/// Source: Zhang et al. 2024, arXiv:2407.19669, and the file layouts of Hugging Face transformers and
/// of Alibaba-NLP's `new-impl`.
package struct Gte: TransformerArchitecture {
  package static let name = "gte"
  package static let modelTypes = [name, "new"]
  package static var signature: String {
    "config.json with \"model_type\": \"gte\" or \"new\""
  }

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer {
    var shape = try shape(config, isFirst: isFirst(config))
    try shape.readWeights(
      weights, config, prefixes: isFirst(config) ? ["gte", "new"] : ["new", "gte"])
    return shape
  }

  static func head(_ task: HeadTask, _ config: JSONObject) throws -> ClassifierHead? {
    guard !isFirst(config) else { throw ClassifierHead.ofFirstProgram(task, config) }
    return task == .texts ? .pooler("pooler.dense") : .everyToken
  }

  private static func isFirst(_ config: JSONObject) -> Bool {
    config["model_type"]?.string == "new"
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
