package import Evaluation
package import Graph
import StrictJSON
import Weights

extension CalibrationSet {
  /// What becomes of inputs that the reference set holds too.
  package enum Overlap: Sendable {
    /// They are an error.
    case refused
    /// They are left out.
    case dropped
  }

  /// The set besides a reference set: a model that was fitted to inputs proves nothing on them.
  ///
  /// - Parameter input: what the model takes, so that columns of features are compared in its order.
  /// - Returns: the set without the inputs that were dropped, and how many those are.
  /// - Throws: `CalibrationError.isReferenceSet`, `sharedInputs`, or `nothingLeft`; `EvaluationError`
  ///   when columns are not the model's features; `FileError` when an image of the reference set
  ///   cannot be read.
  package func besides(
    _ references: ReferenceSet, _ overlap: Overlap, for input: ModelInput
  ) throws -> (set: CalibrationSet, dropped: Int) {
    let set = try arranged(for: input)
    let references = try references.arranged(for: input)
    guard case .dropped = overlap else {
      try set.refuse(sharedWith: references)
      return (set, 0)
    }
    let shared = try set.shared(with: references)
    guard shared.count < inputs.count else {
      throw CalibrationError.nothingLeft(calibration: origin, references: references.origin)
    }
    return (set.leavingOut(Set(shared.map(\.own))), shared.count)
  }

  /// Says that inputs were dropped.
  package static func droppedWords(_ count: Int, of path: String) -> String {
    "\(path): \(Figures.count(count, "input")) of the reference set left out of the calibration"
  }

  /// Refuses a reference set that shares inputs with this set. Images are compared by their bytes.
  ///
  /// - Throws: `CalibrationError.isReferenceSet` or `sharedInputs`; `FileError` when an image of the
  ///   reference set cannot be read.
  func refuse(sharedWith references: ReferenceSet) throws {
    let shared = try shared(with: references)
    guard let first = shared.first else { return }
    let isAll =
      shared.count == inputs.count && Set(shared.map(\.other)).count == references.inputs.count
    if digest == references.digest || isAll {
      throw CalibrationError.isReferenceSet(calibration: origin, references: references.origin)
    }
    throw CalibrationError.sharedInputs(
      calibration: origin, references: references.origin, count: shared.count,
      input: inputs[first.own].label, line: lines[first.own],
      referenceLine: references.lines[first.other])
  }

  // Numbers of the inputs that are in both sets.
  private func shared(with references: ReferenceSet) throws -> [(own: Int, other: Int)] {
    var places: [Key: Int] = [:]
    for (number, input) in references.inputs.enumerated() {
      let key = try Key(input) { try references.images.digest(of: $0) }
      if places[key] == nil { places[key] = number }
    }
    return try inputs.indices.compactMap { number in
      let key = try Key(inputs[number]) { path in
        try imageDigests[ExactString(path)] ?? images.digest(of: path)
      }
      return places[key].map { (own: number, other: $0) }
    }
  }

  /// What makes two inputs the same, wherever they lie.
  private enum Key: Hashable {
    case input(Input)
    case image(String)

    init(_ input: Input, digest: (String) throws -> ContentDigest) throws {
      if case .image(let path) = input {
        self = .image(try digest(path).hex)
      } else {
        self = .input(input)
      }
    }
  }
}
