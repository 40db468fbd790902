import ArgumentParser
import Files
import Offers
import Packaging
import Signatures
import StrictJSON
import Updates

struct PublishOfferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offer",
    abstract: "Offer packages to all devices of their customers, or to a share of them.",
    discussion: """
      Each package is verified, its files go into the repository, and the customer's metadata offer it. A \
      version never changes: its packages of later runs must have the same files. Run it again with a larger \
      --rollout to widen a version; the devices that have it keep it.

      The order of writes never shows a device a file that is not there, and a run that ended halfway is made \
      good by the next.

      Example:
        ingot publish packages --repository repository --keys keys --rollout 5%
      """)

  @Argument(
    help: ArgumentHelp(
      "Package archives, or the output folder of a build: the newest package of each customer.",
      valueName: "packages"))
  var packages: [String]

  @OptionGroup var flags: RepositoryFlags

  @Option(
    help: ArgumentHelp(
      "The share of devices that take it, 0% to 100%, with up to two decimals.", valueName: "share")
  )
  var rollout: RolloutShare = RolloutShare(permyriad: Rollout.whole)

  @Flag(help: "Say what would be offered, and write nothing.")
  var dryRun = false

  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      try publishing {
        let archives = try packages.flatMap(Self.archives)
        let progress = ProgressLine(console)
        defer { progress.clear() }
        var outcomes: [PackagePublisher.Outcome] = []
        let publisher = try PackagePublisher(
          flags.repository, flags.keyFolder, now: flags.now, workers: jobs.count, isDry: dryRun)
        for (place, archive) in archives.enumerated() {
          progress.show("publishing", place, of: archives.count)
          outcomes.append(try publisher.publish(archive, permyriad: rollout.permyriad))
        }
        progress.clear()
        try shared.answer(
          console, text: outcomes.map { $0.text(isDry: dryRun) }.joined(),
          json: ["offers": .array(outcomes.map(\.json)), "dryRun": .bool(dryRun)])
      }
    }
  }

  /// The archives that an argument means.
  private static func archives(_ path: String) throws -> [String] {
    guard Folder.kind(of: path) == .folder else { return [path] }
    let list = Folder.join(path, SumsFile.name)
    let sums = try SumsFile(
      try MappedFile.contents(of: list, limit: SumsFile.sizeLimit), origin: list)
    let newest = NewestPackages(of: sums)
    guard !newest.paths.isEmpty else {
      throw Failure(
        message: "\(path): its \(SumsFile.name) lists no package",
        hint: "name the output folder of 'ingot build', or archives")
    }
    return newest.paths.map { Folder.join(path, $0) }
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

  var defaultValueDescription: String { description }
}

extension PackagePublisher.Outcome {
  fileprivate func text(isDry: Bool) -> String {
    let verb = isDry ? "would be offered" : isNew ? "is offered" : "goes on to be offered"
    let share = RolloutShare(permyriad: permyriad)
    let update = before.map { before in
      ", \(Figures.bytes(updateByteCount ?? 0)) for those that have \(before)"
    }
    return
      "\(appID): \(version) \(verb) to \(share) of devices, \(Figures.bytes(wholeByteCount)) to fetch\(update ?? "")\n"
  }

  fileprivate var json: JSONValue {
    [
      "app": .string(appID), "version": .string("\(version)"), "isNew": .bool(isNew),
      "permyriad": .integer(permyriad), "installedBytes": .integer(installedByteCount),
      "wholeBytes": .integer(wholeByteCount),
      "updateBytes": updateByteCount.map { .integer($0) } ?? .null,
      "before": before.map { .string("\($0)") } ?? .null,
    ]
  }
}
