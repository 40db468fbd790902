import Files
import Offers

// How an update is made.
extension UpdateClient {
  func updateLocked(_ progress: @escaping @Sendable (UpdateStep) -> Void) async throws -> Result {
    progress(.asking)
    switch try await decide() {
    case .stay:
      try store.removeDownloads()
      return .upToDate
    case .leave:
      try change { $0.take(nil) }
      return .withdrawn
    case .goBack:
      try change { state in
        state.leave()
        state.leave { !store.isWhole($0) }
      }
      return .wentBack(current)
    case .repair(let own):
      // Its models passed their check, and the bytes are the same.
      let fetched = try await install(own, progress)
      try store.removeDownloads()
      return .repaired(try installed(own), fetchedByteCount: fetched)
    case .take(let best, let withdrawn):
      let fetched = try await install(best, progress)
      progress(.checking)
      try await runCheck(best)
      try change { state in
        state.take(best.name)
        state.forget(withdrawn)
      }
      try store.removeDownloads()
      return .updated(try installed(best), fetchedByteCount: fetched)
    }
  }

  private func installed(_ choice: Choice) throws(UpdateError) -> Version {
    guard let version = version(choice.name) else {
      throw .disk("'\(store.place(choice.name))' is gone")
    }
    return version
  }

  func availabilityLocked() async throws -> Availability {
    switch try await decide() {
    case .stay: .upToDate
    case .leave: .withdrawn
    case .goBack: .goesBack
    case .repair(let own): .damaged(byteCount: installer.byteCount(of: own.pack, as: own.name))
    case .take(let best, _):
      .available(
        version: "\(best.pack.version)",
        byteCount: installer.byteCount(of: best.pack, as: best.name))
    }
  }

  private var installer: Installer {
    Installer(downloader: downloader, store: store, space: space)
  }

  /// Downloads what a version needs, and makes its files.
  ///
  /// - Returns: bytes that were downloaded.
  private func install(
    _ choice: Choice, _ progress: @escaping @Sendable (UpdateStep) -> Void
  ) async throws -> Int {
    var installer = installer
    installer.progress = { progress(.fetching(done: $0, total: $1)) }
    let summary = try await installer.install(choice.pack, as: choice.name)
    try store.keep(choice.bytes, of: choice.name)
    return summary.fetchedByteCount
  }

  /// Checks that an app may end before their end, for whatever reason.
  private static let mostChecks = 2

  /// Has a version's models checked; one whose check fails, or ended the app twice, is not tried again.
  private func runCheck(_ choice: Choice) async throws {
    var count = 0
    try change { count = $0.beginCheck(choice.name) }
    var reason: String?
    if count > Self.mostChecks {
      reason = "its check ended the app \(Self.mostChecks) times"
    } else {
      do {
        try await check.check(store.place(choice.name))
      } catch let error as CancellationError {
        try change { $0.endCheck(choice.name, isRefused: false) }
        throw error
      } catch {
        reason = "\(error)"
      }
    }
    try change { $0.endCheck(choice.name, isRefused: reason != nil) }
    if let reason { throw UpdateError.unfit(version: "\(choice.pack.version)", reason: reason) }
  }
}
