/// A model over named columns: what is asked for, steps, and what comes out.
///
/// `ONNXModel.read(_:)` makes one. Every step of it has run once, on a row of zeros, when it is there.
package struct TabularGraph: Equatable, Sendable {
  /// The file, for messages.
  package let path: String
  /// Who wrote the file: `skl2onnx 1.20.0`.
  package let library: String
  package let inputs: [TabularInput]
  /// Values that are the same for every row, by their slot.
  package let constants: [Int: TabularColumn]
  /// In an order in which every step comes after those that it reads.
  package let steps: [GraphStep]
  package let outputs: [TabularOutput]
  /// Number of slots: places for the values of a row.
  package let slotCount: Int
  /// Bytes of the file; nil where it is not known.
  var byteCount: Int?

  /// Most numbers that steps may make for a row: a file that uses them has weights or nodes for many of them.
  var numberLimit: Int {
    let most = 1 << 23
    guard let byteCount, byteCount < most else { return most }
    return min(most, (1 << 18) + 64 * byteCount)
  }
}

/// A value that a row has.
package struct TabularInput: Equatable, Sendable {
  package let name: String
  package let type: TabularType
  /// Lengths of the axes, of one row: `[1, features]`, or `[1]`.
  package let shape: [Int]
  package let slot: Int

  /// How many numbers or texts of a row it takes.
  package var count: Int { shape.reduce(1, *) }
}

/// A value that a row gets.
package struct TabularOutput: Equatable, Sendable {
  package let name: String
  package let slot: Int
  package let kind: Kind

  package enum Kind: Equatable, Sendable {
    /// The class, as a whole number or a text.
    case label
    /// A number of each class; names where the file has them.
    case probabilities(TreeLabels?)
    /// Numbers of a regression, or of anything else.
    case numbers
  }
}

/// One step: an operator of the file, with the slots that it reads and writes.
package struct GraphStep: Equatable, Sendable {
  /// As messages call it: `Scaler 'N1'`.
  package let place: String
  package let operation: TabularOperation
  /// nil where an input is left out.
  package let inputs: [Int?]
  /// nil where an output is not wanted.
  package let outputs: [Int?]
}

/// What a row has for one input.
package enum TabularCell: Equatable, Sendable {
  /// NaN where a number is missing.
  case numbers([Double])
  case texts([String])
}
