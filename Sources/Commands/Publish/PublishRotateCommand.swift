import ArgumentParser
import StrictJSON
import Updates

struct PublishRotateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Have the next generation of keys take over.",
    discussion: """
      The next root is signed by the keys of both, and so is all that hangs on it. Devices follow at their next \
      update, those that bring along an older root, too.

      Without --new-keys the next generation is derived from the same masters, which is of no use against \
      somebody who has one of them: then make new masters, and name them.

      A root holds for 365 days. With --same-keys it is signed anew, and nothing else changes.

      Example:
        ingot publish rotate --repository repository --keys keys --app c2d67cdb-…
      """)

  @OptionGroup var flags: RepositoryFlags
  @OptionGroup var customers: CustomerFlags

  @Option(help: ArgumentHelp("The folder of the keys that take over.", valueName: "dir"))
  var newKeys: String?

  @Flag(
    help:
      "Sign the root anew with the keys in force, which it does not outlive by more than 365 days.")
  var sameKeys = false

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if sameKeys && newKeys != nil {
      throw ValidationError(
        "--same-keys goes on with the keys in force, --new-keys leaves them: choose one")
    }
  }

  func run() throws {
    try shared.run { console in
      try publishing {
        var expiries = ExpiryWarnings(at: flags.now)
        let walk = try CustomerWalk(flags, customers, console, "rotating") { customer, state in
          // With other keys these are signed anew, too.
          if sameKeys {
            expiries.look(at: state.targetsExpire, of: .targets, customer.appID)
            expiries.look(at: state.onlineExpires, of: .timestamp, customer.appID)
          }
          return try rotate(customer, state)
        }
        let generations = Dictionary(uniqueKeysWithValues: walk.done.map { ($0.app, $0.value) })
        let what = sameKeys ? "the root holds for another year" : "the next keys take over"
        try shared.answer(
          console, text: walk.text(what),
          json: [
            "generations": .object(generations.mapValues { .integer($0) }),
            "refused": walk.faults.json,
          ])
        expiries.say(console)
        try walk.requireAll("no next root", console)
      }
    }
  }

  /// - Returns: the generation of the keys that are in force then.
  private func rotate(
    _ customer: CustomerRepository, _ state: CustomerRepository.State
  ) throws -> Int? {
    let (old, generation): (RepositoryKeys, Int)
    do {
      (old, generation) = try flags.keyFolder.keys(of: customer.appID, for: state)
    } catch let error as PublishError {
      // A run that ended early has done it for some.
      guard case .otherKeys = error, let newKeys,
        try KeyFolder(newKeys).signs(state, of: customer.appID)
      else { throw error }
      return 1
    }
    if sameKeys {
      try customer.renewRoot(old, now: flags.now)
      return generation
    }
    let next = newKeys == nil ? generation + 1 : 1
    let new = try (newKeys.map { KeyFolder($0) } ?? flags.keyFolder)
      .keys(of: customer.appID, generation: next)
    try customer.rotate(from: old, to: new, now: flags.now)
    return next
  }
}
