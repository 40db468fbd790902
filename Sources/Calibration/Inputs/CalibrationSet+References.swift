package import Evaluation
import StrictJSON
import Weights

extension CalibrationSet {
  /// Refuses a reference set that shares inputs with this set: a model that was fitted to inputs
  /// proves nothing on them. Images are compared by their bytes.
  ///
  /// - Throws: `CalibrationError.isReferenceSet` or `sharedInputs`; `FileError` when an image of the
  ///   reference set cannot be read.
  package func refuse(sharedWith references: ReferenceSet) throws {
    var places: [Key: Int] = [:]
    for (number, input) in references.inputs.enumerated() {
      let key = try Key(input) { try references.images.digest(of: $0) }
      if places[key] == nil { places[key] = number }
    }
    let shared = try inputs.indices.compactMap { number in
      let key = try Key(inputs[number]) { path in
        try imageDigests[ExactString(path)] ?? images.digest(of: path)
      }
      return places[key].map { (own: number, other: $0) }
    }
    guard let first = shared.first else { return }
    if digest == references.digest || shared.count == inputs.count && covers(shared, places.count) {
      throw CalibrationError.isReferenceSet(calibration: origin, references: references.origin)
    }
    throw CalibrationError.sharedInputs(
      calibration: origin, references: references.origin, count: shared.count,
      input: inputs[first.own].label, line: lines[first.own],
      referenceLine: references.lines[first.other])
  }

  /// Whether shared inputs are all that the reference set has.
  private func covers(_ shared: [(own: Int, other: Int)], _ count: Int) -> Bool {
    Set(shared.map(\.other)).count == count
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
