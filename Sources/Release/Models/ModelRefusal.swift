package import Gate
import StrictJSON

/// Why the gate refused a model, and what looser profiles would say of it.
package struct ModelRefusal: Equatable, Sendable {
  /// Most important first.
  package let reasons: [String]
  /// Strictest first; empty where no limits change anything.
  package let outlooks: [ProfileOutlook]

  package init(reasons: [String], outlooks: [ProfileOutlook] = []) {
    self.reasons = reasons
    self.outlooks = outlooks
  }

  /// What a judgement says that did not pass.
  init(_ judgement: Judgement) {
    self.init(reasons: judgement.reasons, outlooks: judgement.outlooks)
  }

  /// The reasons, then a sentence for each profile.
  package var lines: [String] { reasons + outlooks.map(\.text) }
}

extension ModelRefusal {
  /// What a store keeps: `reasons`, and `profiles` where there are any.
  var json: JSONValue {
    var members: [String: JSONValue] = ["reasons": .array(reasons.map(JSONValue.string))]
    members["profiles"] = outlooks.json
    return .object(members)
  }

  /// Reads what a store keeps; nil where it says no reason.
  init?(_ object: JSONObject) throws(JSONError) {
    reasons = try object.array("reasons").compactMap(\.string)
    var outlooks: [ProfileOutlook] = []
    for node in object.has("profiles") ? try object.array("profiles") : [] {
      guard let profile = node.object else {
        throw object.error("a profile is \(node.kind), expected an object", at: node.position)
      }
      outlooks.append(try ProfileOutlook(profile))
    }
    self.outlooks = outlooks
    if reasons.isEmpty { return nil }
  }
}

extension [ProfileOutlook] {
  /// The `profiles` of a report; nil where there are none.
  var json: JSONValue? { isEmpty ? nil : .array(map(\.json)) }
}
