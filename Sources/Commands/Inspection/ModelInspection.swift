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
      return TensorInspection(
        name: tensor.name, type: tensor.elementType.rawValue, shape: tensor.shape,
        byteCount: tensor.byteCount, role: used == nil ? nil : role,
        values: tensor.elementType.isConvertible ? try tensor.floats() : nil)
    }
  }

  var text: String {
    let bytes = weights.tensors.reduce(0) { $0 + $1.byteCount }
    return """
      \(TensorInspection.table(tensors))
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
