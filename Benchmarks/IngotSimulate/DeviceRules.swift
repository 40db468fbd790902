import Offers

/// What a device is and does when it polls.
struct DeviceRules: Sendable {
  /// Places among the releases, and how much of what was said the device knows.
  struct Device: Sendable {
    var current: UInt8 = 0
    /// The version before, which stays on the device: to leave one that was withdrawn costs no download.
    var previous: UInt8 = 0
    fileprivate var epoch: UInt8 = 0
    fileprivate var week: UInt8 = 0
  }

  /// What devices fetched.
  struct Tally: Sendable {
    var polls = 0
    var metadata = 0
    /// Bytes of models: by deltas, by whole files that differ, and by all files of a version.
    var (deltas, files, versions) = (0, 0, 0)
    /// By the release.
    var installs: [Int]
    var returns = 0

    init(releases: Int) { installs = Array(repeating: 0, count: releases) }

    mutating func add(_ other: Tally) {
      polls += other.polls
      metadata += other.metadata
      deltas += other.deltas
      files += other.files
      versions += other.versions
      for place in installs.indices { installs[place] += other.installs[place] }
      returns += other.returns
    }
  }

  let releases: [Release]
  private let sizes: [String: Int]
  /// Bytes from each release to each other, by deltas and by whole files.
  let byDelta: [[Int]]
  private let byFile: [[Int]]
  let versions: [Int]

  init(_ releases: [Release], _ steps: MetadataSteps) {
    (self.releases, sizes) = (releases, steps.sizes)
    byDelta = releases.map { old in
      releases.map { $0.pack.fetchedByteCount(having: old.digests) }
    }
    byFile = releases.map { old in
      releases.map { new in
        new.pack.files.reduce(0) {
          $0 + (old.digests.contains($1.content.sha256) ? 0 : $1.whole.length)
        }
      }
    }
    versions = releases.map { $0.pack.fetchedByteCount(having: []) }
  }

  /// - Parameters:
  ///   - number: of the device, which its name is made of.
  ///   - epoch: the number of what is offered, from 1.
  func poll(
    _ device: inout Device, _ number: Int, day: Int, _ offers: [Offer], epoch: UInt8,
    _ tally: inout Tally
  ) {
    tally.polls += 1
    tally.metadata += size("timestamp")
    // The daily job signs snapshots once a week.
    let week = UInt8(day / 7 + 1)
    if device.epoch != epoch || device.week != week { tally.metadata += size("snapshot") }
    device.week = week
    guard device.epoch != epoch else { return }
    device.epoch = epoch
    tally.metadata += size("targets")
    guard let sdk = offers[0].minSDK else { return }
    let best = offers.best(
      for: Offers.Device(
        bundleIdentifier: offers[0].bundleIdentifiers[0], sdk: sdk, installID: "device-\(number)"))
    guard let best, let place = releases.firstIndex(where: { $0.offer.version == best.version }),
      place != device.current
    else { return }
    if place == device.previous {
      tally.returns += 1
    } else {
      let current = Int(device.current)
      tally.metadata += releases[place].packByteCount
      tally.deltas += byDelta[current][place]
      tally.files += byFile[current][place]
      tally.versions += versions[place]
      tally.installs[place] += 1
    }
    (device.previous, device.current) = (device.current, UInt8(place))
  }

  private func size(_ role: String) -> Int { sizes[role] ?? 0 }
}
