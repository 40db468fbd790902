extension WeightCollection {
  /// The weights of several files of one model, under names of their own.
  ///
  /// - Parameters:
  ///   - origin: the model's folder.
  ///   - parts: one or more, each with the prefix of its names; the first gives format and metadata.
  /// - Throws: `WeightsError.tensor` if two have the same name.
  package static func joining(
    _ origin: String, _ parts: [(prefix: String, weights: WeightCollection)]
  ) throws(WeightsError) -> WeightCollection {
    precondition(!parts.isEmpty, "the weights of no file")
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
      origin: origin, format: parts[0].weights.format, tensors: tensors,
      metadata: parts[0].weights.metadata, sources: parts.flatMap(\.weights.sources))
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
