import Gate
import Packaging
import StrictJSON

/// The words of the gate about the packages of a list, by their own receipts: which of them passed
/// limits that were weakened, and which with warnings.
struct ListedGate {
  private var count = 0
  /// By path, then by the model's title; packages with nothing to say are left out.
  private var weakened: [String: JSONValue] = [:]
  private var warnings: [String: JSONValue] = [:]
  /// The first package of the list with either.
  private var first: String?

  /// Notes what the receipts of a sound package say.
  mutating func note(_ package: VerifiedPackage) {
    count += 1
    var (weakened, warnings): ([String: JSONValue], [String: JSONValue]) = ([:], [:])
    for model in package.manifest.models {
      guard let reading = package.readings[model.gate.receipt] else { continue }
      let title = model.identity.title
      if !reading.limits.weakened.isEmpty { weakened[title] = reading.limits.report }
      guard !reading.warnings.isEmpty else { continue }
      warnings[title] = .array(reading.warnings.map(JSONValue.string))
    }
    if !weakened.isEmpty { self.weakened[package.path] = .object(weakened) }
    if !warnings.isEmpty { self.warnings[package.path] = .object(warnings) }
    if !weakened.isEmpty || !warnings.isEmpty { first = first ?? package.path }
  }

  /// A line for people; empty where there is nothing to say.
  ///
  /// - Parameter isAuthenticated: whether it is known who signed; otherwise it is a claim.
  func text(isAuthenticated: Bool) -> String {
    guard let first else { return "" }
    let all = Figures.count(count, "package")
    let parts =
      (weakened.isEmpty
        ? [] : ["\(weakened.count) of \(all) hold models that passed weakened limits"])
      + (warnings.isEmpty ? [] : ["\(warnings.count) of \(all) hold models with warnings"])
    return "  receipts\(isAuthenticated ? "" : " claim"): \(parts.joined(separator: ", ")); "
      + "verify each alone to read them, the first is \(first)\n"
  }

  /// `weakened` and `warnings` beside what else a report says: by package, then by model.
  func adding(to report: JSONValue) -> JSONValue {
    guard case .object(var members) = report else { return report }
    members["weakened"] = .object(weakened)
    members["warnings"] = .object(warnings)
    return .object(members)
  }
}
