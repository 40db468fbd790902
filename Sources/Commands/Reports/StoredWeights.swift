import Formats
import Graph
import Reports
import WeightCompression
import Weights

/// The weights of a model that was made before, as its files hold them.
enum StoredWeights {
  /// Every weight that the model uses, with its scheme and its bytes.
  ///
  /// - Throws: errors from reading what a program stores.
  static func all(of model: Model) throws -> [ReportedWeight] {
    let storage = ModelFormat.storage(ofOpened: model)
    let tensors = (model.weights as? WeightCollection)?.tensors ?? []
    let sizes = Dictionary(tensors.map { ($0.name, $0.byteCount) }) { first, _ in first }
    var seen: Set<TensorName> = []
    return try model.usedWeights().filter { seen.insert($0.name).inserted }.compactMap { weight in
      let stored = try storage?.stored(weight)
      // Of other tools' files only the sizes are known, and of some nothing.
      guard let bytes = stored?.byteCount ?? sizes[weight.name] else { return nil }
      return ReportedWeight(
        name: weight.name.text, shape: weight.shape, scheme: stored?.scheme?.label ?? "kept",
        byteCount: bytes, error: nil)
    }
  }
}
