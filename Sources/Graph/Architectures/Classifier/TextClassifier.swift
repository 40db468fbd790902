package import Tokenization
import Weights

/// A transformer with the head that transformers calls `…ForSequenceClassification`: from a text to
/// the probabilities of labels, or to numbers; of a cross-encoder from two texts.
///
/// Source: the file layout of Hugging Face transformers, and the numbers of its pipeline
/// `text-classification`; of cross-encoders the numbers of `CrossEncoder.predict` of
/// sentence-transformers.
package struct TextClassifier: RecognisedArchitecture {
  package static let name = "text-classifier"
  package static let signature =
    "config.json whose \"architectures\" is …\(HeadTask.texts.rawValue) of a text encoder, without "
    + "modules.json or, of a cross-encoder, with its one module"

  let transformer: any TextTransformer
  let head: ClassifierHead
  let task: ClassifierTask
  /// Whether it reads two texts together.
  let readsPairs: Bool
  /// Tokens a text is cut to.
  let maximumLength: Int
  package let describingFiles: [String]

  package var input: ModelInput {
    .tokens(maximumLength: maximumLength, vocabulary: transformer.vocabulary)
  }
  package var output: ModelOutput { task.output }
  package var preparation: TextPreparation {
    TextPreparation(framing: readsPairs ? .twoTexts : .specialTokens)
  }
  package var outputName: String { if case .classes = output { "label" } else { "score" } }

  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> TextClassifier? {
    guard let model = try HeadedModel(files), model.task == .texts else { return nil }
    let pairs = try CrossEncoder(model.config, files)
    let task = try ClassifierTask(model.config, pairs: pairs)
    let parts = try model.read(files, weights: weights, labels: task.labels.count)
    let transformer = parts.transformer
    return TextClassifier(
      transformer: try pairs?.givesTypes() == true ? transformer.readingTypes() : transformer,
      head: model.head, task: task, readsPairs: pairs != nil,
      maximumLength: min(parts.maximumLength, pairs?.maximumLength ?? .max),
      describingFiles: parts.describingFiles + (pairs?.files ?? []))
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var end = try HeadGraph(
      head, labels: task.labels.count, behind: transformer, batch: batch, length: length)
    let logits = try end.logits()
    var graph = end.graph
    // Apart: the graph is read before what is inside its own call.
    let scores = try task.scores(of: logits, in: &graph)
    return try graph.finish(output: scores)
  }
}
