import Graph
import Synchronization
import Tokenization
import Weights

/// Inputs of a set as models see them, kept so that no text is tokenised twice for models that prepare
/// texts alike.
final class ViewMemory: Sendable {
  /// All that a view of an input depends on, and whether there is one.
  struct Reader: Hashable {
    private let files: [String: ContentDigest]
    fileprivate let input: ModelInput
    private let kind: InputKind
    private let preparation: TextPreparation
    private let minTokens: Int
    private let endToken: Int32?
    /// Whether images are looked at by their pixels.
    private let decodes: Bool

    /// - Parameter files: digests of the files that describe the model.
    init(_ model: Model, _ files: [String: ContentDigest], decodes: Bool = true) {
      let architecture = model.architecture
      (self.files, self.decodes) = (files, decodes)
      (input, kind) = (architecture.input, architecture.kind)
      (preparation, minTokens) = (architecture.preparation, architecture.minTokens)
      endToken = architecture.endToken
    }
  }

  private let known = Mutex<[Reader: [Input: SeenInput]]>([:])

  /// Views of inputs in their order; nil where they are not of all.
  func views(of inputs: [Input], by reader: Reader) -> [SeenInput]? {
    known.withLock { known in
      guard let views = known[reader] else { return nil }
      let found = inputs.compactMap { views[$0] }
      return found.count == inputs.count ? found : nil
    }
  }

  /// The tokens of texts in their order; nil where they are not of all.
  func tokens(of inputs: [Input], by reader: Reader) -> [TextTokens]? {
    guard let views = views(of: inputs, by: reader) else { return nil }
    let tokens: [TextTokens] = views.compactMap {
      if case .tokens(let tokens) = $0 { tokens } else { nil }
    }
    return tokens.count == inputs.count ? tokens : nil
  }

  /// Keeps views that took work; of numbers they are the numbers.
  func keep(_ views: [SeenInput], of inputs: [Input], by reader: Reader) {
    if case .features = reader.input { return }
    known.withLock { known in
      for (input, view) in zip(inputs, views) { known[reader, default: [:]][input] = view }
    }
  }
}
