package import Files
package import Tokenization
package import Trees
package import Weights

/// A complete model: its architecture, the files that describe it, its weights, and the digest of
/// the bytes those weights came from.
package struct Model: Sendable {
  /// The path the user gave.
  package let origin: String
  package let architecture: any Architecture
  package let files: ModelFiles
  package let weights: any WeightFile
  /// The inputs that the weights were fitted to when they were compressed, if they say so.
  package let calibration: CalibrationRecord?
  /// How coarse the thresholds of its trees were asked to be when they were compressed, if they say so.
  package let coarseThresholds: CoarseThresholds?
  /// The recipe or scheme by which Ingot compressed the weights, in words; nil for a model that it did
  /// not write.
  package let recipe: String?
  /// The texts whose tokens are left, if the rest was dropped.
  package let vocabulary: VocabularyRecord?
  /// The old ids of its tokens, if others were dropped from a model in memory.
  package let keptTokens: KeptTokens?
  /// Those that `files` make.
  let tokenizers = TokenizerMemory()
  /// The recipe of weights that were written as they are.
  package static let plainRecipe = "uncompressed"

  /// Most bytes of a small model's files.
  private static let smallByteCount = 256 << 10

  /// Bytes of the files that it was opened from, as far as they were read; nil if that is not known.
  package var sourceByteCount: Int? {
    guard let weights = weights as? WeightCollection, let files = files.readByteCount else {
      return nil
    }
    return weights.sources.reduce(files) { $0 + $1.byteCount }
  }

  /// Whether many of its size fit in memory, and work on it takes less time than a thread takes to start.
  package var isSmall: Bool { (sourceByteCount ?? .max) <= Model.smallByteCount }

  /// Whether the files that it was opened from are byte by byte what they were; false also where that
  /// cannot be told without opening it.
  package var isSurelyAsOpened: Bool {
    guard let weights = weights as? WeightCollection else { return false }
    return weights.sources.allSatisfy(\.isSurelyAsRead) && files.areSurelyAsRead
  }

  /// SHA-256 of the weight bytes as read; names this very model. Reads them all.
  package var digest: ContentDigest { weights.digest() }

  /// Builds a model and checks every weight its graph uses.
  package init(
    origin: String, architecture: any Architecture, files: ModelFiles, weights: any WeightFile,
    calibration: CalibrationRecord? = nil, coarseThresholds: CoarseThresholds? = nil,
    recipe: String? = nil,
    vocabulary: VocabularyRecord? = nil, keptTokens: KeptTokens? = nil
  ) throws {
    self.origin = origin
    self.architecture = architecture
    self.files = files
    self.weights = weights
    self.calibration = calibration
    self.coarseThresholds = coarseThresholds
    self.recipe = recipe
    self.vocabulary = vocabulary
    self.keptTokens = keptTokens
    let graph = try ModelError.placing(origin) { () throws(GraphError) in
      try architecture.smallestGraph()
    }
    // Names differ by their bytes, but dictionaries compare Unicode text: from here on no two names
    // are one key.
    var keys: Set<String> = []
    for weight in graph.weights where !keys.insert(weight.name.text).inserted {
      throw ModelError.ambiguousName(origin: origin, name: weight.name)
    }
    for reference in graph.weightUses {
      guard let shape = weights.shape(of: reference.name) else {
        throw ModelError.missingWeight(origin: origin, name: reference.name)
      }
      guard Model.matches(stored: shape, needed: reference.shape) else {
        throw ModelError.wrongShape(
          origin: origin, name: reference.name, found: shape, expected: reference.shape)
      }
    }
  }

  /// Digests of the files that describe the model (its tokenizer too), by path; none that are made of its weights.
  package func describingDigests() throws(FileError) -> [String: ContentDigest] {
    var digests: [String: ContentDigest] = [:]
    for path in architecture.describingFiles where !files.areOfTheModel {
      guard let bytes = try files.bytes(of: path) else { continue }
      digests[path] = ContentDigest(of: bytes)
    }
    return digests
  }

  /// The bytes of the model. Reads all of them.
  package func digests() throws(FileError) -> ModelDigests {
    ModelDigests(weights: digest, files: try describingDigests())
  }

  /// The graph for a batch of inputs, as the architecture has it.
  ///
  /// - Throws: `ModelError.graph`, which names the model.
  package func graph(batch: Int, length: Int) throws(ModelError) -> ModelGraph {
    try ModelError.placing(origin) { () throws(GraphError) in
      try architecture.graph(batch: batch, length: length)
    }
  }

  /// Every weight the graph uses, once, in order of first use.
  package func usedWeights() throws(GraphError) -> [WeightReference] {
    try architecture.smallestGraph().weights
  }

  /// Whether a stored shape is the needed one, leading axes of length 1 left out or not.
  package static func matches(stored: [Int], needed: [Int]) -> Bool {
    let missing = needed.count - stored.count
    return missing >= 0 && needed.prefix(missing).allSatisfy { $0 == 1 }
      && needed.suffix(stored.count).elementsEqual(stored)
  }
}

extension Architecture {
  /// Whether inputs are prepared as OpenCLIP prepares them, and not as Hugging Face's libraries.
  package var isPreparedAsOpenCLIP: Bool { describingFiles.contains("open_clip_config.json") }
}

extension Architecture {
  /// Who normalises and splits texts: OpenCLIP's own tokenizer, or what the tokenizer's files say.
  package var textCleaning: TextCleaning {
    isPreparedAsOpenCLIP && preparation.cleaning == nil ? .openCLIP : .asFileSays
  }
}

extension Architecture {
  /// Whether an input is two texts, which the model reads together.
  package var readsTwoTexts: Bool { preparation.framing == .twoTexts }
}

extension Architecture {
  /// Whether images are prepared as timm prepares them, by its `config.json`.
  package var isPreparedAsTimm: Bool {
    guard case .image = input else { return false }
    return describingFiles == [TimmConfig.name]
  }
}

extension Model {
  /// The tokenizer that the model's files describe; nil if they describe none.
  package func tokenizer() throws -> (any TextTokenizer)? {
    try tokenizer(lowercasing: architecture.preparation.lowercasing)
  }

  /// The same with text put in lower case as `lowercasing` says, instead of the model's files.
  package func tokenizer(
    lowercasing: TextPreparation.Lowercasing
  ) throws -> (any TextTokenizer)? {
    if let known = tokenizers[lowercasing] { return known }
    let files = try files.tokenizerFiles(in: architecture.tokenizerFolder)
    let cleaning = architecture.textCleaning
    guard files.hasTokenizer(for: cleaning) else { return nil }
    let tokenizer = try TextTokenizers.read(
      files, cleaning: cleaning, lowercasing: lowercasing,
      framing: architecture.preparation.framing)
    tokenizers[lowercasing] = tokenizer
    return tokenizer
  }

  /// Digests of all files that the tokenizer is read from, as they are read: also of what a package says
  /// itself in place of one.
  package func tokenizerDigests() throws -> [TokenizerFiles.Name: ContentDigest] {
    try files.tokenizerFiles(in: architecture.tokenizerFolder).contents
      .mapValues { ContentDigest(of: $0) }
  }

  /// Refuses a tokenizer that cannot be read, or that names tokens without a row of the model's
  /// table. A model without one is let pass: listing its weights is still useful.
  package func checkTokenizer() throws {
    guard case .tokens(_, let rows) = architecture.input else { return }
    try tokenizer()?.requireRows(rows)
  }
}

/// A cache of tokenizers: reading a large one takes longer than a text.
final class TokenizerMemory: Sendable {
  private let known = Mutex<[TextPreparation.Lowercasing: any TextTokenizer]>([:])

  subscript(_ lowercasing: TextPreparation.Lowercasing) -> (any TextTokenizer)? {
    get { known.withLock { $0[lowercasing] } }
    set { known.withLock { $0[lowercasing] = newValue } }
  }
}
