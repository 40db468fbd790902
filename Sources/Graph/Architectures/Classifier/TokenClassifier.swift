import StrictJSON
import Weights

/// A transformer with the head that transformers calls `…ForTokenClassification`: from a text to the
/// probabilities of labels for each of its tokens.
///
/// Every token counts that is not padding, those that the tokenizer puts around a text included.
///
/// Source: the file layout of Hugging Face transformers, and the softmax of its pipeline
/// `token-classification`.
package struct TokenClassifier: RecognisedArchitecture {
  package static let name = "token-classifier"
  package static let signature =
    "config.json whose \"architectures\" is …\(HeadTask.tokens.rawValue) of a text encoder, without "
    + "modules.json"

  let transformer: any TextTransformer
  let head: ClassifierHead
  let labels: [String]
  /// Tokens a text is cut to.
  let maximumLength: Int
  package let describingFiles: [String]

  package var input: ModelInput {
    .tokens(maximumLength: maximumLength, vocabulary: transformer.vocabulary)
  }
  package var output: ModelOutput {
    .tokenClasses(labels: .texts(labels), tokens: maximumLength)
  }
  package var outputName: String { "token_probabilities" }

  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> TokenClassifier? {
    guard let model = try HeadedModel(files), model.task == .tokens else { return nil }
    let labels = try ClassifierTask.labels(model.config)
    guard labels.count > 1 else {
      throw model.config.error(
        "there is one label, which every token has; a classifier of tokens needs two",
        at: (model.config["id2label"] ?? model.config["num_labels"])?.position
          ?? model.config.position)
    }
    let parts = try model.read(files, weights: weights, labels: labels.count)
    return TokenClassifier(
      transformer: parts.transformer, head: model.head, labels: labels,
      maximumLength: parts.maximumLength, describingFiles: parts.describingFiles)
  }

  /// The output is [B, S, labels]; the numbers of padding, which mean nothing, are made zeros.
  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var end = try HeadGraph(
      head, labels: labels.count, behind: transformer, batch: batch, length: length)
    let logits = try end.logits()
    let mask = end.tokens.mask
    var graph = end.graph
    let all = try graph.append("all_scores", Softmax(logits))
    let wide = try graph.append("token_mask", ExpandDims(mask, axes: [2]))
    let scores = try graph.append("scores", ElementwiseBinary(.mul, all, wide))
    return try graph.finish(output: scores)
  }
}
