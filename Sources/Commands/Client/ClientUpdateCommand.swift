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
      keeps the version it has.

      Exit status 3 says that a version failed its self-test, 4 that metadata or files do not hold.

      Example:
        ingot client update phone
      """)

  @OptionGroup var device: DeviceArgument
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      switch try device.withClient({ try await $0.update() }) {
      case .upToDate:
        try shared.answer(
          console, text: "nothing newer is offered\n", json: ["result": "upToDate"])
      case .updated(let version, let byteCount):
        try shared.answer(
          console, text: "\(version.words): \(Figures.bytes(byteCount)) fetched\n",
          json: [
            "result": "updated", "version": version.json, "bytes": .integer(byteCount),
          ])
      case .withdrawn:
        try shared.answer(
          console,
          text: "the version in use was withdrawn; what the app brought along is used\n",
          json: ["result": "withdrawn"])
      }
    }
  }
}
