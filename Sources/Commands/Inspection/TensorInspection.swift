import StrictJSON

/// One tensor with its statistics; types that have no numbers (or none Ingot reads) have none.
struct TensorInspection {
  /// Statistics over the finite values.
  private struct Statistics {
    var minimum = Float.infinity
    var maximum = -Float.infinity
    var mean = 0.0
    var nonFinite = 0

    init(_ values: [Float]) {
      var sum = 0.0
      for value in values {
        guard value.isFinite else {
          nonFinite += 1
          continue
        }
        minimum = min(minimum, value)
        maximum = max(maximum, value)
        sum += Double(value)
      }
      mean = values.count > nonFinite ? sum / Double(values.count - nonFinite) : .nan
    }
  }

  private let name: String
  private let type: String
  private let shape: [Int]
  let byteCount: Int
  private let role: String?
  private let statistics: Statistics?

  /// - Parameter values: nil where there are no numbers.
  init(
    name: String, type: String, shape: [Int], byteCount: Int, role: String?, values: [Float]?
  ) {
    self.name = name
    self.type = type
    self.shape = shape
    self.byteCount = byteCount
    self.role = role
    statistics = values.map { Statistics($0) }
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

  private var cells: [String] {
    let numbers: [String]
    if let statistics, !shape.contains(0) {
      numbers = [Double(statistics.minimum), Double(statistics.maximum), statistics.mean]
        .map(Numbers.short)
    } else {
      numbers = ["", "", ""]
    }
    let nonFinite = statistics?.nonFinite ?? 0
    return [name, type, Numbers.shape(shape), "\(byteCount)", role ?? ""]
      + numbers + [nonFinite == 0 ? "" : "\(nonFinite)"]
  }

  var json: JSONValue {
    [
      "name": .string(name), "type": .string(type),
      "shape": .array(shape.map(JSONValue.integer)), "bytes": .integer(byteCount),
      "role": role.map(JSONValue.string) ?? .null,
      "min": .double(Double(statistics?.minimum ?? .nan)),
      "max": .double(Double(statistics?.maximum ?? .nan)),
      "mean": .double(statistics?.mean ?? .nan),
      "nonFinite": statistics.map { .integer($0.nonFinite) } ?? .null,
    ]
  }
}
