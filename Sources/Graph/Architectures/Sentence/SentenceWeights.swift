import StrictJSON
import Weights

// What of a model's tensors the library does not take, or takes for something else.
extension SentenceArchitecture {
  /// Refuses weights of whole numbers, and tensors that a module behind the pooling does not have.
  ///
  /// - Parameter place: the file that describes the model, for messages.
  func check(_ weights: any WeightSource, of place: String) throws {
    let used = try graph(batch: 1, length: 1).weights.map(\.name)
    try refuseWholeNumbers(used, weights, place)
    try refuseStrays(used, weights, place)
  }

  private func refuseWholeNumbers(
    _ used: [TensorName], _ weights: any WeightSource, _ place: String
  ) throws(ModelError) {
    for name in used {
      guard let type = weights.wholeNumberType(of: name) else { continue }
      throw .unsupported(
        place: ModelError.weightsBeside(place), found: "\(quoted(name)) of type \(type)",
        supported: "floating point; weights packed into whole numbers have to be unpacked before")
    }
  }

  /// A module behind the pooling has its own weights and no others.
  private func refuseStrays(
    _ used: [TensorName], _ weights: any WeightSource, _ place: String
  ) throws(ModelError) {
    let known = Set(used)
    let folders = sentence.modules.steps.compactMap(\.weightPrefix)
    guard !folders.isEmpty else { return }
    for name in weights.names where !known.contains(name) {
      guard let folder = folders.first(where: { name.text.utf8.starts(with: $0.utf8) }) else {
        continue
      }
      throw .unsupported(
        place: ModelError.weightsBeside(place),
        found: "\(quoted(name)), which the module of \(quoted(folder)) does not have,",
        supported: "the module's own weights")
    }
  }
}

extension ModelError {
  /// How messages name the weights beside a file that describes the model.
  static func weightsBeside(_ place: String) -> String { "\(place): the weights beside it" }
}
