import ArgumentParser
import Files
import Offers
import StrictJSON
import Updates

struct PublishOfferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offer",
    abstract: "Offer packages to all devices of their customers, or to a share of them.",
    discussion: """
      Each package is verified, and compared with the SHA256SUMS of its build; with --allowed-signers that list, or \
      each archive that is named, must be signed. Its files go into the repository, and the customer's metadata \
      offer it. A version never changes: its packages of later runs must have the same files. Run it again with a \
      larger --rollout to widen a version; the devices that have it keep it. A customer of whom everything is \
      said already costs next to nothing: metadata are signed anew only where they hold for less than 60 days, \
      or timestamps for less than 7.

      A refusal for one customer does not keep the others back: what was offered is said, then each refusal. The \
      exit status is 1 then, or 4 where a package is not sound, not as listed or not signed.

      The order of writes never shows a device a file that is not there, and a run that ended halfway is made \
      good by the next, which removes what it left.

      With --oci the same packages go to a registry:
        ingot publish packages --repository repository --keys keys --oci layout
        skopeo copy oci:layout:APP-VERSION docker://registry.example.com/models/APP:VERSION

      Examples:
        ingot publish . --repository repository --keys keys
        ingot publish packages --repository repository --keys keys --rollout 5%
      """)

  @OptionGroup var published: PublishedPackages
  @OptionGroup var flags: RepositoryFlags

  @Option(
    help: ArgumentHelp(
      """
      The share of devices that take it, 0% to 100%, with up to two decimals. Without it a version that is offered \
      keeps its share, and a new one goes to all.
      """, valueName: "share"))
  var rollout: RolloutShare?

  @Option(
    help: ArgumentHelp(
      """
      Write the packages into this OCI image layout, too, for registries: with ModelPack's media types, one \
      manifest for each customer and version, and the tag APP-VERSION.
      """, valueName: "dir"))
  var oci: String?

  @Flag(
    help: "Offer a version to fewer devices than before: those beyond the share leave it again.")
  var narrow = false

  @Flag(help: "Say what would be offered, and write nothing.")
  var dryRun = false

  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      try publishing {
        let archives = try published.archives(console)
        let progress = ProgressLine(console)
        defer { progress.clear() }
        let publisher = try PackagePublisher(
          flags.repository, flags.keyFolder, layout: oci, now: flags.now, jobs: jobs.count,
          isDry: dryRun)
        let report = publisher.publish(
          archives, permyriad: rollout?.permyriad, narrows: narrow,
          progress: progress.counting("publishing", of: archives.count))
        progress.clear()
        try say(report, of: archives.count, console)
      }
    }
  }

  /// Says what was done for each customer, and then what was not.
  private func say(
    _ report: PackagePublisher.Report, of count: Int, _ console: Console
  ) throws {
    var (faults, expiries) = (CustomerFaults(), ExpiryWarnings(at: flags.now))
    for refusal in report.refusals { faults.add(refusal.error, app: refusal.appID) }
    let outcomes = report.outcomes
    try shared.answer(
      console, text: outcomes.map { $0.text(isDry: dryRun) }.joined(),
      json: [
        "offers": .array(outcomes.map(\.json)), "refused": faults.json, "dryRun": .bool(dryRun),
      ])
    for outcome in outcomes {
      if let note = outcome.note { console.note(note) }
      expiries.look(at: outcome.rootExpires, of: .root, outcome.appID)
    }
    expiries.say(console)
    try faults.requireNone(
      of: count, "package", dryRun ? "would not be offered" : "not offered", console)
  }
}

/// A share of devices, `5%`.
struct RolloutShare: ExpressibleByArgument, CustomStringConvertible {
  let permyriad: Int

  init(permyriad: Int) { self.permyriad = permyriad }

  /// Nil unless it is 0% to 100% with at most two decimals.
  init?(argument: String) {
    guard argument.hasSuffix("%") else { return nil }
    let parts = argument.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      parts[0].utf8.count <= 3, parts.count == 1 || parts[1].utf8.count <= 2,
      let whole = Int(parts[0])
    else { return nil }
    let decimals = parts.count == 2 ? (String(parts[1]) + "0").prefix(2) : "00"
    let permyriad = whole * 100 + (Int(decimals) ?? 0)
    guard permyriad <= Rollout.whole else { return nil }
    self.permyriad = permyriad
  }

  var description: String {
    Figures.text(Double(permyriad) / 100, decimals: 2) + "%"
  }
}
