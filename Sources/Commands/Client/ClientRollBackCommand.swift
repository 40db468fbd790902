import ArgumentParser
import IngotClient
import StrictJSON

struct ClientRollBackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roll-back",
    abstract: "Leave the version in use for the one before it.",
    discussion: """
      The version is not tried again on this device.

      Example:
        ingot client roll-back phone
      """)

  @OptionGroup var device: DeviceArgument
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let current = try device.withClient { client in
        try await client.rollBack()
        return await client.current
      }
      try shared.answer(
        console, text: "in use: \(current?.words ?? "what the app brought along")\n",
        json: ["current": current?.json ?? .null])
    }
  }
}
