package import Gate
package import Inputs
import Packaging

/// Reads the limits of a gate: a profile's name, or a profile with single limits replaced.
struct LimitsReader {
  /// The section `gate`.
  let section: ContractSection

  /// The limits, `standard` if there are none; nil when there is a fault, which is noted.
  func read() -> LimitOptions? {
    guard let node = section.node("limits") else { return terms(.standard) }
    if let name = node.string {
      return profile(Located(value: name, place: node.place)).map { terms($0) }
    }
    guard let group = ContractSection(node, name: "'limits'", log: section.log) else { return nil }
    let keys = Limits.Key.allCases.map(\.rawValue)
    group.allowOnly(["profile"] + keys + ["weakened"])
    let name = group.optionalString("profile")
    guard let profile = name.map(profile) ?? .standard else { return nil }
    var overrides: [String: Double] = [:]
    for key in keys { overrides[key] = group.optionalDouble(key) }
    return checked(
      terms(profile, overrides), profile, at: name?.place ?? node.place, group)
  }

  private func terms(
    _ profile: Limits.Profile, _ overrides: [String: Double] = [:]
  ) -> LimitOptions {
    LimitOptions(profile: profile.rawValue, overrides: overrides)
  }

  private func profile(_ name: Located<String>) -> Limits.Profile? {
    if let profile = Limits.Profile(rawValue: name.value) { return profile }
    let known = Limits.Profile.allCases.map(\.rawValue)
    section.fault(
      .badLimit, name.place, "no limits are called '\(name.value.prefix(60).asciiEscaped)'",
      hint: Suggestion.hint(for: name.value, among: known))
    return nil
  }

  private func checked(
    _ terms: LimitOptions, _ profile: Limits.Profile, at place: Place, _ group: ContractSection
  ) -> LimitOptions? {
    do {
      let limits = try Limits(terms)
      checkWeakening(limits, from: try Limits(profile: profile), place, group)
      return terms
    } catch {
      section.fault(.badLimit, place, "\(error)")
      return nil
    }
  }

  /// Only a project that asks for less than its profile promises has to say so.
  private func checkWeakening(
    _ limits: Limits, from own: Limits, _ place: Place, _ group: ContractSection
  ) {
    let weakened = group.optionalBool("weakened")
    let weaker = limits.weakened
    if let weakened, weakened.value, weaker.isEmpty {
      section.fault(
        .weakerLimit, weakened.place,
        "'weakened' is true, no limit is weaker than those of '\(own.profile.rawValue)'",
        hint: "remove 'weakened'")
    }
    guard weakened?.value != true else { return }
    for key in weaker {
      section.fault(
        .weakerLimit, group.node(key.rawValue)?.place ?? place,
        "'\(key.rawValue)' is \(limits[key]), weaker than the \(own[key]) "
          + "of '\(own.profile.rawValue)'",
        hint: "add 'weakened: true' to say that this is meant, or remove the limit")
    }
  }
}

extension Limits {
  /// The limits that a project file asks for.
  package init(_ terms: LimitOptions) throws(EvaluationError) {
    let profile = Limits.Profile(rawValue: terms.profile) ?? .strict
    try self.init(profile: profile, overrides: terms.overrides)
  }
}
