import ArgumentParser
import StrictJSON

struct ClientRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Start the app: its models are loaded and run their self-tests.",
    discussion: """
      The app ends without confirming the version. So one on trial is left at the next command, as by an app \
      that crashed, and not tried again; 'client confirm' is an app that works.

      To run a model on inputs of your own, name its file, which --json says, to 'ingot embed'.

      Example:
        ingot client run phone
      """)

  @OptionGroup var device: DeviceArgument
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let jobs = device.jobs.count
      let started = try device.withClient { client in
        try await client.startedModels(jobs: jobs)
      }
      try shared.answer(console, text: started.text, json: .object(started.members))
    }
  }
}
