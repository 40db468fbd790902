extension WeightCollection {
  /// The weights of several files of one model, under names of their own.
  ///
  /// - Parameters:
  ///   - origin: the model's folder.
  ///   - parts: each with the prefix of its names.
  /// - Throws: `WeightsError.tensor` if two have the same name.
  package static func joining(
    _ origin: String, _ parts: [(prefix: String, weights: WeightCollection)]
  ) throws(WeightsError) -> WeightCollection {
    var tensors: [Tensor] = []
    var seen: Set<TensorName> = []
    for (prefix, weights) in parts {
      for tensor in weights.tensors {
        let renamed = tensor.renamed("\(prefix)\(tensor.name)")
        guard seen.insert(renamed.name).inserted else {
          throw .tensor(
            name: renamed.name, place: origin, fault: "is in two of the model's files")
        }
        tensors.append(renamed)
      }
    }
    return WeightCollection(
      origin: origin, format: parts.first?.weights.format ?? "safetensors", tensors: tensors,
      metadata: parts.first?.weights.metadata ?? [:], sources: parts.flatMap(\.weights.sources))
  }
}

extension Tensor {
  /// The same values under another name.
  fileprivate func renamed(_ name: TensorName) -> Tensor {
    Tensor(
      name: name, elementType: elementType, shape: shape, elementCount: elementCount, place: place,
      layout: layout, storage: storage)
  }
}
