import IngotClient
import StrictJSON

extension HighestVersion {
  /// Why nothing newer than the version in use is taken, as the end of a sentence.
  ///
  /// - Parameter highest: of the repository; nil where it has none.
  static func words(_ highest: HighestVersion?, inUse current: UpdateClient.Version?) -> String {
    guard let highest else { return ": no version is published" }
    if let obstacle = highest.obstacle {
      return ": the highest version published is \(highest.version), but \(obstacle)"
    }
    return highest.version == current?.version
      ? "" : ": the highest version published is \(highest.version)"
  }

  /// The version, for programs: `reason` is null where nothing keeps the device from it.
  var json: JSONValue {
    var members: [String: JSONValue] = ["version": .string(version), "reason": .null]
    guard let obstacle else { return .object(members) }
    members["words"] = .string("\(obstacle)")
    switch obstacle {
    case .withdrawn: members["reason"] = "withdrawn"
    case .otherApps(let identifiers, let own):
      members["reason"] = "bundleIdentifier"
      members["bundleIdentifiers"] = .array(identifiers.map { .string($0) })
      members["bundleIdentifier"] = .string(own)
    case .otherLibrary(let min, let below, let own):
      members["reason"] = "sdk"
      members["minSDK"] = min.map { .string($0) } ?? .null
      members["belowSDK"] = below.map { .string($0) } ?? .null
      members["sdkVersion"] = .string(own)
    case .rollout(let bucket, let permyriad):
      members["reason"] = "rollout"
      members["bucket"] = .integer(bucket)
      members["permyriad"] = .integer(permyriad)
    case .leftHere: members["reason"] = "leftHere"
    }
    return .object(members)
  }
}
