import Explanation
import Files
package import Gate
package import StrictJSON

/// Why the gate refused a model, and what looser profiles would say of it.
package struct ModelRefusal: Equatable, Sendable {
  /// Most important first.
  package let reasons: [String]
  /// Strictest first; empty if no limits change anything.
  package let outlooks: [ProfileOutlook]
  /// The reasons as values, as the gate's `--json` gives them; empty if the gate did not run.
  package let findings: [JSONValue]
  /// What would mend the model, or how to find out; empty where nothing was tried.
  package let mends: [String]
  /// Culprits and mend as values; null where none was looked for.
  package let explanation: JSONValue

  package init(
    reasons: [String], outlooks: [ProfileOutlook] = [], findings: [JSONValue] = [],
    mends: [String] = [], explanation: JSONValue = .null
  ) {
    self.reasons = reasons
    self.outlooks = outlooks
    self.findings = findings
    self.mends = mends
    self.explanation = explanation
  }

  /// The refusal of a verdict that did not pass.
  ///
  /// - Parameter mend: what would mend it; nil of what was made before.
  init(_ verdict: Verdict, _ mend: RefusalMend? = nil, _ naming: UserOption.Names = { _ in nil }) {
    self.init(
      reasons: verdict.reasons, outlooks: verdict.outlooks,
      findings: verdict.refusals.map(\.json.asRead), mends: mend?.lines(naming) ?? [],
      explanation: mend?.json.asRead ?? .null)
  }

  /// The refusal of a model that gives other outputs than were made of it elsewhere.
  init(_ finding: SourceFinding, _ naming: UserOption.Names) {
    self.init(reasons: finding.reasons(naming), findings: [finding.finding(naming).asRead])
  }

  /// The reasons, then a sentence for each profile, then what would mend it.
  package var lines: [String] { reasons + outlooks.map(\.text) + mends }
}

extension ModelRefusal {
  /// The stored form: `reasons`, `findings`, and `profiles`, `mends` and `explanation` if there are any.
  var json: JSONValue {
    var members: [String: JSONValue] = ["reasons": .array(reasons.map(JSONValue.string))]
    members["profiles"] = outlooks.json
    members["findings"] = findings.report
    if !mends.isEmpty { members["mends"] = .array(mends.map(JSONValue.string)) }
    if explanation != .null { members["explanation"] = explanation }
    return .object(members)
  }

  /// Reads what a store keeps, that of before reasons were values too; nil if it says no reason.
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
    findings = object.has("findings") ? try object.array("findings").map(\.value) : []
    mends = object.has("mends") ? try object.array("mends").compactMap(\.string) : []
    explanation = object["explanation"]?.value ?? .null
    if reasons.isEmpty { return nil }
  }
}

extension JSONValue {
  /// The value as it is when it was written and read: a whole number is an integer, and NaN and
  /// infinities are null.
  fileprivate var asRead: JSONValue {
    switch self {
    case .double(let value):
      Int(exactly: value).map(JSONValue.integer) ?? (value.isFinite ? self : .null)
    case .array(let elements): .array(elements.map(\.asRead))
    case .object(let members): .object(members.mapValues(\.asRead))
    case .null, .bool, .integer, .string: self
    }
  }
}

extension [JSONValue] {
  /// The `findings` of a report; nil without any.
  var report: JSONValue? { isEmpty ? nil : .array(self) }
}

extension [ProfileOutlook] {
  /// The `profiles` of a report; nil without any.
  var json: JSONValue? { isEmpty ? nil : .array(map(\.json)) }
}
