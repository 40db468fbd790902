import ArgumentParser
import IngotClient
import StrictJSON

struct ClientUpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Take the version that is offered to the device.",
    discussion: """
      What differs is downloaded and compared with the signed digests, and every model runs its self-test. \
      Only then the version is current, on trial until it is confirmed. Whatever goes wrong before, the device \
      keeps the version it has. Nothing is fetched where the disk has not the room for it.

      Files of the version in use that are missing or damaged are fetched again; where the version is not \
      offered any more, the one before it is current. Where nothing is taken, the answer names the highest \
      version that is published, and why it is not for this device.

      Exit status 3 says that a version failed its self-test, 4 that metadata or files do not hold.

      Example:
        ingot client update phone
      """)

  @OptionGroup var device: DeviceArgument
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let progress = ProgressLine(console)
      defer { progress.clear() }
      let (result, left, current, highest) = try device.withClient { client in
        let result = try await client.update { progress.show($0) }
        return (result, client.abandoned, await client.current, await client.highest)
      }
      progress.clear()
      if let left { console.note(left.leftWords) }
      var members = result.members
      members["highest"] = highest?.json ?? .null
      members["current"] = current?.json ?? .null
      members["left"] = left?.json ?? .null
      let reason = HighestVersion.words(highest, inUse: current)
      try shared.answer(
        console, text: result.words(whyNothing: reason) + "\n",
        json: .object(members))
    }
  }
}

extension UpdateClient.Version {
  /// That the version was left when the client was made.
  var leftWords: String {
    "left \(version): the app that tried it is gone, and did not confirm it"
  }
}

extension UpdateClient.Result {
  /// What was done, for people.
  fileprivate func words(whyNothing reason: String) -> String {
    switch self {
    case .upToDate: "nothing newer is offered\(reason)"
    case .updated(let version, let byteCount):
      "\(version.words): \(Figures.bytes(byteCount)) fetched"
    case .repaired(let version, let byteCount):
      "\(version.words): missing or damaged files are there again, \(Figures.bytes(byteCount)) fetched"
    case .wentBack(let version):
      "files of the version in use are missing or damaged, and it is not offered any more; in use: "
        + (version?.words ?? "what the app brought along")
    case .withdrawn:
      "the version in use was withdrawn; what the app brought along is used"
    }
  }

  /// The same, for programs.
  fileprivate var members: [String: JSONValue] {
    switch self {
    case .upToDate: ["result": "upToDate"]
    case .updated(let version, let byteCount):
      ["result": "updated", "version": version.json, "bytes": .integer(byteCount)]
    case .repaired(let version, let byteCount):
      ["result": "repaired", "version": version.json, "bytes": .integer(byteCount)]
    case .wentBack(let version): ["result": "wentBack", "version": version?.json ?? .null]
    case .withdrawn: ["result": "withdrawn"]
    }
  }
}
