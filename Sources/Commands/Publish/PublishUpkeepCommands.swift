import ArgumentParser
import Files
import Offers
import PackageNames
import StrictJSON
import TUF
import Updates

struct PublishKeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Make the masters that the keys of all customers are derived from.",
    discussion: """
      The folder holds 'root-1' and 'root-2', which both sign a root; 'targets', which signs what is \
      offered; and 'online', which alone is needed for 'publish refresh'. Keep the roots apart from each other \
      and offline.

      A customer may have keys of its own: a folder named as the app, with private keys of OpenSSH of the same \
      names, for instance made by 'ssh-keygen -t ed25519'.

      Example:
        ingot publish keys keys
      """)

  @Argument(help: ArgumentHelp("The folder to make.", valueName: "dir"))
  var folder: String

  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      try KeyFolder.make(at: folder)
      try shared.answer(
        console, text: "\(folder): four keys; keep root-1 and root-2 apart and offline\n",
        json: ["keys": .string(folder)])
    }
  }
}

struct PublishRefreshCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Sign snapshots and timestamps anew, with the online key alone.",
    discussion: """
      They hold for 14 days. Run it daily: devices take nothing new from metadata that expired, and go on with \
      the version they have.

      Example:
        ingot publish refresh --repository repository --keys keys
      """)

  @OptionGroup var flags: RepositoryFlags
  @OptionGroup var customers: CustomerFlags
  @OptionGroup var shared: SharedOptions

  /// - Returns: whether there was something to sign: not where a run ended before anything was offered.
  private func refresh(_ app: String, _ console: Console) throws -> Bool {
    let customer = flags.customer(app)
    let state = try customer.required()
    guard state.isPublished else { return false }
    try customer.refresh(flags.keyFolder.keys(of: app, for: state).keys.online, now: flags.now)
    let expiry = state.offlineExpiry
    if expiry < flags.now.adding(days: 30) {
      console.warn(
        "\(app): what the offline keys signed expires at \(expiry)",
        hint: "'ingot publish' signs targets anew, 'ingot publish rotate' the root")
    }
    return true
  }

  func run() throws {
    try shared.run { console in
      try publishing {
        let (apps, progress) = (try customers.apps(of: flags), ProgressLine(console))
        defer { progress.clear() }
        var (signed, faults): ([String], [String]) = ([], [])
        for (place, app) in apps.enumerated() {
          progress.show("signing", place, of: apps.count)
          // One that cannot be signed must not let the others expire.
          do {
            if try refresh(app, console) { signed.append(app) }
          } catch {
            faults.append("\(error)")
          }
        }
        progress.clear()
        try shared.answer(
          console, text: "\(Figures.count(signed.count, "customer")): signed anew\n",
          json: ["apps": .array(signed.map { .string($0) })])
        guard faults.isEmpty else {
          throw Failure(
            message: "\(Figures.count(faults.count, "customer")): not signed", details: faults)
        }
      }
    }
  }
}

struct PublishRotateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Have the next generation of keys take over.",
    discussion: """
      The next root is signed by the keys of both, and so is all that hangs on it. Devices follow at their next \
      update, those that bring along an older root, too.

      Without --new-keys the next generation is derived from the same masters, which is of no use against \
      somebody who has one of them: then make new masters, and name them.

      Example:
        ingot publish rotate --repository repository --keys keys --app c2d67cdb-…
      """)

  @OptionGroup var flags: RepositoryFlags
  @OptionGroup var customers: CustomerFlags

  @Option(help: ArgumentHelp("The folder of the keys that take over.", valueName: "dir"))
  var newKeys: String?

  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      try publishing {
        let (apps, progress) = (try customers.apps(of: flags), ProgressLine(console))
        defer { progress.clear() }
        var generations: [String: JSONValue] = [:]
        for (place, app) in apps.enumerated() {
          progress.show("rotating", place, of: apps.count)
          let customer = flags.customer(app)
          let (old, generation) = try flags.keyFolder.keys(of: app, for: try customer.required())
          let next = newKeys == nil ? generation + 1 : 1
          let new = try (newKeys.map { KeyFolder($0) } ?? flags.keyFolder)
            .keys(of: app, generation: next)
          try customer.rotate(from: old, to: new, now: flags.now)
          generations[app] = .integer(next)
        }
        progress.clear()
        try shared.answer(
          console, text: "\(Figures.count(apps.count, "customer")): the next keys take over\n",
          json: ["generations": .object(generations)])
      }
    }
  }
}

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
        let apps = try customers.apps(of: flags)
        var left: [String] = []
        for app in apps {
          let customer = flags.customer(app)
          let state = try customer.required()
          guard let entries = state.withdrawing(version) else { continue }
          let keys = try flags.keyFolder.keys(of: app, for: state).keys
          try customer.publish(entries, keys, now: flags.now)
          left.append(app)
        }
        guard !left.isEmpty else {
          throw PublishError.notOffered(appID: apps.joined(separator: ", "), version: version)
        }
        try shared.answer(
          console, text: left.map { "\($0): \(version) is withdrawn\n" }.joined(),
          json: ["apps": .array(left.map { .string($0) }), "version": .string(version)])
      }
    }
  }
}
