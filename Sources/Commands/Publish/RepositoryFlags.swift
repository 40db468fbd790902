import ArgumentParser
import Files
import Packaging
import TUF
import Updates

/// Where a repository and its keys are.
struct RepositoryFlags: ParsableArguments {
  @Option(help: ArgumentHelp("The repository of all customers.", valueName: "dir"))
  var repository: String

  @Option(help: ArgumentHelp("The folder of keys; 'publish keys' makes one.", valueName: "dir"))
  var keys: String

  @Option(
    help: ArgumentHelp(
      "The moment at which metadata begin to hold, as 2026-11-21T00:00:00Z; now without it.",
      discussion: "With the same moment the same files come of the same packages and keys.",
      valueName: "time"))
  var time: String?

  func validate() throws {
    if let time, UpdateTime(time) == nil {
      throw ValidationError("--time '\(time)' is not a moment such as 2026-11-21T00:00:00Z")
    }
  }

  var now: UpdateTime {
    time.flatMap { UpdateTime($0) } ?? UpdateTime(seconds: System.secondsSince1970)
  }

  var keyFolder: KeyFolder { KeyFolder(keys) }

  func customer(_ appID: String) -> CustomerRepository {
    CustomerRepository(repository, appID: appID)
  }
}

/// Which customers are meant.
struct CustomerFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The app of a customer; repeat it for several. All of the repository without it.",
      valueName: "uuid"))
  var app: [String] = []

  func validate() throws {
    for id in app where !Identifiers.isAppID(id) {
      throw ValidationError("--app '\(id)' is not a UUID in lower case")
    }
  }

  /// The apps that are meant, in their order.
  ///
  /// - Throws: `Failure` where the repository has none.
  func apps(of flags: RepositoryFlags) throws -> [String] {
    guard app.isEmpty else { return app }
    let found = try CustomerRepository.apps(of: flags.repository)
    guard !found.isEmpty else {
      throw Failure(
        message: "\(flags.repository): is not a repository, no customer has metadata there",
        hint: "'ingot publish PACKAGES' makes one")
    }
    return found
  }
}
