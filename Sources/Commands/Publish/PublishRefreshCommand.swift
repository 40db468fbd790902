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
        var expiries = ExpiryWarnings(at: flags.now)
        let walk = try CustomerWalk(flags, customers, console, "signing") { customer, state in
          expiries.look(at: state.rootExpires, of: .root, customer.appID)
          expiries.look(at: state.targetsExpire, of: .targets, customer.appID)
          return try refresh(customer, state)
        }
        try shared.answer(
          console, text: walk.text("signed anew"),
          json: ["apps": walk.apps, "refused": walk.faults.json])
        expiries.say(console)
        try walk.requireAll("not signed", console)
      }
    }
  }

  /// - Returns: nil where a run ended before anything was offered, and nothing is to be signed.
  private func refresh(
    _ customer: CustomerRepository, _ state: CustomerRepository.State
  ) throws -> Void? {
    guard state.isPublished else {
      if state.entries.isEmpty { return nil }
      throw PublishError.noTimestamp(appID: customer.appID)
    }
    let online = try flags.keyFolder.online(of: customer.appID, for: state).key
    try customer.refresh(online, now: flags.now, all: snapshots)
    return ()
  }
}
