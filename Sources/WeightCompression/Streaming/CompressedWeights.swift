package import Graph
package import Weights

/// The weights of a graph as they will be stored; gives their dequantised values to an executor.
package struct CompressedWeights: WeightSource, CompressedTensors {
  /// In the order in which the graph uses them.
  package let tensors: [CompressedTensor]
  /// Names of tensors in the source that the graph does not use, in the source's order.
  package let unused: [TensorName]
  package let calibration: CalibrationRecord?
  package let planned: [PlannedTensor]
  package let thresholds: ThresholdScheme?
  /// Places in `tensors`, in the order of the names' bytes.
  private let order: [Int]

  /// - Parameter shared: for each tensor stored with an earlier one that equals it, that one's
  ///   name; as many as tensors, or empty.
  package init(
    tensors: [CompressedTensor], unused: [TensorName], shared: [TensorName?] = [],
    calibration: CalibrationRecord? = nil, thresholds: ThresholdScheme? = nil
  ) {
    self.tensors = tensors
    planned = tensors.indices.map {
      PlannedTensor(of: tensors[$0], sharedWith: shared.isEmpty ? nil : shared[$0])
    }
    self.calibration = calibration
    self.thresholds = thresholds
    self.unused = unused
    order = tensors.indices.sorted { tensors[$0].name < tensors[$1].name }
  }

  /// Tensors that were made as planned, of all that a source has.
  package init(_ planned: [PlannedTensor], tensors: [CompressedTensor]) {
    self.tensors = tensors
    self.planned = planned
    thresholds = ThresholdScheme(of: planned)
    calibration = nil
    unused = []
    order = tensors.indices.sorted { tensors[$0].name < tensors[$1].name }
  }

  package func forEach(_ body: (CompressedTensor) throws -> Void) rethrows {
    for tensor in tensors { try body(tensor) }
  }

  package var names: [TensorName] { order.map { tensors[$0].name } }

  package func shape(of name: TensorName) -> [Int]? { tensor(named: name)?.shape }

  /// The dequantised values.
  ///
  /// - Throws: `CompressionError.unknownTensor`.
  package func floats(of name: TensorName) throws -> [Float] {
    guard let tensor = tensor(named: name) else { throw CompressionError.unknownTensor(name) }
    return tensor.dequantized()
  }

  /// The tensor of a name.
  package func tensor(named name: TensorName) -> CompressedTensor? {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if tensors[order[middle]].name < name {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < order.count else { return nil }
    let tensor = tensors[order[low]]
    return tensor.name == name ? tensor : nil
  }
}
