import Graph
import Weights

/// Lines that no reference reaches and that pass because those moved far that references reach: outputs must show it.
struct ExcusedLines {
  let reference: WeightReference
  let line: RowFinding.Line
  /// Whether references reach a line, one for each.
  let reached: [Bool]
  let isCalibrated: Bool

  /// - Returns: nil unless a line would be refused if the reached ones had not moved.
  init?(_ lines: UnreachedLines, of weight: UnreachedWeight, reached: [Bool], isCalibrated: Bool) {
    guard lines.refused(reached: reached, isCalibrated: isCalibrated, shown: 0) != nil else {
      return nil
    }
    (reference, line) = (weight.reference, weight.line)
    (self.reached, self.isCalibrated) = (reached, isCalibrated)
  }

  /// The lines that moved too far if those that references reach lost no more than outputs show; nil if none did.
  ///
  /// - Parameter shown: the part of it that they show.
  func refused(old: [Float], new: [Float], shown: Double) -> RowFinding? {
    guard let weight = UnreachedWeight(reference, line, old: old, new: new),
      var finding = UnreachedLines(weight)
        .refused(reached: reached, isCalibrated: isCalibrated, shown: shown)
    else { return nil }
    finding.hidden = finding.typical
    return finding
  }

  /// The baseline's values, with each reached line moved as far as the candidate's, in a random direction: all numbers
  /// of a line by the same amount, up or down.
  func scrambled(old: [Float], new: [Float]) -> [Float] {
    guard let weight = UnreachedWeight(reference, line, old: old, new: new) else { return old }
    let layout = weight.layout
    let root = Double(layout.groupCount).squareRoot()
    let steps = RowErrors(old: old, new: new, layout).errors.map { Float($0 / root) }
    var moved = old
    layout.forEachRun(in: 0..<layout.elementCount) { number, range in
      guard reached[number] else { return }
      for place in range { moved[place] += FarTable.isUp(place) ? steps[number] : -steps[number] }
    }
    return moved
  }
}
