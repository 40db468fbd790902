import Graph
import Inputs
import StrictJSON

extension Evaluation {
  /// Refuses true labels of a model that gives none, and labels that the model does not have.
  func requireLabels() throws(EvaluationError) {
    guard case .samples(let samples) = references.content,
      let first = samples.first(where: { $0.label != nil })
    else { return }
    guard case .classes(let labels, _, _) = meaning else {
      throw .wrongForm(
        references: references.origin, found: "true labels (line \(first.line))",
        reason: meaning.map { "they are for classifiers, and the model gives \($0.words)" }
          ?? "nothing says which labels outputs are of; give a model")
    }
    let places = LabelPlaces(labels)
    for sample in samples {
      guard let label = sample.label, places[label] == nil else { continue }
      throw .unknownLabel(
        origin: references.origin, line: sample.line, label: label, labels: labels.words)
    }
  }

  /// Refuses a limit of the calibration error where none can be measured.
  func requireLabelsOfLimit() throws(EvaluationError) {
    guard limits.has(.calibrationError) else { return }
    let fault: String
    switch meaning {
    case .classes(_, _, .probabilities):
      guard let own = labelFault else { return }
      fault = own
    case .classes(_, _, .scores): fault = "the model gives scores, which are no probabilities"
    case .embedding, .numbers, .tokenClasses, nil:
      fault = "it is for classifiers" + (meaning.map { ", the model gives \($0.words)" } ?? "")
    }
    throw .unlabelled(
      origin: references.origin, limit: limits.phrase(.calibrationError), fault: fault)
  }

  /// Why true labels say nothing of a calibration error; nil if they do.
  private var labelFault: String? {
    let labels = self.labels
    guard let first = labels.first else { return "no line has a true label" }
    guard references.isFewMeant || labels.count >= ReferenceSet.fewestLines else {
      return "only \(Figures.count(labels.count, "line")) "
        + "\(labels.count == 1 ? "has" : "have") a true label, a proof needs "
        + "\(ReferenceSet.fewestLines)"
    }
    guard labels.contains(where: { ExactString($0) != ExactString(first) }) else {
      return "all true labels are \(quoted(first)), a proof needs lines of two classes"
    }
    return nil
  }

  /// Lines with a true label.
  var labelledLines: Int { labels.count }

  private var labels: [String] {
    guard case .samples(let samples) = references.content else { return [] }
    return samples.compactMap(\.label)
  }

  /// How both models decide lines with true labels; nil without any, or where nothing says what outputs mean.
  ///
  /// - Parameters:
  ///   - whole: the set as it was given, with every line.
  ///   - before: one row for each of its inputs, all finite.
  ///   - after: the same of the candidate.
  func labelRecord(
    of whole: ReferenceSet, _ before: OutputMatrix, _ after: OutputMatrix
  ) -> LabelRecord? {
    guard case .classes(_, _, let scale) = meaning else { return nil }
    let known = knownLabels(of: whole)
    guard !known.isEmpty else { return nil }
    func judge(_ outputs: OutputMatrix) -> (accuracy: Double, calibration: Double) {
      let decisions = known.map { Decision(outputs[$0.input], threshold: singleThreshold ?? 0) }
      let isRight = zip(decisions, known).map { $0.label == $1.label }
      let confidences = zip(decisions, known).map { decision, sample in
        Evaluation.probability(of: decision, in: outputs[sample.input])
      }
      return (
        Double(isRight.count { $0 }) / Double(known.count),
        CalibrationError.expected(confidences, isRight: isRight)
      )
    }
    let (old, new) = (judge(before), judge(after))
    return LabelRecord(
      lines: known.count,
      accuracy: LabelRecord.Change(baseline: old.accuracy, candidate: new.accuracy),
      calibrationError: scale == .probabilities
        ? LabelRecord.Change(baseline: old.calibration, candidate: new.calibration) : nil)
  }

  /// How a baseline's decisions agree with true labels; nil where there are none.
  ///
  /// - Parameters:
  ///   - whole: the set as it was given, with every line.
  ///   - before: one row for each of its inputs, all finite.
  func labelAgreement(of whole: ReferenceSet, _ before: OutputMatrix) -> LabelAgreement? {
    guard case .classes(let labels, _, _) = meaning else { return nil }
    let known = knownLabels(of: whole)
    guard !known.isEmpty else { return nil }
    return LabelAgreement(
      known.map { input, label in
        let decision = Decision(before[input], threshold: singleThreshold ?? 0)
        return LabelAgreement.Line(decided: decision.label, known: label)
      }, labels: labels)
  }

  /// The inputs with a true label, and its place among the model's labels, line by line.
  private func knownLabels(of whole: ReferenceSet) -> [(input: Int, label: Int)] {
    guard case .samples(let samples) = whole.content, case .classes(let labels, _, _) = meaning
    else { return [] }
    let places = LabelPlaces(labels)
    return samples.compactMap { sample in
      sample.label.flatMap { places[$0] }.map { (input: sample.input, label: $0) }
    }
  }

  // The probability of what was decided: of a single output it is that of the second label.
  private static func probability(of decision: Decision, in row: ArraySlice<Float>) -> Double {
    guard row.count == 1 else { return Double(row[row.startIndex + decision.label]) }
    let second = Double(row[row.startIndex])
    return decision.label == 1 ? second : 1 - second
  }

  /// For each class of the baseline what became of its distinct inputs; empty of anything but a classifier.
  ///
  /// - Parameter before: as many rows and columns as `after`, all finite.
  func classFlips(_ before: OutputMatrix, _ after: OutputMatrix) -> [ClassFlips] {
    guard case .classes(let labels, let width, _) = meaning, width > 0 else { return [] }
    let (plain, words) = (labels.plain, labels.words)
    var inputs = [Int](repeating: 0, count: labels.count)
    var moves: [[Int: Int]] = inputs.map { _ in [:] }
    let limit = singleThreshold ?? 0
    for row in 0..<before.rowCount {
      let old = Decision(before[row], threshold: limit).label
      let new = Decision(after[row], threshold: limit).label
      guard inputs.indices.contains(old), inputs.indices.contains(new) else { return [] }
      inputs[old] += 1
      if new != old { moves[old][new, default: 0] += 1 }
    }
    return inputs.indices.map { place in
      ClassFlips(
        label: plain[place], words: words[place], inputs: inputs[place],
        to: moves[place].sorted { $0.key < $1.key }.map {
          ClassFlips.Target(label: plain[$0.key], words: words[$0.key], count: $0.value)
        })
    }
  }
}
