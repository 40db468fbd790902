import StrictJSON
import WeightCompression
import Weights

/// One tensor with its statistics; types that have no numbers (or none Ingot reads) have none.
struct TensorInspection {
  private let name: TensorName
  private let type: String
  private let shape: [Int]
  let byteCount: Int
  private let role: String?
  private let statistics: TensorStatistics?

  /// - Parameter statistics: nil if there are no numbers.
  init(
    name: TensorName, type: String, shape: [Int], byteCount: Int, role: String?,
    statistics: TensorStatistics?
  ) {
    self.name = name
    self.type = type
    self.shape = shape
    self.byteCount = byteCount
    self.role = role
    self.statistics = statistics
  }

  /// All tensors, a line each.
  static func table(_ tensors: [TensorInspection]) -> String {
    var table = TextTable([
      ("tensor", .left), ("type", .left), ("shape", .left), ("bytes", .right), ("role", .left),
      ("min", .right), ("max", .right), ("mean", .right), ("not finite", .right),
    ])
    for tensor in tensors { table.add(tensor.cells) }
    return table.text
  }

  /// Over the finite values; NaN if no value is finite.
  private var mean: Double {
    guard let moments = statistics?.moments, moments.count > 0 else { return .nan }
    return moments.mean
  }

  private var cells: [String] {
    let numbers: [String]
    if let statistics, !shape.contains(0) {
      numbers = [Double(statistics.minimum), Double(statistics.maximum), mean]
        .map(Figures.significant)
    } else {
      numbers = ["", "", ""]
    }
    let nonFinite = statistics?.nonFinite.count ?? 0
    return [name.text, type, "\(shape)", "\(byteCount)", role ?? ""]
      + numbers + [nonFinite == 0 ? "" : "\(nonFinite)"]
  }

  var json: JSONValue {
    [
      "name": .string(name.text), "type": .string(type),
      "shape": .array(shape.map(JSONValue.integer)), "bytes": .integer(byteCount),
      "role": role.map(JSONValue.string) ?? .null,
      "min": .double(Double(statistics?.minimum ?? .nan)),
      "max": .double(Double(statistics?.maximum ?? .nan)),
      "mean": .double(mean),
      "nonFinite": statistics.map { .integer($0.nonFinite.count) } ?? .null,
    ]
  }
}
