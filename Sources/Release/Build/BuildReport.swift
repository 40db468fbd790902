package import Files
package import Gate
package import StrictJSON

/// The models and packages of a build, those it refused included.
package struct BuildReport: Equatable, Sendable {
  /// One model that was made, or brought back from the store.
  package struct Model: Equatable, Sendable {
    package enum Verdict: String, Sendable { case passed, refused, unusable }

    package let model: String
    /// The family whose member it is; nil if it is of none.
    package var family: String? = nil
    /// Names the work; the store keeps its result under this key.
    package let key: String
    package let verdict: Verdict
    /// Whether the store had it.
    package let isCached: Bool
    /// Its source check; nil if there was none, or it did not pass.
    package var source: SourceRecord? = nil
    /// The verdicts of looser profiles on a model that was refused; strictest first.
    package var outlooks: [ProfileOutlook] = []
    /// The check of its known outputs; nil if the set knows none, or it did not pass.
    package var known: KnownRecord? = nil
    /// Its limits; nil if it did not pass.
    package var limits: Limits? = nil
    /// Why the gate refused it, as values.
    package var findings: [JSONValue] = []
    /// Culprits and mend of a refused one; null where none was looked for.
    package var explanation = JSONValue.null
    /// What the verdict rests on; nil where no work was done.
    package var evidence: BuildEvidence? = nil
    /// The recipes that a search found, of each encoder that ships; empty without one.
    package var recipes: [FoundRecipe] = []
  }

  /// One customer's package.
  package struct Package: Equatable, Sendable {
    /// The app's UUID.
    package let customer: String
    package let version: String
    package let path: String
    /// Hexadecimal SHA-256 of the archive.
    package let sha256: String
    package let bytes: Int
    /// Whether the very same archive was there already.
    package let isReused: Bool
  }

  /// A customer who gets no package.
  package struct Refusal: Equatable, Sendable {
    package enum Cause: String, Sendable {
      /// A model did not pass the gate; further ones may be unusable.
      case gate
      /// A model, its compression or its reference set cannot be used; no gate refused one.
      case unusable
      /// An archive of this version is there with other content.
      case conflict
      /// A newer version was built before.
      case downgrade
      /// No archive can be put where this one belongs.
      case output
    }

    /// The app's UUID.
    package let customer: String
    package let version: String
    package let cause: Cause
    package internal(set) var reasons: [String]
    /// The two versions, where the app has a newer one.
    package var downgrade: Downgrade?
  }

  /// Models that were needed, in the order of their first use.
  package internal(set) var models: [Model] = []
  /// In the order of the customer list.
  package internal(set) var packages: [Package] = []
  /// In the order of the customer list.
  package internal(set) var refused: [Refusal] = []

  /// The same report, with options in its reasons as `name` spells them.
  package func naming(_ name: UserOption.Names) -> BuildReport {
    var report = self
    for (place, refusal) in refused.enumerated() {
      guard let downgrade = refusal.downgrade else { continue }
      report.refused[place].reasons = [downgrade.words(name)]
    }
    return report
  }

  /// The report of `ingot build --json`.
  package var json: JSONValue {
    [
      "models": .array(models.map(\.json)), "packages": .array(packages.map(\.json)),
      "refused": .array(refused.map(\.json)),
    ]
  }
}

extension BuildReport.Model {
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "model": .string(model), "key": .string(key), "verdict": .string(verdict.rawValue),
      "stored": .bool(isCached), "sourceCheck": source.map { .string($0.words) } ?? .null,
    ]
    members["profiles"] = outlooks.json
    members["findings"] = findings.report
    if explanation != .null { members["explanation"] = explanation }
    members["limits"] = limits?.report
    if !recipes.isEmpty { members["recipes"] = .array(recipes.map(\.json)) }
    if let known { members["knownOutputs"] = .string(known.words) }
    return .object(members)
  }
}

extension BuildReport.Package {
  var json: JSONValue {
    [
      "customer": .string(customer), "version": .string(version), "path": .string(path),
      "sha256": .string(sha256), "bytes": .integer(bytes), "verdict": "passed",
      "reused": .bool(isReused),
    ]
  }
}

extension BuildReport.Refusal {
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "customer": .string(customer), "version": .string(version), "verdict": "refused",
      "cause": .string(cause.rawValue), "reasons": .array(reasons.map(JSONValue.string)),
    ]
    members["newestVersion"] = downgrade.map { .string($0.newest) }
    return .object(members)
  }
}

/// The limits of the models of a build.
extension BuildReport {
  /// A line for each model that passed limits other than its profile's own.
  package var limitLines: [String] {
    var families: Set<String> = []
    return models.compactMap { model in
      guard let limits = model.limits, !limits.overridden.isEmpty else { return nil }
      guard let family = model.family else {
        return "limits: model '\(model.model)' passed \(limits.words)"
      }
      // All members have those of the one entry.
      guard families.insert(family).inserted else { return nil }
      return "limits: members of '\(family)' passed \(limits.words)"
    }
  }
}

extension ModelOutcome {
  /// Its limits, the same for all parts; nil if it did not pass.
  var limits: Limits? {
    if case .proven(let model) = self { model.parts.first?.receipt.limits } else { nil }
  }
}
