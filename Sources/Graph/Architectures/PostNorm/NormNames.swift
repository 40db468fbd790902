import Weights

/// The names of a transformer's norms in a checkpoint of Hugging Face transformers: old ones have
/// TensorFlow's words `gamma` and `beta`.
struct NormNames: Sendable {
  private let prefix: String
  /// Gains and shifts under the old words.
  private let old: Set<TensorName>

  /// - Parameters:
  ///   - prefix: before all names.
  ///   - place: the file that describes the model, for messages.
  /// - Throws: if a weight has both names.
  init(
    _ weights: any WeightSource, prefix: String, of place: String
  ) throws(ModelError) {
    self.prefix = prefix
    let found = weights.names.filter { name in
      name.text.utf8.starts(with: prefix.utf8)
        && Self.renamed.contains { name.isEnding(in: $0.old) }
    }
    for name in found { try Self.refuseTwins(of: name, weights, place) }
    old = Set(found)
  }

  /// The name of a norm's gain, without the prefix.
  func gain(of norm: String) -> String { name(of: norm, ".gamma", ".weight") }

  /// The name of a norm's shift, without the prefix.
  func shift(of norm: String) -> String { name(of: norm, ".beta", ".bias") }

  private func name(of norm: String, _ oldEnd: String, _ newEnd: String) -> String {
    norm + (old.contains("\(prefix)\(norm)\(oldEnd)") ? oldEnd : newEnd)
  }

  // MARK: Reading

  private static let renamed = [
    (old: "LayerNorm.gamma", new: "LayerNorm.weight"),
    (old: "LayerNorm.beta", new: "LayerNorm.bias"),
  ]

  private static func refuseTwins(
    of name: TensorName, _ weights: any WeightSource, _ place: String
  ) throws(ModelError) {
    for (oldEnd, newEnd) in renamed where name.isEnding(in: oldEnd) {
      let twin: TensorName = "\(name.text.dropLast(oldEnd.utf8.count))\(newEnd)"
      guard weights.shape(of: twin) != nil else { continue }
      throw .unsupported(
        place: ModelError.weightsBeside(place),
        found: "\(quoted(name)) beside \(quoted(twin)), two names of one weight,",
        supported: "one of the two")
    }
  }
}

extension TensorName {
  /// Whether the last bytes are these.
  fileprivate func isEnding(in end: String) -> Bool {
    text.utf8.count >= end.utf8.count && text.utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
  }
}
