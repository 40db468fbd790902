import Inputs
package import StrictJSON

/// The verdict of another profile on a candidate that was refused.
package struct ProfileOutlook: Equatable, Sendable {
  package let profile: Limits.Profile
  /// The profile's own limits that the candidate does not keep.
  package let misses: [LimitMiss]
  /// Flips that the profile does not tolerate.
  package let flips: Int
  /// Whether it is refused for a reason that no profile changes.
  package let isRefusedAnyway: Bool

  /// Whether the candidate would pass.
  package var isPassed: Bool { misses.isEmpty && flips == 0 && !isRefusedAnyway }

  /// The outlook as a sentence.
  package var text: String {
    if isPassed { return "the limits '\(profile.rawValue)' would let it pass" }
    let parts =
      misses.map(\.phrase) + (flips > 0 ? [Figures.count(flips, "flip")] : [])
      + (isRefusedAnyway ? ["no limits change this"] : [])
    return "the limits '\(profile.rawValue)' would refuse it, too: " + parts.joined(separator: ", ")
  }

  /// `profile`, `passes`, `misses`, `flips`, and whether it is `refusedAnyway`.
  package var json: JSONValue {
    [
      "profile": .string(profile.rawValue), "passes": .bool(isPassed),
      "misses": .array(misses.map(\.json)), "flips": .integer(flips),
      "refusedAnyway": .bool(isRefusedAnyway),
    ]
  }
}

extension ProfileOutlook {
  /// Reads the form that `json` writes.
  package init(_ object: JSONObject) throws(JSONError) {
    let word = try object.string("profile")
    guard let profile = Limits.Profile(rawValue: word) else {
      throw object.mismatch(
        "profile", expected: Limits.Profile.allCases.map(\.rawValue).joined(separator: ", "),
        try object.required("profile"))
    }
    self.profile = profile
    var misses: [LimitMiss] = []
    for node in try object.array("misses") {
      guard let miss = node.object else {
        throw object.error("a miss is \(node.kind), expected an object", at: node.position)
      }
      misses.append(try LimitMiss(miss))
    }
    self.misses = misses
    flips = try object.integer("flips")
    isRefusedAnyway = try object.bool("refusedAnyway")
  }
}

extension Evaluation {
  /// Verdicts of looser profiles on findings, and of this trial's own if some of its limits are
  /// replaced; strictest first. Empty if nothing was measured: limits do not change that.
  func outlooks(_ findings: Findings) -> [ProfileOutlook] {
    guard let metrics = findings.metrics else { return [] }
    return Limits.Profile.allCases.drop { $0 != limits.profile }
      .filter { $0 != limits.profile || !limits.overridden.isEmpty }
      .map { profile in
        let own = Limits(of: profile)
        return ProfileOutlook(
          profile: profile, misses: own.misses(metrics),
          flips: findings.flips.count { !($0.margin <= own[.similarityDriftMean]) },
          isRefusedAnyway: findings.isRefusedAnyway)
      }
  }
}
