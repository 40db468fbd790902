import Graph
import StrictJSON

// What a package's output means.
extension ProgramInterface {
  /// The output's meaning: labels make scores, a predicted feature a number, all else a vector.
  func modelOutput(_ program: ProgramReader.Result) throws -> ModelOutput {
    let shape = program.graph.outputType.shape, width = shape.last ?? 1
    if let labels = try tokenLabels(width) {
      return .tokenClasses(labels: labels, tokens: lengths.last ?? 1)
    }
    if let labels = program.labels {
      return .classes(labels: labels, width: width, scale: program.graph.scoreScale)
    }
    return description.predictedFeatureName.isEmpty
      ? .embedding(width: width) : .numbers(width: width)
  }

  /// The labels of a classifier of tokens, which Ingot notes in a package; nil of another model.
  ///
  /// - Parameter count: numbers of the output for each token.
  private func tokenLabels(_ count: Int) throws -> ClassLabels? {
    let key = CoreMLPackage.labelsKey
    guard let text = description.metadata.userDefined[key] else { return nil }
    let node = try JSONParser.parse(Array(text.utf8), origin: "metadata '\(key)'")
    let labels = (node.array ?? []).compactMap(\.string)
    guard labels.count == count, labels.count == node.array?.count else {
      throw GraphError(
        value: outputName, operation: "output",
        reason:
          "has \(Figures.count(count, "number")) for each token, '\(key)' holds \(Figures.count(labels.count, "text"))"
      )
    }
    return .texts(labels)
  }
}
