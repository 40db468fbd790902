import Emission
import Graph
import StrictJSON
import Weights

/// What `inspect` finds out about a weight file or a model.
struct ModelInspection {
  private let weights: WeightCollection
  /// The model, or why there is none; weights alone are worth listing too.
  private let model: Result<Model, any Error>
  private let tensors: [TensorInspection]

  init(_ path: String) throws {
    weights = try WeightCollection.open(path)
    model = Result { [weights] in try ModelLoader.model(of: weights) }
    let used = try? model.get().usedWeights()
    let roles = Dictionary(
      (used ?? []).map { (ExactString($0.name), $0.role.label) }
    ) { first, _ in first }
    tensors = try weights.tensors.map { tensor in
      let role = roles[ExactString(tensor.name)] ?? "unused"
      return try TensorInspection(tensor, role: used == nil ? nil : role)
    }
  }

  var text: String {
    var table = TextTable([
      ("tensor", .left), ("type", .left), ("shape", .left), ("bytes", .right), ("role", .left),
      ("min", .right), ("max", .right), ("mean", .right), ("not finite", .right),
    ])
    for tensor in tensors { table.add(tensor.cells) }
    let bytes = weights.tensors.reduce(0) { $0 + $1.byteCount }
    return """
      \(table.text)
      \(weights.origin): \(weights.format), \(Numbers.count(tensors.count, "tensor")), \
      \(Numbers.bytes(bytes))
      \(modelText)

      """
  }

  private var modelText: String {
    switch model {
    case .success(let model):
      "architecture: \(type(of: model.architecture).name), takes \(model.architecture.input.words), "
        + "gives \(model.architecture.output.words)"
    case .failure(let error): "no model: \(error)"
    }
  }

  var json: JSONValue {
    let architecture: JSONValue =
      if case .success(let model) = model {
        .string(type(of: model.architecture).name)
      } else {
        .null
      }
    return [
      "path": .string(weights.origin), "format": .string(weights.format),
      "architecture": architecture,
      "metadata": .object(weights.metadata.mapValues(JSONValue.string)),
      "tensors": .array(tensors.map(\.json)),
    ]
  }
}

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

  private let tensor: Tensor
  private let role: String?
  private let statistics: Statistics?

  init(_ tensor: Tensor, role: String?) throws {
    self.tensor = tensor
    self.role = role
    statistics = tensor.elementType.isConvertible ? Statistics(try tensor.floats()) : nil
  }

  var cells: [String] {
    let numbers: [String]
    if let statistics, tensor.elementCount > 0 {
      numbers = [Double(statistics.minimum), Double(statistics.maximum), statistics.mean]
        .map(Numbers.short)
    } else {
      numbers = ["", "", ""]
    }
    let nonFinite = statistics?.nonFinite ?? 0
    return [
      tensor.name, tensor.elementType.rawValue, Numbers.shape(tensor.shape),
      "\(tensor.byteCount)", role ?? "",
    ] + numbers + [nonFinite == 0 ? "" : "\(nonFinite)"]
  }

  var json: JSONValue {
    [
      "name": .string(tensor.name), "type": .string(tensor.elementType.rawValue),
      "shape": .array(tensor.shape.map(JSONValue.integer)), "bytes": .integer(tensor.byteCount),
      "role": role.map(JSONValue.string) ?? .null,
      "min": .double(Double(statistics?.minimum ?? .nan)),
      "max": .double(Double(statistics?.maximum ?? .nan)),
      "mean": .double(statistics?.mean ?? .nan),
      "nonFinite": statistics.map { .integer($0.nonFinite) } ?? .null,
    ]
  }
}
