import StrictJSON
import Weights

/// What a classifier of any task is made of.
struct HeadedParts {
  let transformer: any TextTransformer
  /// Tokens a text is cut to.
  let maximumLength: Int
  let describingFiles: [String]
}

// What the library would take for something else, or for nothing.
extension HeadedModel {
  /// Reads the transformer and the tokenizer's files.
  ///
  /// - Parameter labels: numbers that the head's last layer gives.
  /// - Throws: on weights that the library would not read, or would fill with random numbers.
  func read(
    _ files: ModelFiles, weights: any WeightSource, labels: Int
  ) throws -> HeadedParts {
    try files.refuseAdapter(in: [""])
    let transformer = try architecture.transformer(config, weights: weights)
    try check(transformer, weights, labels: labels)
    let tokenizer = try SentenceTokenizerFiles(files, in: "")
    let positions = transformer.positions - transformer.unusedPositions
    return HeadedParts(
      transformer: transformer,
      maximumLength: min(try tokenizer.maximumLength() ?? positions, positions),
      describingFiles: [Self.configName] + tokenizer.names)
  }

  private func check(
    _ transformer: any TextTransformer, _ weights: any WeightSource, labels: Int
  ) throws {
    let place = config.origin
    guard !transformer.prefix.text.isEmpty else {
      throw ModelError.unsupported(
        place: ModelError.weightsBeside(place),
        found: "weights without '\(transformer.prefix.word).' before their names, beside which the "
          + "library would fill the head with random numbers,",
        supported: "those that save_pretrained of the classifier writes")
    }
    var end = try HeadGraph(head, labels: labels, behind: transformer, batch: 1, length: 1)
    let logits = try end.logits()
    let used = try end.graph.finish(output: logits).weights.map(\.name)
    try transformer.refuseBareTwins(of: used, weights, place)
    try requireLabels(labels, weights)
    try weights.refuseWholeNumbers(used, place)
  }

  private func requireLabels(_ labels: Int, _ weights: any WeightSource) throws {
    let name: TensorName = "\(head.output).weight"
    guard let stored = weights.shape(of: name), stored.first != labels else { return }
    throw config.error(
      "there are \(labels) labels, the head's '\(name)' has \(stored.first ?? 0) rows",
      at: (config["id2label"] ?? config["num_labels"])?.position ?? config.position)
  }
}
