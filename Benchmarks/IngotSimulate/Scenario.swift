import Offers
import PackageNames

/// A version of the repository, as the simulation needs it.
struct Release: Sendable {
  let pack: VersionPack
  let offer: Offer
  /// Bytes of the pack itself.
  let packByteCount: Int

  init(of pack: VersionPack, _ offer: Offer) {
    (self.pack, self.offer) = (pack, offer)
    packByteCount = pack.bytes.count
  }

  var digests: Set<String> { Set(pack.files.map(\.content.sha256)) }

  /// The same with what is said of it.
  func offered(to permyriad: Int, isWithdrawn: Bool = false) -> Offer {
    Offer(
      version: offer.version, bundleIdentifiers: offer.bundleIdentifiers, minSDK: offer.minSDK,
      belowSDK: offer.belowSDK,
      rollout: Rollout(salt: offer.rollout.salt, permyriad: permyriad),
      status: isWithdrawn ? .withdrawn : .active)
  }
}

/// Thirty days: a release to 1, 10 and 100 %; a challenger to 1 and 10 % that is bad, which is found once 2 % of all
/// devices have it, and withdrawn; and the one that mends it, to 1, 10 and 100 %.
struct Scenario {
  static let days = 30
  /// The share of devices that poll on a day, in ten thousand; each day is drawn anew.
  static let onlinePermyriad = 6_000
  /// The share of all devices after which the challenger is found, in ten thousand.
  static let foundPermyriad = 200

  /// A version's share from some hour on.
  private struct Step {
    let hour: Int
    let release: Int
    let permyriad: Int
  }

  private static let steps = [
    Step(hour: 0, release: 0, permyriad: Rollout.whole),
    Step(hour: 2 * 24, release: 1, permyriad: 100),
    Step(hour: 5 * 24, release: 1, permyriad: 1_000),
    Step(hour: 8 * 24, release: 1, permyriad: Rollout.whole),
    Step(hour: 15 * 24, release: 2, permyriad: 100),
    Step(hour: 17 * 24, release: 2, permyriad: 1_000),
    Step(hour: 20 * 24, release: 3, permyriad: 100),
    Step(hour: 22 * 24, release: 3, permyriad: 1_000),
    Step(hour: 25 * 24, release: 3, permyriad: Rollout.whole),
  ]
  /// The challenger, among the releases.
  static let challenger = 2

  /// What metadata offer in an hour, in the order of the releases.
  static func offers(_ releases: [Release], hour: Int, isFound: Bool) -> [Offer] {
    releases.indices.compactMap { place in
      guard let step = steps.last(where: { $0.release == place && $0.hour <= hour }) else {
        return nil
      }
      return releases[place].offered(
        to: step.permyriad, isWithdrawn: place == challenger && isFound)
    }
  }
}
