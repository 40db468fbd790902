import Graph
import Files
import Tokenization
import Weights

/// Texts of a set as models see them, kept so that none is tokenised twice for models that prepare texts
/// alike.
final class ViewMemory: Sendable {
  /// All that a view of an input depends on besides the input, and whether there is one: two models of
  /// equal readers see every input alike.
  struct Reader: Hashable {
    /// What the tokenizer is read from, as it is read.
    private var tokenizer: [TokenizerFiles.Name: ContentDigest] = [:]
    /// Of images, all that their pixels depend on; nil where they go by their files.
    private var pixels: ContentDigest?
    private let input: ModelInput
    private let kind: InputKind
    private let preparation: TextPreparation
    private let isPreparedAsOpenCLIP: Bool
    private let minTokens: Int
    private let endToken: Int32?

    /// - Parameter decodes: whether images are looked at by their pixels.
    /// - Throws: errors of reading the files that prepare inputs.
    init(_ model: Model, decodes: Bool = true) throws {
      let architecture = model.architecture
      (input, kind) = (architecture.input, architecture.kind)
      (preparation, minTokens) = (architecture.preparation, architecture.minTokens)
      (endToken, isPreparedAsOpenCLIP) = (architecture.endToken, architecture.isPreparedAsOpenCLIP)
      switch input {
      case .tokens: tokenizer = try model.tokenizerDigests()
      case .image: pixels = decodes ? try model.imageProcessor().digest : nil
      case .features: break
      }
    }

    /// Whether inputs are texts.
    fileprivate var readsTexts: Bool { if case .tokens = input { true } else { false } }
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

  /// Keeps views of texts; numbers are their own, and pixels too many.
  func keep(_ views: [SeenInput], of inputs: [Input], by reader: Reader) {
    guard reader.readsTexts else { return }
    known.withLock { known in
      for (input, view) in zip(inputs, views) { known[reader, default: [:]][input] = view }
    }
  }
}
