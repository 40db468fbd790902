import Formats
import Graph
import WeightCompression
import Weights

/// How each tensor of a weight file is used.
struct TensorUses {
  private let models: [Model]?
  private let weights: [TensorName: WeightReference]
  private let isCompressed: Bool
  /// Arrays of trees, which are told of together.
  private let trees: Set<TensorName>

  /// - Parameter models: those the file holds; nil if it is not a model.
  init(of models: [Model]?, in file: WeightCollection) {
    let used = try? models?.flatMap { try $0.usedWeights() }
    self.models = used == nil ? nil : models
    weights = Dictionary((used ?? []).map { ($0.name, $0) }) { first, _ in first }
    let placed = try? models?.flatMap { try PlacedTrees.all(of: $0.architecture) }
    trees = Set((placed ?? []).flatMap(\.tensorNames))
    isCompressed = ModelFormat.written(file) != nil
  }

  /// A word for the table; nil if there is not a model.
  func label(of tensor: Tensor) -> String? {
    guard models != nil else { return nil }
    return weights[tensor.name]?.role.label ?? part(tensor.name) ?? purpose(of: tensor) ?? "unused"
  }

  // What of a compressed weight a tensor is that has a name of its own: `NAME:PART`.
  private func part(_ name: TensorName) -> String? {
    guard isCompressed, let colon = name.text.lastIndex(of: ":"),
      let weight = weights[TensorName(String(name.text[..<colon]))]
    else { return nil }
    return "\(name.text[colon...].dropFirst()) of \(weight.role.label)"
  }

  /// The tensor as it is diagnosed.
  func diagnosed(_ tensor: Tensor) -> DiagnosedTensor {
    let weight = weights[tensor.name]
    let use: DiagnosedTensor.Use
    if isCompressed {
      use = .stored
    } else if let weight {
      use = .weight(weight.role)
    } else if models != nil {
      use = .unused(purpose(of: tensor) ?? "the model does not use it")
    } else {
      use = .unknown
    }
    return DiagnosedTensor(
      tensor.name, isCompressed ? tensor.shape : weight?.shape ?? tensor.shape, use,
      type: tensor.elementType.rawValue, isInteger: tensor.elementType.isInteger,
      isOfTrees: trees.contains(tensor.name))
  }

  // The purpose of a tensor that no graph uses; nil when it is unknown.
  private func purpose(of tensor: Tensor) -> String? {
    models?.lazy.compactMap { $0.architecture.role(ofUnused: tensor.name) }.first
  }
}

extension ElementType {
  /// Whether all its values are whole numbers or truth values.
  fileprivate var isInteger: Bool {
    switch self {
    case .bool, .u8, .i8, .u16, .i16, .u32, .i32, .u64, .i64: true
    case .f4, .f6E2M3, .f6E3M2, .f8E5M2, .f8E4M3, .f8E8M0, .f8E4M3FNUZ, .f8E5M2FNUZ, .f16, .bf16,
      .f32, .c64, .f64:
      false
    }
  }
}
