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
  /// What a system needs to load a model as planned; nil if any system loads it.
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
  /// What a model that was opened says to apps about itself; nil if it is not of this format, or the
  /// format has no place for it.
  static func statement(ofOpened model: Model) -> (any ModelStatement)?

  /// Writes compressed weights under a hidden name, opens the result and compares every value.
  ///
  /// - Parameters:
  ///   - weights: the compressed weights of `model`; those of a stream are made one after another.
  ///   - recipe: description of the requested compression; recorded.
  ///   - path: where the model will appear, whole or not at all.
  func stage(
    _ weights: some CompressedTensors, of model: Model, recipe: String, beside path: String
  ) throws -> StagedModel

  /// Opens a model whose files are held in memory.
  static func open(_ image: ModelImage) throws -> Model

  /// The model at a path: its digest for receipts, and its files in the order of their paths.
  static func contents(
    of path: String
  ) throws -> (digest: ContentDigest, files: [EmittedModel.File])
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
    try stage(weights, of: model, recipe: recipe, beside: path).commitUnproven()
  }
}
