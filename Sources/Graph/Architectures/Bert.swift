/// Hugging Face's BertModel with the pooling and normalisation that sentence-transformers'
/// `modules.json` prescribes.
///
/// Source: the model's published equations (Devlin et al. 2018, arXiv:1810.04805) and the file
/// layout of Hugging Face transformers and sentence-transformers.
package struct Bert: RecognisedArchitecture {
  /// How the token vectors become one sentence vector.
  package enum Pooling: String, CaseIterable, Sendable {
    case mean = "pooling_mode_mean_tokens"
    case firstToken = "pooling_mode_cls_token"
    case maximum = "pooling_mode_max_tokens"
  }

  /// The activation between the two linear layers of a block.
  enum Activation: Sendable {
    case gelu(Gelu.Mode)
    case relu
  }

  package static let name = "bert"
  package static let signature = "config.json with \"model_type\": \"bert\""

  let layers: Int
  let heads: Int
  let hidden: Int
  let intermediate: Int
  let vocabulary: Int
  let positions: Int
  let segments: Int
  let epsilon: Float
  let activation: Activation
  /// What stands before the names of all weights: empty or `bert.`.
  let prefix: String
  package let pooling: Pooling
  package let normalises: Bool
  /// Tokens a text is cut to.
  package let maximumLength: Int
  package let describingFiles: [String]

  package var input: ModelInput {
    .tokens(maximumLength: maximumLength, vocabulary: vocabulary)
  }
  package var output: ModelOutput { .embedding(width: hidden) }
  package var outputName: String { "embedding" }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var builder = BertGraph(bert: self, batch: batch, length: length)
    return try builder.build()
  }
}
