package import Graph
package import WeightCompression
package import Weights

/// A format of compressed models on disk: one folder beside this file, and one line in
/// `ModelFormat.all`.
///
/// A value holds every choice about how models are written; the type knows the rest.
package protocol Format: Sendable {
  /// The name in projects, manifests and on the command line, and what follows the last dot of the
  /// names of such models.
  static var name: String { get }
  /// Noun for a model of this format, for people and without an article: "Core ML package".
  static var noun: String { get }
  /// The rules for a model that is a folder of files; nil if it is a single file.
  static var folder: FolderFormat? { get }

  /// A format with these choices; one that knows nothing of a choice leaves it out.
  init(_ choices: FormatChoices)

  /// The choices that the format knows of.
  var choices: FormatChoices { get }
  /// The same by the names of a project file; what was left open is not there.
  var choiceWords: [String: String] { get }
  /// Whether a model says about itself who made it, and what its card says.
  static var describesItself: Bool { get }
  /// The type of the floats that it stores.
  var floats: FloatType { get }

  /// Refuses a model that cannot be written, before any work.
  ///
  /// - Parameter planned: the plan for the model's weights.
  func check(_ model: Model, _ planned: [PlannedTensor]) throws

  /// How a model as trained will be carried.
  ///
  /// - Throws: an error for a choice that the format does not support.
  func carrier(of model: Model) throws -> ModelCarrier
  /// How a model is carried that was opened; nil if it is not of this format, or the format decides
  /// nothing.
  static func carrier(ofOpened model: Model) -> ModelCarrier?

  /// Writes compressed weights under a hidden name, opens the result and compares every value.
  ///
  /// - Parameters:
  ///   - weights: the compressed weights of `model`; those of a stream are made one after another.
  ///   - recipe: description of the requested compression; recorded.
  ///   - path: where the model will appear, whole or not at all.
  func stage(
    _ weights: some CompressedTensors, of model: Model, recipe: String, beside path: String
  ) throws -> StagedModel

  /// Whether a path names a folder of this format, or one that is called like it. Single files are
  /// known by what is in them.
  static func isMeant(_ path: String) -> Bool

  /// Opens a folder that `isMeant`.
  ///
  /// - Parameter files: files that describe its inputs.
  static func open(_ path: String, files: ModelFiles) throws -> Model

  /// The model that a file of weights is of, where this format wrote it; nil for any other file.
  ///
  /// - Parameter prompt: goes before every text, instead of the one it was written with.
  static func model(
    writtenAs weights: WeightCollection, prompt: PromptChoice?
  ) throws -> Model?

  /// Opens a model whose files are held in memory.
  static func open(_ image: ModelImage) throws -> Model

  /// The model at a path: its digest for receipts, and its files in the order of their paths.
  static func contents(
    of path: String
  ) throws -> (digest: ContentDigest, files: [EmittedModel.File])

  /// Whether the file or folder at a path may be replaced by a model of this format.
  static func isReplaceable(_ path: String) -> Bool
}

/// The rules of a format whose models are folders of files.
///
/// Such a model carries the digest of its receipt in one of its files, which counts without it when
/// the model is named.
package struct FolderFormat: Sendable {
  /// The file that names the receipt, by its path in the folder.
  package let namedFile: String
  /// Largest such file that is read, in bytes.
  package let namedFileLimit: Int
  /// Names of the files that may be beside the folder and prepare its inputs.
  package let companions: [String]
  /// The one of them that turns texts into tokens.
  package let tokenizer: String
  /// Names of the files that say what goes before a text; folders of Ingot's hold that themselves.
  package let promptFiles: [String]
  /// The companions of a model, by their names, from its own files.
  package let companionFiles: @Sendable (_ model: Model) throws -> [String: [UInt8]]
  /// What a receipt names a folder by.
  ///
  /// - Parameters:
  ///   - files: paths in the folder, and digests.
  ///   - named: the bytes of the file at `namedFile`.
  package let digest:
    @Sendable (
      _ files: [(name: String, digest: ContentDigest)], _ named: [UInt8]
    ) throws -> ContentDigest
  /// The digest of the receipt that the bytes of `namedFile` name, if they do.
  package let receipt: @Sendable (_ named: [UInt8]) throws -> String?
  /// The bytes of `namedFile` with the digest of a receipt.
  let naming: @Sendable (_ receipt: ContentDigest, _ named: [UInt8]) throws -> [UInt8]
}

/// All choices about a model as it is written, in any format.
package struct FormatChoices: Hashable, Sendable {
  package var coreML: CoreMLOptions
  package var description: CoreMLDescription

  package init(
    coreML: CoreMLOptions = CoreMLOptions(), description: CoreMLDescription = CoreMLDescription()
  ) {
    self.coreML = coreML
    self.description = description
  }
}

extension Format {
  package var choiceWords: [String: String] { [:] }
  package static var describesItself: Bool { false }
  package func check(_ model: Model, _ planned: [PlannedTensor]) throws {}
  package func carrier(of model: Model) throws -> ModelCarrier { .plain }
  package static func carrier(ofOpened model: Model) -> ModelCarrier? { nil }
  package static func isReplaceable(_ path: String) -> Bool { true }
  package static func isMeant(_ path: String) -> Bool { false }
  package static func model(
    writtenAs weights: WeightCollection, prompt: PromptChoice?
  ) throws -> Model? { nil }
  package static func open(_ path: String, files: ModelFiles) throws -> Model {
    throw EmissionError.malformed(path: path, fault: "is not \(name)")
  }

  /// Writes a model without judging it. No package takes it.
  @discardableResult
  package func writeUnproven(
    _ weights: some CompressedTensors, of model: Model, recipe: String, to path: String
  ) throws -> EmittedModel {
    try stage(weights, of: model, recipe: recipe, beside: path).commitUnproven()
  }
}

/// One of the formats: told apart from the others, and found by its name.
package struct ModelFormat: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Every format there is; the first is taken where nothing says which.
  private static let all: [any Format.Type] = [
    CompressedSafetensors.self,
    CoreMLPackage.self,
  ]

  package let type: any Format.Type

  package init(_ type: any Format.Type) { self.type = type }

  /// The format of a name.
  ///
  /// - Throws: `EmissionError.unknownFormat`, which names those that are known.
  package init(named name: String) throws(EmissionError) {
    guard let format = ModelFormat(name) else {
      throw .unknownFormat(name: name, known: ModelFormat.allCases.map(\.name))
    }
    self = format
  }

  /// The same; nil for a name that no format has.
  package init?(_ name: String) {
    guard let type = ModelFormat.all.first(where: { $0.name == name }) else { return nil }
    self.init(type)
  }

  package static let safetensors = ModelFormat(CompressedSafetensors.self)
  package static let mlpackage = ModelFormat(CoreMLPackage.self)

  package static var allCases: [ModelFormat] { all.map { ModelFormat($0) } }

  /// The format of the folder at a path, also of one that is only called like it; nil for anything
  /// else, and for a single file, which is known by what is in it.
  package static func meant(by path: String) -> ModelFormat? {
    allCases.first { $0.type.isMeant(path) }
  }

  /// The name in projects, manifests and on the command line.
  package var name: String { type.name }
  package var description: String { name }
  /// The rules of a format of folders; nil if a model is a single file.
  package var folder: FolderFormat? { type.folder }
  /// Names of the files that may be beside a model.
  package var companions: [String] { folder?.companions ?? [] }

  /// Those of several formats, each name once.
  package static func companions(of formats: [ModelFormat]) -> [String] {
    var seen: Set<String> = []
    return formats.flatMap(\.companions).filter { seen.insert($0).inserted }
  }

  /// The format with these choices.
  package func with(_ choices: FormatChoices) -> any Format { type.init(choices) }

  package static func == (left: ModelFormat, right: ModelFormat) -> Bool {
    left.type == right.type
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}
