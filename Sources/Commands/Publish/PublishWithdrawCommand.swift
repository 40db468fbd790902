import ArgumentParser
import PackageNames
import StrictJSON
import Updates

struct PublishWithdrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "Have devices leave a version.",
    discussion: """
      At their next update devices go to the highest version that is still offered to them, or to the models \
      that the app brought along. A version that is withdrawn already stays so, and nothing is written.

      Example:
        ingot publish withdraw 1.4.0 --repository repository --keys keys --app c2d67cdb-…
      """)

  @Argument(help: "The version.")
  var version: String

  @OptionGroup var flags: RepositoryFlags
  @OptionGroup var customers: CustomerFlags
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard SemanticVersion(version) != nil else {
      throw ValidationError("'\(version)' is not a version such as 1.4.0")
    }
  }

  func run() throws {
    try shared.run { console in
      try publishing {
        var expiries = ExpiryWarnings(at: flags.now)
        let walk = try CustomerWalk(flags, customers, console, "withdrawing") { customer, state in
          expiries.look(at: state.rootExpires, of: .root, customer.appID)
          return try withdraw(customer, state)
        }
        if walk.done.isEmpty && walk.faults.isEmpty {
          let apps = try customers.apps(of: flags).joined(separator: ", ")
          throw PublishError.notOffered(appID: apps, version: version)
        }
        try shared.answer(
          console,
          text: walk.done.map { app, isNew in
            "\(app): \(version) is withdrawn\(isNew ? "" : " already")\n"
          }.joined(),
          json: [
            "apps": walk.apps, "version": .string(version), "refused": walk.faults.json,
            "already": .array(walk.done.filter { !$0.value }.map { .string($0.app) }),
          ])
        expiries.say(console)
        try walk.requireAll("version \(version) is not withdrawn", console)
      }
    }
  }

  /// - Returns: whether anything was to be done; nil where it is not offered.
  private func withdraw(
    _ customer: CustomerRepository, _ state: CustomerRepository.State
  ) throws -> Bool? {
    guard let entries = state.withdrawing(version) else {
      return state.isWithdrawn(version) ? false : nil
    }
    let keys = try flags.keyFolder.keys(of: customer.appID, for: state).keys
    try customer.publish(entries, insteadOf: state.entries, keys, now: flags.now)
    return true
  }
}
