import StrictJSON
package import Tokenization
import Weights

/// The parts around a transformer whose token vectors become one vector of a text: how texts reach
/// it, and what becomes of its vectors.
package struct SentenceEncoder: Sendable {
  let modules: SentenceModules
  /// Numbers of a token's vector.
  let hidden: Int
  /// Tokens a text is cut to.
  let maximumLength: Int
  /// Tokens at the beginning of every text that the pooling leaves out.
  let excludedTokens: Int
  let describingFiles: [String]

  /// Numbers of the vector that comes out.
  var width: Int { modules.width(hidden: hidden) }
}

/// An architecture of a transformer and the modules of sentence-transformers around it. It adds the
/// transformer itself: its numbers, its names of weights, and its graph up to the token vectors.
package protocol SentenceArchitecture: RecognisedArchitecture {
  /// The key of `config.json` for the numbers of a token's vector.
  static var hiddenKey: String { get }
  /// The parts around the transformer.
  var sentence: SentenceEncoder { get }
  /// Rows of the table of tokens.
  var vocabulary: Int { get }
}

extension SentenceArchitecture {
  package static var hiddenKey: String { "hidden_size" }
  package static var modelTypes: [String] { [name] }
  package static var signature: String {
    "config.json with \"model_type\": "
      + modelTypes.map { "\"\($0)\"" }.joined(separator: " or ")
  }

  /// Tokens a text is cut to.
  package var maximumLength: Int { sentence.maximumLength }
  package var describingFiles: [String] { sentence.describingFiles }
  package var input: ModelInput {
    .tokens(maximumLength: maximumLength, vocabulary: vocabulary)
  }
  package var output: ModelOutput { .embedding(width: sentence.width) }
  package var outputName: String { "embedding" }
  package var preparation: TextPreparation { sentence.modules.preparation }
  package var tokenizerFolder: String { sentence.modules.transformer.path }
  package var prompts: Prompts? { sentence.modules.prompts.prompts }
  package var usage: VectorUsage? {
    VectorUsage(
      similarity: sentence.modules.prompts.similarity,
      includesPrompt: sentence.modules.pooling.includesPrompt)
  }
  package var excludedTokens: Int { sentence.excludedTokens }
  package var minTokens: Int {
    sentence.modules.pooling.modes.contains(.maximum) ? excludedTokens + 1 : 1
  }
}

/// Reads what lies around a transformer.
struct SentenceReader {
  private static let configName = "config.json"

  /// The transformer's `config.json`.
  let config: JSONObject
  private let path: String
  private let files: ModelFiles
  private let entries: [SentenceModuleEntry]?

  /// Nil where the transformer is of none of these types.
  init?(_ files: ModelFiles, modelTypes: [String]) throws {
    entries = try SentenceModules.entries(files)
    let transformer = entries?.first { $0.kind == .transformer }
    path = transformer?.file(Self.configName) ?? Self.configName
    guard let config = try files.object(path), let type = config["model_type"]?.string,
      modelTypes.contains(type)
    else { return nil }
    self.config = config
    self.files = files
  }

  /// Reads the modules, the tokenizer's files and the length that they set.
  ///
  /// - Parameters:
  ///   - hidden: numbers of a token's vector.
  ///   - positions: those that the transformer has.
  ///   - unused: those of them that no token of a text takes.
  func encoder(hidden: Int, positions: Int, unused: Int = 0) throws -> SentenceEncoder {
    guard let entries else { throw files.missingPooling(width: hidden) }
    let modules = try SentenceModules(entries, files, hidden: hidden)
    // The library looks for it in the model's own folder, wherever the transformer lies.
    try files.refuseAdapter(in: [modules.transformer.path, ""])
    let tokenizer = try SentenceTokenizerFiles(files, in: modules.transformer.path)
    let length = min(
      try modules.settings.statedLength(files, positions: positions)
        ?? tokenizer.maximumLength() ?? positions, positions - unused)
    return SentenceEncoder(
      modules: modules, hidden: hidden, maximumLength: length,
      excludedTokens: try modules.excludedTokens(files, maximumLength: length),
      describingFiles: [path] + modules.files + tokenizer.names)
  }
}

extension ModelFiles {
  /// Refuses weights that are to be added to the model's own.
  ///
  /// - Parameter folders: seen from the model's; empty for that itself.
  func refuseAdapter(in folders: [String]) throws {
    for folder in folders {
      let path = folder.isEmpty ? "adapter_config.json" : "\(folder)/adapter_config.json"
      guard try bytes(of: path) != nil else { continue }
      throw ModelError.unsupported(
        place: name(of: path), found: "an adapter beside the weights",
        supported: "models it was merged into (merge_and_unload)")
    }
  }
}

// What of a model's tensors the library does not take, or takes for something else.
extension SentenceArchitecture {
  /// Refuses weights of whole numbers, and tensors that a module behind the pooling does not have.
  ///
  /// - Parameter place: the file that describes the model, for messages.
  func check(_ weights: any WeightSource, of place: String) throws {
    let used = try graph(batch: 1, length: 1).weights.map(\.name)
    try weights.refuseWholeNumbers(used, place)
    try refuseStrays(used, weights, place)
  }

  /// A module behind the pooling has its own weights and no others.
  private func refuseStrays(
    _ used: [TensorName], _ weights: any WeightSource, _ place: String
  ) throws(ModelError) {
    let known = Set(used)
    let folders = sentence.modules.steps.compactMap(\.weightPrefix)
    guard !folders.isEmpty else { return }
    for name in weights.names where !known.contains(name) {
      guard let folder = folders.first(where: { name.text.utf8.starts(with: $0.utf8) }) else {
        continue
      }
      throw .unsupported(
        place: ModelError.weightsBeside(place),
        found: "\(quoted(name)), which the module of \(quoted(folder)) does not have,",
        supported: "the module's own weights")
    }
  }
}

extension ModelError {
  /// How messages name the weights beside a file that describes the model.
  static func weightsBeside(_ place: String) -> String { "\(place): the weights beside it" }
}

extension WeightSource {
  /// Refuses weights of whole numbers.
  ///
  /// - Parameters:
  ///   - used: names of the model's weights.
  ///   - place: the file that describes the model, for messages.
  func refuseWholeNumbers(_ used: [TensorName], _ place: String) throws(ModelError) {
    for name in used {
      guard let type = wholeNumberType(of: name) else { continue }
      throw .unsupported(
        place: ModelError.weightsBeside(place), found: "\(quoted(name)) of type \(type)",
        supported: "floating point; weights packed into whole numbers have to be unpacked before")
    }
  }
}
