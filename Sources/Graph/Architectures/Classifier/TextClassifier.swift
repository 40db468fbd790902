import StrictJSON
import Weights

/// A transformer like BERT with the head that transformers calls `…ForSequenceClassification`: from
/// a text to the probabilities of labels, or to numbers.
///
/// Source: the file layout of Hugging Face transformers, and the numbers of its pipeline
/// `text-classification`.
package struct TextClassifier: RecognisedArchitecture {
  package static let name = "text-classifier"
  package static let signature =
    "config.json whose \"architectures\" is \(suffix) of a text encoder, without modules.json"

  private static let suffix = "…ForSequenceClassification"
  private static let configName = "config.json"

  let shape: PostNormShape
  let head: ClassifierHead
  let task: ClassifierTask
  /// Tokens a text is cut to.
  let maximumLength: Int
  package let describingFiles: [String]

  package var input: ModelInput {
    .tokens(maximumLength: maximumLength, vocabulary: shape.vocabulary)
  }
  package var output: ModelOutput { task.output }
  package var outputName: String { if case .classes = output { "label" } else { "score" } }

  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> TextClassifier? {
    guard let encoder = try encoder(of: files), let config = try files.object(configName) else {
      return nil
    }
    try refusePairs(config, files)
    try files.refuseAdapter(in: [""])
    let shape = try encoder.shape(config, weights: weights)
    let tokenizer = try SentenceTokenizerFiles(files, in: "")
    let positions = shape.positions - shape.unusedPositions
    let model = TextClassifier(
      shape: shape, head: encoder.head, task: try ClassifierTask(config),
      maximumLength: min(try tokenizer.maximumLength() ?? positions, positions),
      describingFiles: [configName] + tokenizer.names)
    try model.check(weights, config, family: encoder.name)
    return model
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var transformer = PostNormGraph(shape, batch: batch, length: length)
    let (states, _) = try transformer.build()
    var graph = transformer.graph
    let logits = try head.logits(
      states, shape, labels: task.labels.count, in: &graph, batch: batch)
    return try graph.finish(output: task.scores(of: logits, in: &graph))
  }

  /// The transformer below the head; nil for a folder that is no classifier: sentence-transformers
  /// drops heads.
  static func encoder(of files: ModelFiles) throws -> (any PostNormEncoder.Type)? {
    guard try files.bytes(of: SentenceModules.file) == nil,
      let config = try files.object(configName), let type = config["model_type"]?.string,
      let names = config["architectures"]?.array, names.count == 1, let name = names[0].string
    else { return nil }
    let expected = type.filter { $0 != "-" } + suffix.dropFirst().lowercased()
    guard name.lowercased() == expected else { return nil }
    return Architectures.all.lazy.compactMap { $0 as? any PostNormEncoder.Type }
      .first { $0.modelTypes.contains(type) }
  }
}

// What the library would take for something else, or for nothing.
extension TextClassifier {
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

  /// - Parameter family: the prefix without which the library gives a classifier random weights.
  private func check(
    _ weights: any WeightSource, _ config: JSONObject, family: String
  ) throws {
    let place = config.origin
    guard !shape.names.prefix.isEmpty else {
      throw ModelError.unsupported(
        place: ModelError.weightsBeside(place),
        found: "weights without '\(family).' before their names, beside which the library would "
          + "fill the head with random numbers,",
        supported: "those that save_pretrained of the classifier writes")
    }
    let used = try graph(batch: 1, length: 1).weights.map(\.name)
    try shape.names.refuseBareTwins(of: used, pooler: shape.pooler, weights, place)
    try requireLabels(weights, config)
    try weights.refuseWholeNumbers(used, place)
  }

  private func requireLabels(_ weights: any WeightSource, _ config: JSONObject) throws {
    let name: TensorName = "\(head.output).weight"
    guard let stored = weights.shape(of: name), stored.first != task.labels.count else { return }
    throw config.error(
      "there are \(task.labels.count) labels, the head's '\(name)' has \(stored.first ?? 0) rows",
      at: (config["id2label"] ?? config["num_labels"])?.position ?? config.position)
  }
}
