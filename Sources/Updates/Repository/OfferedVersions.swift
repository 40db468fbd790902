import Offers

/// The versions that a repository goes on to offer.
struct OfferedVersions {
  /// In the order of their versions.
  let kept: [CustomerRepository.Entry]

  /// Leaves out versions that no device takes any more: others behind them are for every device that they are
  /// for. The ones that deltas are made of stay, and those that were withdrawn, which devices have to leave.
  init(_ entries: [CustomerRepository.Entry]) {
    let sorted = entries.sorted { $0.offer.version < $1.offer.version }
    let recent = sorted.count - VersionPublisher.earlierVersions - 1
    kept = sorted.enumerated().filter { place, entry in
      place >= recent || entry.offer.status == .withdrawn
        || !sorted[(place + 1)...].contains { $0.offer.serves(allOf: entry.offer) }
    }.map(\.element)
  }
}

extension Offer {
  /// Whether every device that may take another version may take this one.
  func serves(allOf other: Offer) -> Bool {
    status == .active && rollout.permyriad == Rollout.whole
      && Set(bundleIdentifiers).isSuperset(of: other.bundleIdentifiers)
      && minSDK.map { own in other.minSDK.map { own <= $0 } ?? false } ?? true
      && belowSDK.map { own in other.belowSDK.map { own >= $0 } ?? false } ?? true
  }
}
