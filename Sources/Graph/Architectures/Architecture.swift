import StrictJSON
package import Tokenization
package import Weights

/// A kind of model that Ingot can run: describes its input and output, and builds its graph.
package protocol Architecture: Sendable {
  /// The name in messages and metadata.
  static var name: String { get }
  /// Paths of the describing files it was made from; a compressed model carries them.
  var describingFiles: [String] { get }
  /// The kind and size of one input.
  var input: ModelInput { get }
  /// The kind and size of one output.
  var output: ModelOutput { get }
  /// The name of the output for those who read it, fit for an identifier of MIL.
  var outputName: String { get }
  /// The shapes for which graphs exist.
  var shapes: GraphShapes { get }
  /// Names of values that a device computes in float16, which ends at 65504.
  var float16Values: Set<String> { get }
  /// Which of a model's encoders this is; nil if it is the whole model.
  var encoder: EncoderKind? { get }
  /// The token that ends every text, if the model looks for it; else nil.
  var endToken: Int32? { get }
  /// The preparation of a text before the tokenizer sees it.
  var preparation: TextPreparation { get }
  /// The folder of the tokenizer's files, seen from the model's; empty for that itself.
  var tokenizerFolder: String { get }
  /// The fewest tokens of a text from which a vector can be made; 0 where a text without any has
  /// one.
  var minTokens: Int { get }
  /// Tokens at the beginning of every text that do not belong to it: the pooling skips them.
  var excludedTokens: Int { get }
  /// The prompts to choose from; nil for a model without any.
  var prompts: Prompts? { get }
  /// How the makers want its vectors to be used, which no vector shows; nil where no file says.
  var usage: VectorUsage? { get }
  /// Whether features may be missing.
  var readsMissingValues: Bool { get }
  /// What a package states to apps about its inputs, by key; empty for a model without such notes.
  var notes: [String: String] { get }
  /// The purpose of a tensor that the graph does not use; nil if unknown.
  func role(ofUnused name: TensorName) -> String?
  /// The graph for a batch of inputs; `length` is the number of tokens, 1 for anything else.
  func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph
}

extension Architecture {
  package var shapes: GraphShapes { .any }
  package var float16Values: Set<String> { [] }
  package var encoder: EncoderKind? { nil }
  package var endToken: Int32? { nil }
  package var preparation: TextPreparation { TextPreparation() }
  package var tokenizerFolder: String { "" }
  package var minTokens: Int { 1 }
  package var excludedTokens: Int { 0 }
  package var prompts: Prompts? { nil }
  package var usage: VectorUsage? { nil }
  package var readsMissingValues: Bool { false }
  package var notes: [String: String] { [:] }

  /// The text before every text; nil without one.
  package var promptText: String? { preparation.prompt.isEmpty ? nil : preparation.prompt }

  package func role(ofUnused name: TensorName) -> String? { nil }

  /// The graph for one input of the least length; its weights are those of every graph.
  package func smallestGraph() throws(GraphError) -> ModelGraph {
    guard case .single(let lengths) = shapes, let length = lengths.first else {
      return try graph(batch: 1, length: 1)
    }
    return try graph(batch: 1, length: length)
  }
}

/// An architecture that is recognised from a model's own files.
///
/// To add one: a file under `Architectures/`, and its type in `Architectures.all`.
package protocol RecognisedArchitecture: Architecture {
  /// A description of its files, for the message that they are not whole.
  static var signature: String { get }
  /// The words for it under `model_type` of a `config.json`; none where no such file describes it.
  static var modelTypes: [String] { get }
  /// Reads the describing files.
  ///
  /// - Returns: nil if the files are not of this architecture.
  /// - Throws: if they are, but ask for something that is not supported.
  static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Self?
  /// Every encoder whose weights the model has, in the order of their names.
  ///
  /// - Parameter requested: the only encoder needed; the other may be left out if its files are
  ///   missing.
  /// - Returns: an empty array if the files are not of this architecture.
  /// - Throws: as `recognise`.
  static func encoders(
    _ files: ModelFiles, weights: any WeightSource, requested: EncoderKind?
  ) throws -> [Self]
}

extension RecognisedArchitecture {
  package static var modelTypes: [String] { [] }

  package static func encoders(
    _ files: ModelFiles, weights: any WeightSource, requested: EncoderKind?
  ) throws -> [Self] {
    try recognise(files, weights: weights).map { [$0] } ?? []
  }
}

/// Every architecture Ingot knows, in the order they are tried.
package enum Architectures {
  /// The page that lists what is read, for messages.
  static let page = "specs/formats/architectures.md"

  package static let all: [any RecognisedArchitecture.Type] = [
    // Jina's name BERT, too, which is asked behind them.
    JinaBert.self, Bert.self, ClipEncoder.self, Dense.self, ForestModel.self, TableModel.self,
    DistilBert.self, Roberta.self, MPNet.self, Electra.self, Albert.self, TextClassifier.self,
    TokenClassifier.self,
    ModernBert.self, NomicBert.self, Gte.self,
    DebertaV2.self, StaticEmbedding.self, Qwen3.self, Gemma3.self, T5.self,
    Vit.self, Dinov2.self, Dinov3.self, Siglip.self, MobileNet.self, FastVit.self,
  ]

  /// The architecture of a model that is one encoder, recognised from its own files.
  ///
  /// - Parameter programs: as for `encoders`.
  /// - Throws: `ModelError` if nothing is recognised, or the model has several encoders.
  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource, programs: [String] = []
  ) throws -> any Architecture {
    let found = try encoders(files, weights: weights, programs: programs)
    guard found.count == 1 else { throw ModelError.severalEncoders(origin: files.origin) }
    return found[0]
  }

  /// Every encoder of a model, image before text; just one for a model without several.
  ///
  /// - Parameters:
  ///   - requested: the only encoder needed; the other may be left out if its files are missing.
  ///   - programs: how people can have a model of another architecture read, each to follow "or".
  /// - Throws: `ModelError` when nothing is recognised.
  package static func encoders(
    _ files: ModelFiles, weights: any WeightSource, requested: EncoderKind? = nil,
    programs: [String] = []
  ) throws -> [any Architecture] {
    do {
      for type in all {
        let found = try type.encoders(files, weights: weights, requested: requested)
        if !found.isEmpty { return found }
      }
    } catch let error as GraphError {
      throw ModelError.graph(origin: files.origin, error)
    }
    throw try ForeignModel.error(files, known: all, programs: programs)
  }
}

/// For which batches and lengths an architecture has a graph.
package enum GraphShapes: Hashable, Sendable {
  /// Any batch, and any length up to the longest.
  case any
  /// One input at a time, its tokens padded to one of these lengths; ascending, [1] for features
  /// and images.
  case single(lengths: [Int])
}

/// One input of a model.
package enum ModelInput: Hashable, Sendable {
  /// At most `maximumLength` token ids of a text; the graph's inputs are `input_ids` and, where
  /// padding would be seen, `attention_mask`, int32 [batch, length]. `vocabulary` is the number of
  /// rows of the table.
  case tokens(maximumLength: Int, vocabulary: Int)
  /// Numbers with names; the graph's input is `features`, fp32 [batch, names.count], or fp64 where trees
  /// compare all digits.
  case features(names: [String])
  /// An image of one size; the graph's input is `image`, fp32 [batch, 3, height, width]: planes R,
  /// G and B of whole numbers 0...255. Scaling them is the graph's business.
  case image(width: Int, height: Int)

  /// One input in words: `a text of at maximum 128 tokens`, `2 values ('x', 'y')`.
  package var words: String {
    switch self {
    case .tokens(let maximumLength, _): "a text of at most \(maximumLength) tokens"
    case .features(let names): "\(Figures.count(names.count, "value")) (\(Figures.list(names)))"
    case .image(let width, let height): "an image of \(width) × \(height) pixels"
    }
  }

  /// The same with all that the input of another model may differ in.
  package var exactWords: String {
    switch self {
    case .tokens(_, let vocabulary): "\(words) of \(vocabulary)"
    case .features, .image: words
    }
  }
}

/// The output of a model for one input.
package enum ModelOutput: Hashable, Sendable {
  /// A vector that is compared by cosine.
  case embedding(width: Int)
  /// One probability or score per label, or, for two labels, one number: that of the second label.
  case classes(labels: ClassLabels, width: Int, scale: ScoreScale = .probabilities)
  /// For each of at most so many tokens one probability per label: [tokens, labels], zeros where
  /// padding is.
  case tokenClasses(labels: ClassLabels, tokens: Int)
  /// Plain numbers.
  case numbers(width: Int)

  /// Numbers per input.
  package var width: Int {
    switch self {
    case .embedding(let width), .classes(_, let width, _), .numbers(let width): width
    case .tokenClasses(let labels, let tokens): tokens * labels.count
    }
  }

  /// Numbers that a graph gives for each input; zeros follow up to `width`.
  ///
  /// - Parameter length: the number of tokens that the graph takes.
  package func width(ofLength length: Int) -> Int {
    guard case .tokenClasses(let labels, let tokens) = self else { return width }
    return min(length, tokens) * labels.count
  }
}

/// One of a model's encoders: a CLIP model has one for images and one for texts.
package enum EncoderKind: String, CaseIterable, Comparable, Sendable {
  case image, text

  package static func < (left: EncoderKind, right: EncoderKind) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The other one of the two.
  package var other: EncoderKind {
    switch self {
    case .image: .text
    case .text: .image
    }
  }
}
