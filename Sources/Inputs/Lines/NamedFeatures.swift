package import IngotFeatures
import StrictJSON

/// Values of one row by the names of their features, as a line gives them.
package struct NamedFeatures: Hashable, Sendable {
  /// Each once.
  package let names: [String]
  /// One for each name.
  package let values: [FeatureValue]
  /// Numbers of a table that are not written in their shortest form, by their places: `007`, `1.10`. They may
  /// be names of categories.
  private let written: [Int: String]

  /// - Parameter values: one for each name.
  package init(names: [String], values: [FeatureValue], written: [Int: String] = [:]) {
    (self.names, self.values, self.written) = (names, values, written)
  }

  /// Reads `{"battery_level": 0.5, "is_charging": true, "network": "wifi", "age": null}`.
  ///
  /// Names are sorted: rows that differ in the order of their keys are one.
  init(_ object: JSONObject) throws(JSONError) {
    var rows: [(name: String, value: FeatureValue)] = []
    for member in object.members {
      rows.append((member.key, try Self.value(member.value, member.key, object)))
    }
    rows.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    self.init(names: rows.map(\.name), values: rows.map(\.value))
  }

  private static func value(
    _ node: JSONNode, _ name: String, _ object: JSONObject
  ) throws(JSONError) -> FeatureValue {
    switch node.content {
    case .null: return .missing
    case .bool(let truth): return .truth(truth)
    case .string(let text): return .text(text)
    case .number:
      guard let number = node.double, Float(number).isFinite else {
        throw object.error(
          "the feature \(quoted(name)) is \(node.kind), too large for a 32-bit float",
          at: node.position)
      }
      return .number(number)
    case .array, .object:
      throw object.error(
        "the feature \(quoted(name)) is \(node.kind), expected a number, a text, true, false, or "
          + "null where it is missing", at: node.position)
    }
  }

  /// One number for each feature of a schema; see `FeaturePreparer.codes`.
  ///
  /// - Parameters:
  ///   - input: this row, for messages.
  ///   - index: its number.
  func codes(
    by preparer: FeaturePreparer, of input: Input, _ index: Int
  ) throws(EvaluationError) -> [Double] {
    var values = values
    for (place, text) in written where preparer.isCategory(text, of: names[place]) {
      values[place] = .text(text)
    }
    do throws(FeatureError) {
      return try preparer.codes(names: names, values: values)
    } catch {
      throw input.unusable(index, error.description)
    }
  }

  /// The row in one line, at most `limit` features of it.
  func words(_ limit: Int) -> String {
    let shown = zip(names, values).prefix(limit).map { name, value in
      let word =
        switch value {
        case .number(let number): Input.words(number)
        case .truth(let truth): "\(truth)"
        case .text(let text): JSONValue.string(String(text.prefix(20))).compact
        case .missing: "null"
        }
      return "\(JSONValue.string(name).compact): \(word)"
    }
    return "{\((shown + (names.count > limit ? ["…"] : [])).joined(separator: ", "))}"
  }
}
