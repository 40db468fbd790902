import Packaging
import StrictJSON

/// Whether outputs of a model in one package may be compared with those of the same model in another, as an app
/// does that keeps embeddings across versions.
package struct KeyComparison: Equatable, Sendable {
  package let model: String
  /// Whether the gate judged its outputs as embeddings.
  let givesEmbeddings: Bool
  /// Nil where a package does not say it.
  package let isShared: Bool?

  /// Of the models that are in both packages, in their order.
  static func all(_ left: Manifest, _ right: Manifest) -> [KeyComparison] {
    left.models.compactMap { model in
      guard let other = right.models.first(where: { $0.identity.title == model.identity.title })
      else { return nil }
      let keys = (model.cacheKey, other.cacheKey)
      return KeyComparison(
        model: model.identity.title,
        givesEmbeddings: model.gate.metrics["cosine.mean"] != nil,
        isShared: keys.0.flatMap { own in keys.1.map { $0 == own } })
    }
  }

  /// One line for people.
  package var sentence: String {
    let outputs = givesEmbeddings ? "embeddings" : "outputs"
    let words =
      switch isShared {
      case true?: "the same cache key: \(outputs) that an app kept go on to hold"
      case false?: "another cache key: \(outputs) that an app kept are to be made anew"
      case nil: "no cache key on one side: \(outputs) that an app kept are to be made anew"
      }
    return "model '\(model)': \(words)"
  }

  /// A member of the report of `ingot diff --json`.
  var json: JSONValue {
    ["model": .string(model), "isShared": isShared.map { .bool($0) } ?? .null]
  }
}
