package import Files
package import Graph
package import WeightCompression
package import Weights

/// A format of compressed models on disk: one folder beside this file, and one line in
/// `ModelFormat.all`.
///
/// A value holds every choice about how models are written; the type knows the rest. Nothing has a
/// default: a format says of each what it does.
package protocol Format: Sendable {
  /// The name in projects, manifests and on the command line, and what follows the last dot of the
  /// names of such models.
  static var name: String { get }
  /// Noun for a model of this format, for people and without an article: "Core ML package".
  static var noun: String { get }
  /// The noun that has the name in it, with its article: "an mlpackage".
  static var phrase: String { get }
  /// Whether a model is one file or a folder of files, and how it is found and opened there.
  static var kind: FormatKind { get }
  /// The section of a project file for choices that only formats of this section know of; nil for a
  /// format without such choices.
  static var section: String? { get }
  /// How people make a model of this format of an architecture that is not read, to follow "or";
  /// nil for a format that cannot hold a model as its program alone.
  static var programs: String? { get }
  /// Whether models of tables are all that it holds.
  static var holdsTablesAlone: Bool { get }
  /// Whether a model says about itself who made it, and what its card says.
  static var describesItself: Bool { get }

  /// A format with these choices; one that knows nothing of a choice leaves it out.
  init(_ choices: FormatChoices)

  /// The choices that the format knows of.
  var choices: FormatChoices { get }
  /// The same by the names of a project file; what was left open is not there.
  var choiceWords: [String: String] { get }
  /// The type of the floats that it stores.
  var floats: FloatType { get }

  /// Refuses a model that the format cannot hold with these choices, before its weights are planned.
  func check(_ model: Model) throws
  /// Refuses a model that cannot be written as planned, before any work.
  ///
  /// - Parameter planned: the plan for the model's weights.
  func check(_ model: Model, _ planned: [PlannedTensor]) throws
  /// Bytes of the numbers that a model stores of each planned weight.
  func storedBytes(of planned: [PlannedTensor], _ model: Model) throws -> [Int]
  /// The needs of a system that is to load a model as planned; nil if any system loads it.
  ///
  /// - Throws: as `check`.
  func needs(of model: Model, _ planned: [PlannedTensor]) throws -> SystemNeeds?
  /// The lengths that texts are filled up to, where others can be chosen for this model; nil where
  /// there is nothing to choose.
  func fixedLengths(of model: Model) throws -> [Int]?

  /// How a model as trained will be carried.
  ///
  /// - Throws: an error for a choice that the format does not support.
  func carrier(of model: Model) throws -> ModelCarrier
  /// How a model is carried that was opened; nil if it is not of this format, or the format decides
  /// nothing.
  static func carrier(ofOpened model: Model) -> ModelCarrier?
  /// The statement of an opened model to apps; nil if it is not of this format, or the
  /// format has no place for it.
  static func statement(ofOpened model: Model) -> (any ModelStatement)?
  /// How the weights of an opened model are stored; nil if it is not of this format.
  static func storage(ofOpened model: Model) -> (any ModelStorage)?

  /// Writes compressed weights under a hidden name, opens the result and compares every value.
  ///
  /// - Parameters:
  ///   - weights: the compressed weights of `model`; those of a stream are made one after another.
  ///   - recipe: description of the requested compression; recorded.
  ///   - place: where the model will appear, whole or not at all.
  func stage(
    _ weights: some CompressedTensors, of model: Model, recipe: String, at place: ModelPlace
  ) throws -> StagedModel

  /// Opens a model whose files are held in memory.
  static func open(_ image: ModelImage) throws -> Model

  /// The model at a path: its digest for receipts, and its files in the order of their paths.
  static func contents(
    of path: String
  ) throws -> (digest: ContentDigest, files: [EmittedModel.File])
}

/// Where a model will appear.
package struct ModelPlace: Sendable {
  package let path: String
  /// Where the bytes of a single file are; a folder is always on disk.
  package let storage: StagedFile.Storage

  package init(_ path: String, in storage: StagedFile.Storage = .disk) {
    self.path = path
    self.storage = storage
  }
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
  /// Writes a model without judging it. No package takes it.
  @discardableResult
  package func writeUnproven(
    _ weights: some CompressedTensors, of model: Model, recipe: String, to path: String
  ) throws -> EmittedModel {
    try stage(weights, of: model, recipe: recipe, at: ModelPlace(path)).commitUnproven()
  }
}

/// One of the formats: told apart from the others, and found by its name.
package struct ModelFormat: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Every format there is; the first is taken where nothing says which.
  private static let all: [any Format.Type] = [
    CompressedSafetensors.self,
    CoreMLPackage.self,
    MLModelFile.self,
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

  package static var allCases: [ModelFormat] { all.map { ModelFormat($0) } }

  /// The format that is taken where nothing says which.
  package static var usual: ModelFormat { ModelFormat(all[0]) }

  /// Those whose choices are in a section of a project file.
  package static func withSection(_ name: String) -> [ModelFormat] {
    allCases.filter { $0.type.section == name }
  }

  /// Those that hold a model as its program alone.
  package static var ofPrograms: [ModelFormat] { allCases.filter { $0.type.programs != nil } }

  /// How a model of an architecture that is not read may come in, each to follow "or".
  package static var programs: [String] { allCases.compactMap { $0.type.programs } }

  /// Which formats round floats to float16 unless they are asked to keep them, and which keep them.
  package static var floats: FloatStorage {
    func those(_ floats: FloatType) -> [ModelFormat] {
      allCases.filter { !$0.type.holdsTablesAlone && $0.with(FormatChoices()).floats == floats }
    }
    return FloatStorage(
      halving: those(.float16).map { $0.type.phrase }, keeping: those(.float32).map(\.name))
  }

  /// The format of the folder at a path, also of one that is only called like it; nil for anything
  /// else, and for a single file, which is known by what is in it.
  package static func meant(by path: String) -> ModelFormat? {
    allCases.first { $0.folder?.isMeant(path) == true }
  }

  /// The format of the single file that weights were read from; nil for weights as trained.
  package static func written(_ weights: WeightCollection) -> FileFormat? {
    allCases.lazy.compactMap(\.file).first { $0.isWritten(weights) }
  }

  /// Whether a name is that of a folder of some format.
  package static func isFolder(called name: String) -> Bool {
    allCases.contains { $0.folder != nil && name.lowercased().hasSuffix(".\($0.name)") }
  }

  /// The name in projects, manifests and on the command line.
  package var name: String { type.name }
  package var description: String { name }
  /// The rules of a format of folders; nil if a model is a single file.
  package var folder: FolderFormat? {
    if case .folder(let rules) = type.kind { rules } else { nil }
  }
  /// The rules of a format of single files; nil if a model is a folder.
  package var file: FileFormat? { if case .file(let rules) = type.kind { rules } else { nil } }
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
