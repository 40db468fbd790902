import Graph
import StrictJSON
import Weights

extension Model {
  /// What people should know of how its file was read; nil where there is nothing to say.
  var readingNote: String? { (weights as? WeightCollection).flatMap(TreeFiles.note) }
}

extension ModelOutput {
  /// Describes one output.
  var words: String {
    switch self {
    case .embedding(let width): "an embedding of \(Figures.count(width, "number"))"
    case .classes(let labels, _, .probabilities): "one of \(list(labels))"
    case .classes(let labels, _, .scores): "one of \(list(labels)), by raw scores"
    case .tokenClasses(let labels, _): "for each token one of \(list(labels))"
    case .numbers(let width): Figures.count(width, "number")
    }
  }

  /// Labels, texts in quotes, integers without; of many only the first.
  private func list(_ labels: ClassLabels) -> String {
    labels.words.prefix(8).joined(separator: ", ") + (labels.count > 8 ? ", …" : "")
  }
}
