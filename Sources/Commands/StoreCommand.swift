import ArgumentParser
import Store
import StrictJSON

struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Look after the store of results that builds share.",
    subcommands: [StoreCheckCommand.self, StoreCleanCommand.self])
}

struct StoreCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Hash every blob of the store and read every result.",
    discussion: """
      Builds may go on meanwhile. What is corrupt would be made anew by the next build that needs it.

      Exit status: 0 sound, 1 something is corrupt.

      Example:
        ingot store check
      """)

  @OptionGroup var location: StoreLocation
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let store = try location.open(console)
      let progress = ProgressLine(console)
      defer { progress.clear() }
      let report = try store.check(progress: progress.show)
      progress.clear()
      try shared.answer(
        console, text: "\(store.folder): \(report.content)\n", json: report.json(of: store))
      guard report.faults.isEmpty else {
        throw Failure(
          message: "\(store.folder): \(Figures.count(report.faults.count, "fault"))",
          details: report.faults, hint: "'ingot store gc' removes what is corrupt")
      }
    }
  }
}

struct StoreCleanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gc",
    abstract: "Remove from the store what is corrupt, unfinished or no longer named by a result.",
    discussion: """
      With limits, results go too: those not used for long, and those used least recently until the \
      store is small enough. A store that a build is using is left alone.

      Example:
        ingot store gc --max-age 30 --max-size 20GB
      """)

  @OptionGroup var location: StoreLocation

  @Option(help: ArgumentHelp("Remove results not used for more days.", valueName: "days"))
  var maxAge: Int?

  @Option(
    help: ArgumentHelp("Keep at most so much, as 500MB or 20GB.", valueName: "size"))
  var maxSize: ByteCount?

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if let maxAge, !(0...1_000_000).contains(maxAge) {
      throw ValidationError("--max-age \(maxAge) is outside 0...1000000")
    }
  }

  func run() throws {
    try shared.run { console in
      let store = try location.open(console)
      let progress = ProgressLine(console)
      defer { progress.clear() }
      let report: StoreReport
      do {
        report = try store.collect(
          olderThan: maxAge, keepingBytes: maxSize?.value, progress: progress.show)
      } catch let error as StoreError {
        throw Failure(message: "\(error)", hint: "try again when the build has ended")
      }
      progress.clear()
      for fault in report.faults { console.warn(fault) }
      try shared.answer(console, text: text(report, store), json: report.json(of: store))
    }
  }

  private func text(_ report: StoreReport, _ store: ContentStore) -> String {
    """
    removed \(Figures.count(report.removed.count, "file")), \
    \(Figures.bytes(report.removed.byteCount))
    \(store.folder): \(report.content)

    """
  }
}

extension StoreReport {
  /// The content of the store, in words.
  fileprivate var content: String {
    let parts = [
      Figures.count(results.count, "result"), Figures.count(blobs.count, "blob"),
      Figures.bytes(byteCount),
    ]
    let unfinished = leftovers.count == 0 ? [] : ["\(leftovers.count) unfinished"]
    return (parts + unfinished).joined(separator: ", ")
  }

  fileprivate func json(of store: ContentStore) -> JSONValue {
    guard case .object(var members) = json else { return json }
    members["store"] = .string(store.folder)
    return .object(members)
  }
}
