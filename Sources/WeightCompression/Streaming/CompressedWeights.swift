package import Graph

/// The weights of a graph as they will be stored; gives their dequantised values to an executor.
package struct CompressedWeights: WeightSource, CompressedTensors {
  /// In the order in which the graph uses them.
  package let tensors: [CompressedTensor]
  /// Names of tensors in the source that the graph does not use, in the source's order.
  package let unused: [String]
  package let calibration: CalibrationRecord?
  package let planned: [PlannedTensor]
  /// Places in `tensors`, in the order of the names' bytes.
  private let order: [Int]

  /// - Parameter shared: for each tensor stored with an earlier one that equals it, that one's
  ///   name; as many as tensors, or empty.
  package init(
    tensors: [CompressedTensor], unused: [String], shared: [String?] = [],
    calibration: CalibrationRecord? = nil
  ) {
    self.tensors = tensors
    planned = tensors.indices.map {
      PlannedTensor(of: tensors[$0], sharedWith: shared.isEmpty ? nil : shared[$0])
    }
    self.calibration = calibration
    self.unused = unused
    order = tensors.indices.sorted {
      Self.precedes(tensors[$0].name, tensors[$1].name)
    }
  }

  package func forEach(_ body: (CompressedTensor) throws -> Void) rethrows {
    for tensor in tensors { try body(tensor) }
  }

  package var names: [String] { order.map { tensors[$0].name } }

  package func shape(of name: String) -> [Int]? { tensor(named: name)?.shape }

  /// The dequantised values.
  ///
  /// - Throws: `CompressionError.unknownTensor`.
  package func floats(of name: String) throws -> [Float] {
    guard let tensor = tensor(named: name) else { throw CompressionError.unknownTensor(name) }
    return tensor.dequantized()
  }

  /// The tensor whose name has the bytes of `name`.
  package func tensor(named name: String) -> CompressedTensor? {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(tensors[order[middle]].name, name) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < order.count else { return nil }
    let tensor = tensors[order[low]]
    return tensor.name.utf8.elementsEqual(name.utf8) ? tensor : nil
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
