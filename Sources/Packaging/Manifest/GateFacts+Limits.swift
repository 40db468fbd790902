import Gate
import Inputs
import StrictJSON

/// The limits that a manifest says its model was held to.
extension GateFacts {
  /// Reads `limits` of a manifest's `gate`: every limit that there is, and nothing else.
  static func limits(
    _ object: JSONObject, profile: String
  ) throws(JSONError) -> Limits? {
    guard object.has("limits"), let profile = Limits.Profile(rawValue: profile) else { return nil }
    let limits = try object.object("limits")
    try limits.allowOnly(Limits.Key.allCases.map(\.rawValue))
    return try Limits(limits, profile: profile)
  }

  /// Holds what the manifest says to what the receipt was written under.
  ///
  /// A manifest older than carried limits names only a profile. That is a promise of all of
  /// the profile's limits, so those of the receipt may be tighter and none may be weaker.
  func checkLimits(_ found: Limits) throws(ArchiveFault) {
    guard let limits else { return try checkBareProfile(found) }
    for key in Limits.Key.allCases where found[key] != limits[key] {
      throw .receiptMismatch(
        path: receipt.string, field: key.words, found: found.figure(key),
        manifest: limits.figure(key))
    }
  }

  private func checkBareProfile(_ found: Limits) throws(ArchiveFault) {
    guard let key = found.weakened.first else { return }
    throw .weakerThanProfile(
      receipt: receipt.string, limit: found.phrase(key), profile: profile,
      own: Figures.plain(Limits(of: found.profile)[key]))
  }
}
