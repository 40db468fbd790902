import ArgumentParser
import IngotClient
import StrictJSON

struct ClientConfirmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm",
    abstract: "Start the app, and confirm that its models work.",
    discussion: """
      Where no version is on trial nothing is to be confirmed, and that is said.

      Example:
        ingot client confirm phone
      """)

  @OptionGroup var device: DeviceArgument
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let jobs = device.jobs.count
      let (started, isConfirmed) = try device.withClient { client in
        let started = try await client.startedModels(jobs: jobs)
        guard let version = started.version, version.isOnTrial else { return (started, false) }
        try await client.confirmHealthy(version)
        return (StartedModels(version: await client.current, models: started.models), true)
      }
      var members = started.members
      members["confirmed"] = .bool(isConfirmed)
      let words = isConfirmed ? "" : "nothing is on trial\n"
      try shared.answer(console, text: started.text + words, json: .object(members))
    }
  }
}
