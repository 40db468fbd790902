import ArgumentParser
import IngotClient
import StrictJSON

struct ClientCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say what an update would do, and what is in use.",
    discussion: """
      Nothing but metadata is downloaded.

      Example:
        ingot client check phone
      """)

  @OptionGroup var device: DeviceArgument
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let (current, availability, highest, left) = try device.withClient { client in
        let current = await client.current
        return (current, try await client.availability(), await client.highest, client.abandoned)
      }
      if let left { console.note(left.leftWords) }
      var members: [String: JSONValue] = [
        "current": current?.json ?? .null, "highest": highest?.json ?? .null,
        "left": left?.json ?? .null,
      ]
      let words: String
      switch availability {
      case .upToDate:
        words = "nothing newer is offered\(HighestVersion.words(highest, inUse: current))"
        members["availability"] = "upToDate"
      case .available(let version, let byteCount):
        words = "\(version) is offered, \(Figures.bytes(byteCount)) to fetch"
        members["availability"] = "available"
        members["version"] = .string(version)
        members["bytes"] = .integer(byteCount)
      case .damaged(let byteCount):
        words = "files of it are missing or damaged, \(Figures.bytes(byteCount)) to fetch"
        members["availability"] = "damaged"
        members["bytes"] = .integer(byteCount)
      case .goesBack:
        words = "files of it are missing or damaged, and it is not offered any more"
        members["availability"] = "goesBack"
      case .withdrawn:
        words = "it was withdrawn"
        members["availability"] = "withdrawn"
      }
      let own = current?.words ?? "what the app brought along"
      try shared.answer(
        console, text: "in use: \(own); \(words)\n",
        json: .object(members))
    }
  }
}

extension UpdateClient.Version {
  /// The version, for programs.
  var json: JSONValue {
    ["version": .string(version), "folder": .string(folder), "isOnTrial": .bool(isOnTrial)]
  }
}
