import StrictJSON
import Weights

/// Hugging Face's DebertaV2Model, of DeBERTa-v2 and v3: attention between contents and distances.
///
/// Source: He et al. 2020, arXiv:2006.03654, and 2021, arXiv:2111.09543, and the file layout of
/// Hugging Face transformers.
package struct DebertaV2: TransformerArchitecture {
  package static let name = "deberta-v2"

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer {
    try DebertaV2Shape(config, weights: weights)
  }

  static func head(_ task: HeadTask, _ config: JSONObject) throws -> ClassifierHead? {
    guard task == .texts else { return .everyToken }
    let hidden = try config.integer(hiddenKey, usual: 1536, in: 1...1 << 20)
    let pooled = try config.integer("pooler_hidden_size", usual: hidden, in: 1...1 << 20)
    guard pooled == hidden else {
      throw config.error(
        "'pooler_hidden_size' is \(pooled), 'hidden_size' \(hidden); the library fails where they "
          + "differ", at: try config.required("pooler_hidden_size").position)
    }
    return ClassifierHead(
      layer: .init(
        name: "pooler.dense",
        activation: try TransformerActivation(config, key: "pooler_hidden_act")))
  }
}

extension DebertaV2Shape: TextTransformer {
  func readingTypes() -> any TextTransformer {
    var copy = self
    copy.readsTypes = segments > 1
    return copy
  }

  func states(batch: Int, length: Int) throws(GraphError) -> TokenStates {
    var builder = DebertaV2Graph(model: self, batch: batch, length: length)
    return try builder.build()
  }
}
