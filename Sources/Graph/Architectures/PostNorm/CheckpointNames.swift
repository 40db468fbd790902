import StrictJSON
import Weights

/// The names of a transformer's weights in a checkpoint of Hugging Face transformers.
struct CheckpointNames: Sendable {
  /// The prefix of all names: empty, or the family and a dot (`bert.`) if a head was trained with the
  /// model.
  let prefix: String
  /// Gains and shifts that have TensorFlow's names, `gamma` and `beta`.
  private let old: Set<TensorName>

  private static let table: TensorName = "embeddings.word_embeddings.weight"

  /// - Parameters:
  ///   - family: what the library calls the model inside one with a head, such as `bert`.
  ///   - place: the file that describes the model, for messages.
  /// - Throws: if the library would take other tensors than the names say.
  init(_ weights: any WeightSource, family: String, of place: String) throws(ModelError) {
    let names = weights.names
    prefix = try Self.prefix(names, family: family, weights, place)
    let own = prefix
    let found = names.filter { name in
      name.text.utf8.starts(with: own.utf8) && Self.renamed.contains { name.isEnding(in: $0.old) }
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

  /// If one name begins with the family, even without a dot, the library removes the prefix from all
  /// and ignores those that lack it: a model without prefix then runs on random numbers.
  private static func prefix(
    _ names: [TensorName], family: String, _ weights: any WeightSource, _ place: String
  ) throws(ModelError) -> String {
    guard let first = names.first(where: { $0.text.utf8.starts(with: family.utf8) }) else {
      return ""
    }
    let prefix = "\(family)."
    if weights.shape(of: "\(prefix)\(table)") == nil, weights.shape(of: table) != nil {
      throw .unsupported(
        place: ModelError.weightsBeside(place),
        found: "\(quoted(first)), for which the library looks for every weight under '\(prefix)', "
          + "beside '\(table)'",
        supported: "all weights with '\(prefix)' before their names, or none")
    }
    return prefix
  }

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

extension CheckpointNames {
  /// Refuses a tensor without the prefix under a name of a weight that has it: the library then does
  /// not know which to take.
  ///
  /// - Parameters:
  ///   - used: names of the model's weights, prefix included.
  ///   - pooler: the layer behind the first token, without the prefix; nil for models without one.
  func refuseBareTwins(
    of used: [TensorName], pooler: String?, _ weights: any WeightSource, _ place: String
  ) throws(ModelError) {
    guard !prefix.isEmpty else { return }
    let dropped: [TensorName] =
      pooler.map { ["\(prefix)\($0).weight", "\(prefix)\($0).bias"] } ?? []
    for name in used + dropped where name.text.utf8.starts(with: prefix.utf8) {
      let bare = TensorName(
        String(decoding: name.text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
      guard weights.shape(of: bare) != nil else { continue }
      throw .unsupported(
        place: ModelError.weightsBeside(place),
        found: "\(quoted(bare)) beside weights under '\(prefix)'",
        supported: "all weights with '\(prefix)' before their names, or none")
    }
  }
}

extension TensorName {
  /// Whether the last bytes are these.
  fileprivate func isEnding(in end: String) -> Bool {
    text.utf8.count >= end.utf8.count && text.utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
  }
}
