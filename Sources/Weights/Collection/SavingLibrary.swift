import StrictJSON

/// A library that saved a folder, and so decides which of its files holds the weights.
package enum SavingLibrary: Sendable {
  /// The model's own folder: `model.safetensors`, or its index with the shards.
  case transformers
  /// The folder of a module behind the transformer: only `model.safetensors`.
  case sentenceTransformers

  /// Whether shards are read.
  var readsIndex: Bool { self == .transformers }

  /// The files that Ingot reads as the library does, by name, for messages.
  var namesRead: String {
    readsIndex
      ? "\(WeightCollection.modelName) and \(WeightCollection.indexName)"
      : WeightCollection.modelName
  }

  private var name: String { readsIndex ? "transformers" : "sentence-transformers" }

  /// Names that the library tries when its safetensors file is missing, in this order.
  private var others: [String] {
    readsIndex ? ["pytorch_model.bin", "pytorch_model.bin.index.json"] : ["pytorch_model.bin"]
  }

  /// The only safetensors file of a folder in which the library finds nothing.
  func onlyCandidate(of names: [String]) -> String? {
    let candidates = names.filter { $0.hasSuffix(".safetensors") }
    return candidates.count == 1 && !names.contains(where: others.contains) ? candidates[0] : nil
  }

  /// The error for weights under other names; nil if the folder has none.
  func refusal(of names: [String], in folder: String) -> WeightsError? {
    let endings = [".safetensors", ".npz", ".npy"]
    guard
      let stray = endings.lazy.compactMap({ ending in names.first { $0.hasSuffix(ending) } }).first
    else { return nil }
    let read = names.first(where: others.contains).map { "\(name) reads \(quoted($0)) here" }
    return .malformed(
      place: folder,
      fault: "has \(quoted(stray)) and no \(quoted(WeightCollection.modelName)); "
        + "\(read ?? "\(name) reads \(namesRead)"), never that file; \(wayOut(stray))")
  }

  private func wayOut(_ stray: String) -> String {
    let again = "save the model again with safe_serialization=True"
    if stray.hasPrefix("adapter_") {
      return "an adapter is no model: merge it into one (merge_and_unload) and save that"
    }
    guard stray.hasSuffix(".safetensors") else { return again }
    return "\(again), or rename \(quoted(stray)) if it holds the model's weights"
  }
}
