import Graph
import WeightCompression
import Weights

/// The numbers of a model's weights as they were planned: rounded ones of compressed weights, and of others
/// all digits that the source has.
struct TabularNumbers {
  private let source: any WeightSource
  private var changed: [TensorName: [Double]] = [:]
  /// What is noted of each weight, in the order of the plan.
  private(set) var records: [TensorRecord] = []

  init(_ weights: some CompressedTensors, of model: Model) throws {
    source = model.weights
    let planned = weights.planned
    var records: [TensorRecord] = []
    var changed: [TensorName: [Double]] = [:]
    try weights.forEach { tensor in
      records.append(TensorRecord(tensor, planned[records.count]))
      guard tensor.scheme != nil || tensor.isRefitted else { return }
      changed[tensor.name] = tensor.dequantized().map(Double.init)
    }
    self.records = records
    self.changed = changed
  }

  /// All values of a weight, row-major.
  func values(of name: TensorName) throws -> [Double] {
    try changed[name] ?? source.doubles(of: name)
  }
}
