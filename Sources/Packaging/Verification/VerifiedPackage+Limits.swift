package import Gate
import Inputs
import StrictJSON

/// The limits of a package's models, as their receipts say.
extension VerifiedPackage {
  /// The limits of a model's receipt; the manifest was held to them.
  package func limits(of model: ModelEntry) -> Limits? { readings[model.gate.receipt]?.limits }

  /// Lines for people: what the model passed, and whether its manifest says so itself.
  func limitLines(of model: ModelEntry) -> [String] {
    guard let limits = limits(of: model) else {
      return ["passed \(model.gate.profile), its limits are not known"]
    }
    guard model.gate.limits == nil else { return ["passed \(limits.words)"] }
    return [
      "passed \(limits.words)",
      "its limits are not known from the manifest, which names a profile alone; they are those of "
        + "the receipt",
    ]
  }

  /// The `limits` of `ingot verify --json`: of each model, by its title, what it was held to and
  /// whether the manifest says it.
  var limitsJSON: JSONValue {
    .object(
      manifest.models.reduce(into: [:]) { all, model in
        guard case .object(var members) = limits(of: model)?.report else {
          return all[model.identity.title] = .null
        }
        members["inManifest"] = .bool(model.gate.limits != nil)
        all[model.identity.title] = .object(members)
      })
  }

  /// Limits that are weaker than a profile's, a sentence each; empty if
  /// every limit of every model is at least as tight. Names of profiles are not compared.
  package func faults(against profile: Limits.Profile) -> [String] {
    let required = Limits(of: profile)
    return manifest.models.flatMap { model in
      let name = "model '\(model.identity.title)'"
      guard let limits = limits(of: model) else { return ["\(name): its limits are not known"] }
      return limits.weaker(than: required).map { key in
        "\(name): \(limits.phrase(key)), '\(profile.rawValue)' asks for "
          + "\(key.isFloor ? "at least" : "at most") \(Figures.plain(required[key]))"
      }
    }
  }
}
