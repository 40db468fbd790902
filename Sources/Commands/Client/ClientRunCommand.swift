import ArgumentParser
import ClientHost
import IngotClient
import SelfTesting
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

/// Models of a version that were loaded and ran their self-tests.
struct StartedModels: Sendable {
  /// Nil for what the app brought along.
  let version: UpdateClient.Version?
  /// With the runs of their self-tests.
  let models: [(model: InstalledModel, caseCount: Int)]

  var text: String {
    let own = version?.words ?? "what the app brought along"
    let lines = models.map { item in
      "  \(item.model.name): \(Figures.count(item.caseCount, "self-test")) passed\n"
    }
    return "in use: \(own)\n" + lines.joined()
  }

  var members: [String: JSONValue] {
    [
      "current": version?.json ?? .null,
      "models": .array(
        models.map { item in
          [
            "name": .string(item.model.name), "path": .string(item.model.path),
            "format": .string(item.model.format), "selfTests": .integer(item.caseCount),
            "cacheKey": item.model.cacheKey.map { .string($0) } ?? .null,
          ]
        }),
    ]
  }
}

extension UpdateClient {
  /// Does what an app does when it starts.
  ///
  /// - Throws: `UpdateError.unfit` for a model that does not work.
  func startedModels(jobs: Int) async throws -> StartedModels {
    guard let version = try start() else { return StartedModels(version: nil, models: []) }
    do {
      try await SelfTestCheck(ExecutorLoader(jobs: jobs)).check(version.folder)
    } catch {
      throw UpdateError.unfit(version: version.version, reason: "\(error)")
    }
    let models = try version.models().map { model in
      (model, try model.readSelfTest()?.cases.count ?? 0)
    }
    return StartedModels(version: version, models: models)
  }
}
