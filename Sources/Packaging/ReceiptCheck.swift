import Evaluation
import StrictJSON
import Weights

/// Compares a receipt as it lies in an archive with what the manifest says.
enum ReceiptCheck {
  /// Checks that a receipt is one that was written for this very file.
  ///
  /// - Parameters:
  ///   - bytes: the receipt's entry.
  ///   - file: the entry of the model's file.
  static func check(
    _ bytes: [UInt8], of model: ModelEntry, file: FileEntry
  ) throws(ArchiveFault) {
    let path = model.gate.receipt.string
    let receipt: RecordedReceipt
    do throws(JSONError) {
      receipt = try RecordedReceipt(bytes, origin: path)
    } catch {
      throw .badReceipt(path: path, reason: error.description)
    }
    guard CanonicalJSON.bytes(of: receipt.json) == bytes else {
      throw .badReceipt(path: path, reason: "it is not in the one byte form that packages use")
    }
    for (field, found, expected) in [
      ("candidate", receipt.candidate.hex, file.sha256.hex),
      ("baseline", receipt.baseline.hex, model.gate.baseline.hex),
      ("references", receipt.references.hex, model.gate.references.hex),
      ("profile", receipt.limits.profile.rawValue, model.gate.profile),
    ] where found != expected {
      throw .receiptMismatch(path: path, field: field, found: found, manifest: expected)
    }
    try check(GateFacts.flatten(receipt.json["metrics"]), model.gate.metrics, path)
  }

  private static func check(
    _ found: [String: String], _ expected: [String: String], _ path: String
  ) throws(ArchiveFault) {
    for key in Set(found.keys).union(expected.keys).sorted() where found[key] != expected[key] {
      throw .receiptMismatch(
        path: path, field: key, found: found[key] ?? "nothing",
        manifest: expected[key] ?? "nothing")
    }
  }
}

extension GateFacts {
  /// The metrics of a receipt by dotted names: `cosine.mean`.
  static func flatten(_ value: JSONValue?, _ name: String = "") -> [String: String] {
    switch value {
    case .object(let members):
      members.reduce(into: [:]) { all, member in
        let path = name.isEmpty ? member.key : "\(name).\(member.key)"
        all.merge(flatten(member.value, path)) { first, _ in first }
      }
    case .string(let text): [name: text]
    case .integer(let number): [name: String(number)]
    default: [:]
    }
  }
}

extension JSONValue {
  subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }
}
