import Inputs
package import StrictJSON

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
