package import Inputs
package import StrictJSON

/// How much a compressed model may drift before it is refused.
package struct Limits: Equatable, Sendable {
  /// Named sets of limits, strictest first; the table is in `specs/formats/receipt.md`.
  package enum Profile: String, CaseIterable, Sendable { case strict, standard, lenient }

  /// The limited metrics. The raw value is the key in project files and receipts.
  package enum Key: String, CaseIterable, Sendable {
    /// Least mean cosine between an input's embedding before and after.
    case cosineMean
    /// Least cosine of any input.
    case cosineMin
    /// Most mean change of a pair's similarity, or of an output.
    case similarityDriftMean
    /// Most change of any pair's similarity, or of any output.
    case similarityDriftMax
    /// Least share of nearest neighbours kept.
    case neighbourOverlap
    /// Most rise of the expected calibration error, from the baseline's to the candidate's. No profile has it.
    case calibrationError

    /// The valid range of values; a limit outside it means nothing.
    package var range: ClosedRange<Double> {
      switch self {
      case .cosineMean, .cosineMin: -1...1
      case .similarityDriftMean, .similarityDriftMax: 0...2
      case .neighbourOverlap, .calibrationError: 0...1
      }
    }

    /// Whether values below the limit are refused; otherwise those above it.
    package var isFloor: Bool {
      switch self {
      case .cosineMean, .cosineMin, .neighbourOverlap: true
      case .similarityDriftMean, .similarityDriftMax, .calibrationError: false
      }
    }
  }

  package let profile: Profile
  /// Keys whose limit is not the profile's own, in the order of `Key.allCases`.
  package let overridden: [Key]
  private var values: [Double]

  /// A profile with single limits replaced.
  ///
  /// - Parameter overrides: limits by the raw values of `Key`.
  /// - Throws: `EvaluationError.badLimit` for an unknown key (listing all of them), a limit that is
  ///   not a number or is outside its range.
  package init(
    profile: Profile = .standard, overrides: [String: Double] = [:]
  ) throws(EvaluationError) {
    let unknown = overrides.keys.filter { Key(rawValue: $0) == nil }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard unknown.isEmpty else {
      throw .badLimit(
        fault:
          "unknown \(unknown.count == 1 ? "limit" : "limits") \(Figures.list(unknown)); known: "
          + Key.allCases.map(\.rawValue).joined(separator: ", "))
    }
    var values = Limits.table(profile)
    for (index, key) in Key.allCases.enumerated() {
      guard let value = overrides[key.rawValue] else { continue }
      guard key.range.contains(value) else {
        let lowest = Figures.plain(key.range.lowerBound),
          maximum = Figures.plain(key.range.upperBound)
        throw .badLimit(
          fault: "the limit '\(key.rawValue)' is \(Figures.plain(value)), "
            + "expected a number from \(lowest) to \(maximum)")
      }
      values[index] = value
    }
    self.profile = profile
    self.values = values
    overridden = zip(Key.allCases, zip(values, Limits.table(profile)))
      .filter { $1.0 != $1.1 }.map { $0.0 }
  }

  /// A profile as it is.
  package init(of profile: Profile) {
    self.profile = profile
    values = Limits.table(profile)
    overridden = []
  }

  /// The limits that metrics rounded as in a receipt keep when the metrics themselves kept these:
  /// rounding keeps order, so rounding both sides keeps every comparison.
  var forRecorded: Limits {
    var limits = self
    limits.values = zip(Key.allCases, values).map { key, value in
      guard value.isFinite else { return value }
      // A rise is of two figures, each rounded by itself.
      return Figures.rounded(value) + (key == .calibrationError ? Limits.roundingOfTwo : 0)
    }
    return limits
  }

  // Half a step of each of two recorded figures, and what their difference is rounded by.
  private static let roundingOfTwo = 0.0001 + 1e-9

  // In the order of `Key.allCases`; infinite is no limit. Set from a sweep of real recipes: INT8 per channel passes
  // strict, 6-bit grouped palettes pass standard, 4-bit of a small encoder passes only lenient.
  private static func table(_ profile: Profile) -> [Double] {
    switch profile {
    case .strict: [0.999, 0.995, 0.005, 0.02, 0.95, .infinity]
    case .standard: [0.99, 0.97, 0.01, 0.05, 0.90, .infinity]
    case .lenient: [0.95, 0.80, 0.03, 0.15, 0.80, .infinity]
    }
  }

  /// The limit of a key; infinite where there is none.
  package subscript(key: Key) -> Double {
    // Swift lists the cases of an enumeration in the order they are declared.
    values[Key.allCases.firstIndex(of: key) ?? 0]
  }

  /// Whether there is a limit of a key.
  package func has(_ key: Key) -> Bool { self[key].isFinite }

  /// Whose limit that of a key is.
  func source(of key: Key) -> LimitSource {
    LimitSource(profile: profile, isOverridden: overridden.contains(key))
  }

  /// Every limit that metrics miss. Empty means passed.
  ///
  /// Written so that a value that is not a number misses its limit.
  func misses(_ metrics: DriftMetrics) -> [LimitMiss] {
    var misses: [LimitMiss] = []
    for (key, name, value) in metrics.limited {
      let limit = self[key]
      guard key.isFloor ? value >= limit : value <= limit else {
        misses.append(LimitMiss(key: key, name: name, value: value, limit: limit))
        continue
      }
    }
    return misses
  }
}

/// Limits in receipts and manifests: each by its key, as a decimal in a string.
extension Limits {
  /// Each limit that there is in its shortest form, by its key; the profile is left out.
  package var texts: [String: String] {
    var texts: [String: String] = [:]
    for key in Key.allCases where has(key) { texts[key.rawValue] = Figures.plain(self[key]) }
    return texts
  }

  /// Reads the form of `texts`; every limit of profiles must be there. Other members are left to the caller.
  ///
  /// - Throws: `JSONError` for a limit that is missing, not in its shortest form or out of range.
  package init(_ object: JSONObject, profile: Profile) throws(JSONError) {
    var values: [String: Double] = [:]
    let own = Limits(of: profile)
    for key in Key.allCases where own.has(key) || object.has(key.rawValue) {
      values[key.rawValue] = try ReceiptReader.decimal(key.rawValue, of: object)
    }
    do {
      try self.init(profile: profile, overrides: values)
    } catch {
      throw object.error(error.description, at: object.position)
    }
  }
}

/// A limit that a metric does not keep.
package struct LimitMiss: Equatable, Sendable {
  package let key: Limits.Key
  /// The metric's name in messages.
  package let name: String
  package let value: Double
  package let limit: Double

  /// By how much the limit is missed; not a number where the value is none.
  package var distance: Double { (value - limit).magnitude }

  /// The key of the limit, the metric's name in messages, the value, the bound and the distance
  /// between them.
  package var json: JSONValue {
    [
      "limit": .string(key.rawValue), "metric": .string(name), "value": .double(value),
      "bound": .double(limit), "missedBy": .double(distance),
    ]
  }
}

extension LimitMiss {
  /// Reads the form that `json` writes.
  init(_ object: JSONObject) throws(JSONError) {
    let word = try object.string("limit")
    guard let key = Limits.Key(rawValue: word) else {
      throw object.mismatch(
        "limit", expected: Limits.Key.allCases.map(\.rawValue).joined(separator: ", "),
        try object.required("limit"))
    }
    self.key = key
    name = try object.string("metric")
    // JSON has no form for NaN and infinities.
    value = object.has("value") ? try object.double("value") : .nan
    limit = try object.double("bound")
  }
}
