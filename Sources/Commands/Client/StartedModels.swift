import ClientHost
import IngotClient
import SelfTesting
import StrictJSON

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
  /// - Throws: `Failure` for a model that does not work, with what helps.
  func startedModels(jobs: Int) async throws -> StartedModels {
    guard let version = try start() else { return StartedModels(version: nil, models: []) }
    do {
      try await SelfTestCheck(ExecutorLoader(jobs: jobs)).check(version.folder)
    } catch {
      throw Failure(
        message: "version \(version.version): \(error)",
        hint: hint(version), status: .refused)
    }
    let models = try version.models().map { model in
      (model, try model.readSelfTest()?.cases.count ?? 0)
    }
    return StartedModels(version: version, models: models)
  }

  /// What helps where a version does not work.
  private func hint(_ version: Version) -> String {
    if version.isOnTrial { return "the next command leaves the version, which is not tried again" }
    let damaged = damagedFiles(of: version)
    guard let first = damaged.first else {
      return
        "its files are what was published; 'ingot client roll-back' leaves the version for the one before it"
    }
    let more = damaged.count > 1 ? " and \(damaged.count - 1) more" : ""
    return "'\(first)'\(more) is missing or damaged: 'ingot client update' fetches it again"
  }
}
