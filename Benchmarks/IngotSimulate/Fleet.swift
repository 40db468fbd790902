import Files
import Offers
import StrictJSON

/// Many devices of one customer, hour by hour. A device polls at its own hour of each day on which it is online.
/// Everything follows from the number of devices.
struct Fleet {
  private let rules: DeviceRules
  private let jobs: Int
  private var devices: [DeviceRules.Device]
  private var total: DeviceRules.Tally
  private var foundHour: Int?
  private var busiestHour = 0

  private static let runLength = 50_000

  init(_ rules: DeviceRules, devices: Int, jobs: Int) {
    (self.rules, self.jobs) = (rules, jobs)
    self.devices = Array(repeating: DeviceRules.Device(), count: devices)
    total = DeviceRules.Tally(releases: rules.releases.count)
  }

  mutating func run(days: Int) {
    var (epoch, before) = (UInt8(0), [Offer]())
    for hour in 0..<days * 24 {
      let offers = Scenario.offers(rules.releases, hour: hour, isFound: foundHour != nil)
      if offers != before { (epoch, before) = (epoch + 1, offers) }
      let tally = poll(hour, offers, epoch)
      total.add(tally)
      busiestHour = max(busiestHour, tally.deltas + tally.metadata)
      let bad = total.installs[Scenario.challenger] * Rollout.whole
      if foundHour == nil, bad >= Scenario.foundPermyriad * devices.count { foundHour = hour }
    }
  }

  /// Has the devices poll whose hour it is.
  private mutating func poll(
    _ hour: Int, _ offers: [Offer], _ epoch: UInt8
  ) -> DeviceRules.Tally {
    let (day, slot) = (hour / 24, hour % 24)
    let own = devices.count * slot / 24..<devices.count * (slot + 1) / 24
    let runs = stride(from: own.lowerBound, to: own.upperBound, by: Self.runLength).map {
      $0..<min($0 + Self.runLength, own.upperBound)
    }
    let (rules, known) = (rules, devices)
    let results = Workers.map(runs.count, jobs: jobs) { run in
      var tally = DeviceRules.Tally(releases: rules.releases.count)
      var changed = Array(known[runs[run]])
      for (place, number) in runs[run].enumerated() where Self.isOnline(number, day) {
        rules.poll(&changed[place], number, day: day, offers, epoch: epoch, &tally)
      }
      return (tally, changed)
    }
    var tally = DeviceRules.Tally(releases: rules.releases.count)
    for (run, result) in zip(runs, results) {
      tally.add(result.0)
      devices.replaceSubrange(run, with: result.1)
    }
    return tally
  }

  /// Whether a device polls on a day: a draw of its own for each, by the finaliser of SplitMix64.
  private static func isOnline(_ number: Int, _ day: Int) -> Bool {
    var bits = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(day) &* 0xD1B5_4A32_D192_ED03
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return (bits ^ (bits >> 31)) % UInt64(Rollout.whole) < UInt64(Scenario.onlinePermyriad)
  }

  var report: JSONValue {
    let last = rules.releases.count - 1
    return [
      "devices": .integer(devices.count), "days": .integer(Scenario.days),
      "polls": .integer(total.polls), "metadataBytes": .integer(total.metadata),
      "modelBytes": [
        "withDeltas": .integer(total.deltas), "wholeFiles": .integer(total.files),
        "wholeVersions": .integer(total.versions),
      ],
      "installs": .array(total.installs.map { .integer($0) }), "returns": .integer(total.returns),
      "challengerFoundInHour": foundHour.map { .integer($0) } ?? .null,
      "onNewest": .integer(devices.count { Int($0.current) == last }),
      "stillOnChallenger": .integer(devices.count { Int($0.current) == Scenario.challenger }),
      "busiestHourBytes": .integer(busiestHour),
      "updateBytes": .array((0..<last).map { .integer(rules.byDelta[$0][$0 + 1]) }),
      "wholeBytes": .array(rules.versions.map { .integer($0) }),
    ]
  }
}
