import ArgumentParser
import IngotClient
import StrictJSON

struct ClientConfirmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm",
    abstract: "Start the app, and confirm that its models work.",
    discussion: """
      Example:
        ingot client confirm phone
      """)

  @OptionGroup var device: DeviceArgument
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let jobs = device.jobs.count
      let started = try device.withClient { client in
        let started = try await client.startedModels(jobs: jobs)
        guard let version = started.version else { return started }
        try await client.confirmHealthy(version)
        return StartedModels(version: await client.current, models: started.models)
      }
      try shared.answer(console, text: started.text, json: .object(started.members))
    }
  }
}
