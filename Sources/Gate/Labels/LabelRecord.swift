import Inputs
package import StrictJSON

/// How well both models decide and know it, where a set has true labels: of every line with a label, because
/// it matters how often one was observed.
package struct LabelRecord: Equatable, Sendable {
  /// A figure of both models.
  package struct Change: Equatable, Sendable {
    package let baseline: Double
    package let candidate: Double

    package init(baseline: Double, candidate: Double) {
      (self.baseline, self.candidate) = (baseline, candidate)
    }

    /// By how much the candidate's is larger; negative where it is smaller.
    package var rise: Double { candidate - baseline }

    /// Both figures for people, with an arrow between.
    package var words: String { Figures.change(baseline, candidate) }

    fileprivate func json(_ number: (Double) -> JSONValue) -> JSONValue {
      ["baseline": number(baseline), "candidate": number(candidate)]
    }
  }

  /// Lines with a true label.
  package let lines: Int
  /// Share of these that a model decides rightly.
  package let accuracy: Change
  /// The expected calibration error; nil of a model that gives no probabilities.
  package let calibrationError: Change?

  package init(lines: Int, accuracy: Change, calibrationError: Change?) {
    (self.lines, self.accuracy) = (lines, accuracy)
    self.calibrationError = calibrationError
  }

  /// One line for people.
  package var words: String {
    "accuracy: \(accuracy.words)"
      + (calibrationError.map { ", calibration error: \($0.words)" } ?? "")
      + "; on \(Figures.count(lines, "labelled line"))"
  }

  /// As an answer gives it.
  package var report: JSONValue { json { .double($0) } }

  /// As a receipt records it.
  var json: JSONValue { json { .string(Figures.recorded($0)) } }

  private func json(_ number: (Double) -> JSONValue) -> JSONValue {
    var members: FindingMembers = ["lines": .integer(lines), "accuracy": accuracy.json(number)]
    if let calibrationError { members["calibrationError"] = calibrationError.json(number) }
    return .object(members)
  }

  /// Reads the form that `json` writes, and nothing else.
  init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly(["lines", "accuracy", "calibrationError"])
    lines = try object.integer("lines", in: 1...ReferenceSet.lineLimit)
    accuracy = try Change("accuracy", of: object)
    calibrationError =
      object["calibrationError"] == nil ? nil : try Change("calibrationError", of: object)
  }
}

extension DriftMetrics {
  /// Takes what a limit of the calibration error is held against; nothing without one.
  mutating func take(_ labels: LabelRecord?, _ limits: Limits) {
    guard limits.has(.calibrationError) else { return }
    // What was not measured keeps no limit.
    calibrationRise = labels?.calibrationError?.rise ?? .nan
  }
}

extension LabelRecord.Change {
  fileprivate init(_ key: String, of parent: JSONObject) throws(JSONError) {
    let object = try ReceiptReader.object(key, of: parent, keys: ["baseline", "candidate"])
    func share(_ side: String) throws(JSONError) -> Double {
      let value = try ReceiptReader.metric(side, of: object)
      guard (0...1).contains(value) else {
        throw object.error(
          "'\(side)' of '\(key)' is \(Figures.plain(value)), expected a number from 0 to 1",
          at: object.position)
      }
      return value
    }
    (baseline, candidate) = (try share("baseline"), try share("candidate"))
  }
}
