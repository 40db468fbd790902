package import PackageNames
package import StrictJSON

/// A version of an app's models as its repository offers it: the target `APP/VERSION.pack`, and what is said
/// of it there.
package struct Offer: Equatable, Sendable {
  /// Whether devices may take it.
  package enum Status: String, Sendable {
    case active
    /// It was offered, and no device may use it any more.
    case withdrawn
  }

  package let version: SemanticVersion
  package let bundleIdentifiers: [String]
  /// The oldest library that runs it; nil for any.
  package let minSDK: SemanticVersion?
  /// The first library that does not run it; nil for any.
  package let belowSDK: SemanticVersion?
  package let rollout: Rollout
  package let status: Status

  package init(
    version: SemanticVersion, bundleIdentifiers: [String], minSDK: SemanticVersion?,
    belowSDK: SemanticVersion?, rollout: Rollout, status: Status = .active
  ) {
    (self.version, self.bundleIdentifiers) = (version, bundleIdentifiers)
    (self.minSDK, self.belowSDK) = (minSDK, belowSDK)
    (self.rollout, self.status) = (rollout, status)
  }

  /// Reads what a target says.
  ///
  /// Keys that are not known are passed over: later versions may say more.
  package init(version: SemanticVersion, _ custom: JSONObject) throws(JSONError) {
    self.version = version
    var identifiers: [String] = []
    for node in try custom.array("bundleIdentifiers") {
      guard let text = node.string else {
        throw custom.error("a bundle identifier is \(node.kind)", at: node.position)
      }
      identifiers.append(text)
    }
    bundleIdentifiers = identifiers
    minSDK = try Offer.version(custom, "minSDK")
    belowSDK = try Offer.version(custom, "belowSDK")
    rollout = try Rollout(try custom.object("rollout"))
    let status = try custom.string("status")
    guard let known = Status(rawValue: status) else {
      throw custom.error("the status \(quoted(status)) is not known", at: custom.position)
    }
    self.status = known
  }

  private static func version(
    _ object: JSONObject, _ key: String
  ) throws(JSONError) -> SemanticVersion? {
    guard object.has(key) else { return nil }
    let text = try object.string(key)
    guard let version = SemanticVersion(text) else {
      throw object.error(
        "\(quoted(key)) is \(quoted(text)), expected a version like 1.2.3", at: object.position)
    }
    return version
  }

  package var json: JSONValue {
    var json: [String: JSONValue] = [
      "bundleIdentifiers": .array(bundleIdentifiers.map { .string($0) }), "rollout": rollout.json,
      "status": .string(status.rawValue),
    ]
    if let minSDK { json["minSDK"] = .string("\(minSDK)") }
    if let belowSDK { json["belowSDK"] = .string("\(belowSDK)") }
    return .object(json)
  }

  /// The same version, which no device may use any more.
  package func withdrawn() -> Offer {
    Offer(
      version: version, bundleIdentifiers: bundleIdentifiers, minSDK: minSDK, belowSDK: belowSDK,
      rollout: rollout, status: .withdrawn)
  }

  /// Whether a device may take it.
  package func admits(_ device: Device) -> Bool { obstacle(for: device) == nil }
}

extension Sequence<Offer> {
  /// The highest version that a device may take; nil if there is none.
  package func best(for device: Device) -> Offer? {
    filter { $0.admits(device) }.max { $0.version < $1.version }
  }
}

/// What decides about the versions that an app on a device may take.
package struct Device: Sendable {
  /// Of the app.
  package let bundleIdentifier: String
  /// The version of the library that runs the models.
  package let sdk: SemanticVersion
  /// What tells this installation from others, and nothing else of it.
  package let installID: String

  package init(bundleIdentifier: String, sdk: SemanticVersion, installID: String) {
    (self.bundleIdentifier, self.sdk, self.installID) = (bundleIdentifier, sdk, installID)
  }
}
