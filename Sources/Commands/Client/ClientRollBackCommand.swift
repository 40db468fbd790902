import ArgumentParser
import IngotClient
import StrictJSON

struct ClientRollBackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roll-back",
    abstract: "Leave the version in use for the one before it.",
    discussion: """
      The version is not tried again on this device, which keeps one version before the one in use. Where what the app brought along is in use, there is \
      nothing to leave: exit status 1.

      Example:
        ingot client roll-back phone
      """)

  @OptionGroup var device: DeviceArgument
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      typealias Version = UpdateClient.Version
      let (left, current) = try device.withClient { client -> (Version?, Version?) in
        // A trial that ended with its app was left when the client was made, and one step is enough.
        if let abandoned = client.abandoned { return (abandoned, await client.current) }
        return (try await client.rollBack(), await client.current)
      }
      let own = "what the app brought along"
      guard let left else {
        throw Failure(
          message: "\(device.device): there is no version to leave: in use is \(own)",
          hint: "'ingot client update' takes a version that is offered")
      }
      try shared.answer(
        console, text: "left \(left.version); in use: \(current?.words ?? own)\n",
        json: ["left": left.json, "current": current?.json ?? .null])
    }
  }
}
