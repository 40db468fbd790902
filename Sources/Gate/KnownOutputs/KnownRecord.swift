package import Files
import Inputs
import StrictJSON

/// The part of a receipt on the outputs that a reference set knows to be right.
package struct KnownRecord: Equatable, Sendable {
  /// The origin of known outputs.
  package enum Form: String, CaseIterable, Sendable {
    /// Outputs of the model itself where it was trained; the baseline meets each.
    case outputs
    /// Observed labels and measured values; no model meets each.
    case outcomes
  }

  package let form: Form
  /// Samples with a known output.
  package let samples: Int
  /// Largest difference, rounded as metrics are: of classes as it is, of plain numbers relative to
  /// the range of the known ones.
  package let maxDifference: Double

  /// One line for people.
  package var words: String {
    let difference = "differences up to \(Figures.plain(maxDifference))"
    return form == .outputs
      ? "met on \(Figures.count(samples, "sample")), \(difference)"
      : "\(Figures.count(samples, "observed outcome")), \(difference), which prove nothing of how the "
        + "model is read"
  }

  /// The doubt that observed outcomes leave, for people; nil if the baseline meets exact outputs.
  package var caution: String? { caution { _ in nil } }

  /// The same with options as `name` spells them.
  package func caution(_ name: UserOption.Names) -> String? {
    guard form == .outcomes else { return nil }
    return
      "the known outputs were taken as observed outcomes: they differ from what the model gives "
      + "by up to \(Figures.plain(maxDifference)) (numbers: of their range); this proves nothing of "
      + "how the model is read; give what the model itself gave"
      + (name(.sourceCheck).map { ", or \($0)" } ?? "")
  }

  /// As an answer gives it: what a receipt records, and the caution.
  func report(_ name: UserOption.Names) -> JSONValue {
    var members: [String: JSONValue] = [
      "form": .string(form.rawValue), "samples": .integer(samples),
      "maxDifference": .double(maxDifference),
    ]
    if let caution = caution(name) { members["caution"] = .string(caution) }
    return .object(members)
  }

  /// As a receipt records it.
  var json: JSONValue {
    [
      "form": .string(form.rawValue), "samples": .integer(samples),
      "maxDifference": .string(Figures.recorded(maxDifference)),
    ]
  }

  /// Reads the form that `json` writes, and nothing else.
  init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly(["form", "samples", "maxDifference"])
    guard let form = Form(rawValue: try object.string("form")) else {
      throw object.mismatch(
        "form", expected: Form.allCases.map(\.rawValue).joined(separator: " or "),
        try object.required("form"))
    }
    self.init(
      form: form, samples: try object.integer("samples", in: 1...ReferenceSet.lineLimit),
      maxDifference: try ReceiptReader.metric("maxDifference", of: object))
    guard maxDifference >= 0, form == .outcomes || maxDifference <= KnownOutputs.tolerance else {
      throw object.error(
        "'maxDifference' is \(Figures.plain(maxDifference)), known outputs are met up to "
          + Figures.plain(KnownOutputs.tolerance), at: object.position)
    }
  }

  init(form: Form, samples: Int, maxDifference: Double) {
    self.form = form
    self.samples = samples
    self.maxDifference = Figures.rounded(maxDifference)
  }
}
