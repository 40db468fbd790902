import ArgumentParser
import StrictJSON
import TUF
import Updates

struct PublishRefreshCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Sign timestamps anew, and snapshots in time, with the online key alone.",
    discussion: """
      They hold for 14 days. Run it daily: devices take nothing new from metadata that expired, and go on with \
      the version they have. A snapshot that holds for another week stays, and devices that have it fetch the \
      timestamp alone.

      Example:
        ingot publish refresh --repository repository --keys keys
      """)

  @OptionGroup var flags: RepositoryFlags
  @OptionGroup var customers: CustomerFlags
  @Flag(
    help: """
      Sign every snapshot: once, after the repository was brought back from a backup, since devices may have \
      later ones than it knows.
      """)
  var snapshots = false

  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      try publishing {
        let walk = try CustomerWalk(flags, customers, console, "signing") { customer, state in
          try refresh(customer, state, console)
        }
        try shared.answer(
          console, text: "\(Figures.count(walk.done.count, "customer")): signed anew\n",
          json: ["apps": walk.apps])
        try walk.requireAll("not signed")
      }
    }
  }

  /// - Returns: nil where a run ended before anything was offered, and nothing is to be signed.
  private func refresh(
    _ customer: CustomerRepository, _ state: CustomerRepository.State, _ console: Console
  ) throws -> Void? {
    guard state.isPublished else { return nil }
    let keys = try flags.keyFolder.keys(of: customer.appID, for: state).keys
    try customer.refresh(keys.online, now: flags.now, all: snapshots)
    let (expiry, soon) = (state.offlineExpiry, flags.now.adding(days: 30))
    if expiry < soon {
      console.warn(
        "\(customer.appID): what the offline keys signed expires at \(expiry)",
        hint: "'ingot publish' signs targets anew, 'ingot publish rotate --same-keys' the root")
    }
    return ()
  }
}
