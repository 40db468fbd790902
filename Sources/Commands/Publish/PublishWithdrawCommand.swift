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
      that the app brought along.

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
        let walk = try CustomerWalk(flags, customers, console, "withdrawing", withdraw)
        let fault = "version \(version) is not withdrawn"
        if walk.done.isEmpty {
          try walk.requireAll(fault)
          let apps = try customers.apps(of: flags).joined(separator: ", ")
          throw PublishError.notOffered(appID: apps, version: version)
        }
        try shared.answer(
          console, text: walk.done.map { "\($0.app): \(version) is withdrawn\n" }.joined(),
          json: ["apps": walk.apps, "version": .string(version)])
        try walk.requireAll(fault)
      }
    }
  }

  /// - Returns: nil where it is not offered.
  private func withdraw(
    _ customer: CustomerRepository, _ state: CustomerRepository.State
  ) throws -> Void? {
    guard let entries = state.withdrawing(version) else { return nil }
    let keys = try flags.keyFolder.keys(of: customer.appID, for: state).keys
    try customer.publish(entries, keys, now: flags.now)
    return ()
  }
}
