import Inputs
package import StrictJSON

/// How limits are told: the profile they started from, and the changes to it.
extension Limits {
  /// Keys whose limit is weaker than that of others, in the order of `Key.allCases`.
  ///
  /// Limits are compared, never the names of their profiles.
  package func weaker(than other: Limits) -> [Key] {
    Key.allCases.filter { key in
      let isKept = key.isFloor ? self[key] >= other[key] : self[key] <= other[key]
      return !isKept
    }
  }

  /// Keys whose limit is weaker than the profile's own, in the order of `Key.allCases`. Whoever asks
  /// for less than a profile promises has to say so.
  package var weakened: [Key] { weaker(than: Limits(of: profile)) }

  /// Keys whose limit is tighter than the profile's own, in the order of `Key.allCases`.
  package var tightened: [Key] { Limits(of: profile).weaker(than: self) }

  /// The profile, and each limit that is not its own: `strict, weakened: cosine mean 0`.
  package var words: String {
    let parts = [("weakened", weakened), ("tightened", tightened)].filter { !$0.1.isEmpty }
      .map { word, keys in "\(word): " + keys.map(phrase).joined(separator: ", ") }
    return ([profile.rawValue] + [parts.joined(separator: "; ")].filter { !$0.isEmpty })
      .joined(separator: ", ")
  }

  /// A limit as a number, or `none`.
  package func figure(_ key: Key) -> String { has(key) ? Figures.plain(self[key]) : "none" }

  /// A limit by its name: `cosine mean 0.98`.
  package func phrase(_ key: Key) -> String { "\(key.words) \(figure(key))" }

  /// `profile`, each limit that there is by its key, the keys that are `weakened` and `tightened`, and all of it
  /// in `words`.
  package var report: JSONValue {
    var members: [String: JSONValue] = [
      "profile": .string(profile.rawValue), "words": .string(words),
      "weakened": .array(weakened.map { .string($0.rawValue) }),
      "tightened": .array(tightened.map { .string($0.rawValue) }),
    ]
    for key in Key.allCases where has(key) { members[key.rawValue] = .double(self[key]) }
    return .object(members)
  }
}

extension Limits.Key {
  /// The limit's name for people: `cosine mean`.
  package var words: String {
    switch self {
    case .cosineMean: "cosine mean"
    case .cosineMin: "cosine min"
    case .similarityDriftMean: "similarity drift mean"
    case .similarityDriftMax: "similarity drift max"
    case .neighbourOverlap: "neighbour overlap"
    case .calibrationError: "rise of calibration error"
    }
  }
}
