import StrictJSON
import Weights

/// A transformer with the head that transformers calls `…ForSequenceClassification`: from a text to
/// the probabilities of labels, or to numbers.
///
/// Source: the file layout of Hugging Face transformers, and the numbers of its pipeline
/// `text-classification`.
package struct TextClassifier: RecognisedArchitecture {
  package static let name = "text-classifier"
  package static let signature =
    "config.json whose \"architectures\" is …\(HeadTask.texts.rawValue) of a text encoder, without "
    + "modules.json"

  let transformer: any TextTransformer
  let head: ClassifierHead
  let task: ClassifierTask
  /// Tokens a text is cut to.
  let maximumLength: Int
  package let describingFiles: [String]

  package var input: ModelInput {
    .tokens(maximumLength: maximumLength, vocabulary: transformer.vocabulary)
  }
  package var output: ModelOutput { task.output }
  package var outputName: String { if case .classes = output { "label" } else { "score" } }

  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> TextClassifier? {
    guard let model = try HeadedModel(files), model.task == .texts else { return nil }
    try refusePairs(model.config, files)
    let task = try ClassifierTask(model.config)
    let parts = try model.read(files, weights: weights, labels: task.labels.count)
    return TextClassifier(
      transformer: parts.transformer, head: model.head, task: task,
      maximumLength: parts.maximumLength, describingFiles: parts.describingFiles)
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

  /// Refuses cross-encoders: a text alone is not what they were trained for.
  private static func refusePairs(_ config: JSONObject, _ files: ModelFiles) throws {
    let notes = ["sentence_transformers", "sbert_ce_default_activation_function"]
    let sentence = try files.object(SentencePrompts.file)
    guard
      notes.contains(where: config.has)
        || sentence?["model_type"]?.string == "CrossEncoder"
    else { return }
    throw ModelError.unsupported(
      place: config.origin, found: "a cross-encoder, which reads two texts at once,",
      supported: "classifiers of one text")
  }
}
