import Graph
import WeightCompression
import Weights

extension CompressedWeightFile: ModelStorage {
  func format(of model: Model) -> any Format { CompressedSafetensors() }

  func stored(_ reference: WeightReference) throws -> StoredWeight? {
    guard let entry = entries[reference.name] else { return nil }
    let content = try compressed(reference.name, entry).content
    // Trees of equal nodes have fewer numbers than those as trained.
    let tensor = try CompressedTensor(
      WeightReference(reference.name, entry.shape, role: reference.role), content, relativeError: 0)
    if case .same = entry.layout { return StoredWeight(scheme: tensor.scheme, byteCount: 0) }
    return StoredWeight(scheme: tensor.scheme, byteCount: tensor.byteCount)
  }
}
