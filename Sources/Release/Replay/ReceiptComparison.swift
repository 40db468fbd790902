import Gate
import StrictJSON

/// Collects the differences between a recorded receipt and the values found now.
struct ReceiptComparison {
  /// Steps of a metric's last recorded decimal that two machines may be apart: their floats differ
  /// in the last bits, which turns the rounding of a value on a boundary.
  static let metricSteps = 1

  /// In the order of comparison.
  private(set) var differences: [ReplayDifference] = []

  /// Compares one value; nil is a value that is not there.
  mutating func compare(
    _ subject: ReplayDifference.Subject, _ recorded: String?, _ found: String?
  ) {
    guard recorded != found else { return }
    differences.append(.receipt(subject, recorded: recorded, found: found))
  }

  /// Every difference of two receipts, sorted by field.
  ///
  /// Digests, limits and counts must be equal; metrics may be one step of their last recorded
  /// decimal apart.
  static func differences(
    recorded: RecordedReceipt, found: DriftReceipt
  ) -> [ReplayDifference] {
    var comparison = ReceiptComparison()
    let (old, new) = (fields(of: recorded.json), fields(of: found.json))
    for field in Set(old.keys).union(new.keys).sorted() {
      // A receipt of before known outputs were looked at says nothing of them.
      if recorded.known == nil, field.hasPrefix("knownOutputs.") { continue }
      // Nor does one of before distinct inputs were counted.
      if !recorded.metrics.countsDistinct,
        field.hasPrefix("metrics.distinct.") || field.hasPrefix("warnings.")
      {
        continue
      }
      // The same of one of before anybody looked at what references reach.
      if recorded.coverage == nil, field.hasPrefix("coverage.") { continue }
      // The same of one of before flips were counted by class.
      if recorded.classes.isEmpty, field.hasPrefix("classes.") { continue }
      if measured.contains(where: field.hasPrefix), let first = old[field]?.steps,
        let second = new[field]?.steps,
        abs(first - second) <= metricSteps
      {
        continue
      }
      comparison.compare(.field(field), old[field]?.text, new[field]?.text)
    }
    return comparison.differences
  }

  /// Prefixes of the names of measured figures.
  private static let measured = [
    "metrics.", "labels.accuracy.", "labels.calibrationError.", "knownOutputs.maxDifference",
    "sourceCheck.cosine.", "sourceCheck.maxDifference",
  ]

  /// A value of a receipt.
  private struct Field {
    let text: String
    /// A decimal in steps of its last recorded digit; nil for what is not one.
    let steps: Int?
  }

  /// The values of a receipt by dotted names: `metrics.cosine.min`.
  private static func fields(of value: JSONValue, _ name: String = "") -> [String: Field] {
    func inside(_ key: String) -> String { name.isEmpty ? key : "\(name).\(key)" }
    switch value {
    case .object(let members):
      return members.reduce(into: [:]) { all, member in
        all.merge(fields(of: member.value, inside(member.key))) { first, _ in first }
      }
    case .array(let values):
      return values.enumerated().reduce(into: [:]) { all, element in
        all.merge(fields(of: element.element, inside("\(element.offset + 1)"))) { first, _ in first
        }
      }
    case .string(let text): return [name: Field(text: text, steps: steps(of: text, name))]
    default: return [name: Field(text: value.compact, steps: nil)]
    }
  }

  /// A decimal in the steps that receipts record: ten-thousandths, and finer ones for a source check.
  private static func steps(of text: String, _ name: String) -> Int? {
    guard let value = Double(text), value.magnitude < 1e9 else { return nil }
    let perUnit =
      name.hasPrefix("sourceCheck.cosine.")
      ? 10_000_000.0 : name.hasPrefix("sourceCheck.") ? 100_000 : 10_000
    return Int((value * perUnit).rounded())
  }
}
