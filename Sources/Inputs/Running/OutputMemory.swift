package import Graph
import Files
import Tokenization

/// Outputs of models for the inputs of a set, kept for those who run the same model on them later.
package final class OutputMemory: Sendable {
  /// Everything that outputs depend on: the bytes of the model, how it prepares texts, and the
  /// inputs, in the order that puts them into batches.
  package struct Key: Hashable {
    private let model: ModelDigests
    private let preparation: TextPreparation
    private let inputs: [Input]

    /// - Parameter digests: of the model.
    package init(_ model: Model, _ digests: ModelDigests, _ inputs: [Input]) {
      self.model = digests
      preparation = model.architecture.preparation
      self.inputs = inputs
    }
  }

  private let known = Mutex<[Key: OutputMatrix]>([:])

  package init() {}

  /// Whether nothing is kept, so that no key is needed.
  var isEmpty: Bool { known.withLock(\.isEmpty) }

  func outputs(_ key: Key) -> OutputMatrix? { known.withLock { $0[key] } }

  func keep(_ outputs: OutputMatrix, _ key: Key) { known.withLock { $0[key] = outputs } }

  /// The outputs of a key, made at first use.
  package func outputs(_ key: Key, _ make: () throws -> OutputMatrix) rethrows -> OutputMatrix {
    if let known = outputs(key) { return known }
    let made = try make()
    keep(made, key)
    return made
  }
}
