import Files
package import Graph
package import WeightCompression
package import Weights

/// Writes a model of tables as one file of Core ML's classic kind, and reads such files as models.
///
/// A file holds trees or a linear model, with a scaler before that where the model has one.
package struct MLModelFile: Format {
  package static let name = "mlmodel"
  package static let noun = "Core ML model of tables"
  package static let phrase = "an mlmodel"
  package static let kind = FormatKind.file(
    FileFormat(
      read: { try weights(called: $0) },
      // The whole file is one message.
      headByteCount: { _ in TabularProgram.fileLimit + 1 },
      isWritten: { TabularProgram.isSource($0) },
      model: { weights, _ in try model(of: weights) },
      facts: { TabularProgram.facts($0) }))
  package static let section: String? = nil
  package static let programs: String? = nil
  package static let holdsTablesAlone = true
  package static let describesItself = true

  /// The file's description of itself.
  package let description: CoreMLDescription
  /// Whether devices are to train the model further.
  package let isUpdatable: Bool
  package let floats = FloatType.float32

  package init(_ choices: FormatChoices = FormatChoices()) {
    description = choices.description
    isUpdatable = choices.coreML.isUpdatable
  }

  package var choices: FormatChoices {
    FormatChoices(coreML: CoreMLOptions(isUpdatable: isUpdatable), description: description)
  }
  package var choiceWords: [String: String] {
    description.words.merging(isUpdatable ? ["updatable": "true"] : [:]) { $1 }
  }

  package func check(_ model: Model) throws {
    try TabularProgram.check(model, isUpdatable: isUpdatable)
  }

  package func check(_ model: Model, _ planned: [PlannedTensor]) throws { try check(model) }

  package func storedBytes(of planned: [PlannedTensor], _ model: Model) -> [Int] {
    TabularProgram.storedBytes(of: planned)
  }

  package func needs(of model: Model, _ planned: [PlannedTensor]) -> SystemNeeds? { nil }
  package func fixedLengths(of model: Model) -> [Int]? { nil }
  package func carrier(of model: Model) -> ModelCarrier { .row(of: model.architecture) }

  package static func carrier(ofOpened model: Model) -> ModelCarrier? {
    (model.weights as? WeightCollection).flatMap {
      TabularProgram.isSource($0) ? .row(of: model.architecture) : nil
    }
  }

  package static func statement(ofOpened model: Model) -> (any ModelStatement)? { nil }
  package static func storage(ofOpened model: Model) -> (any ModelStorage)? { nil }

  package func stage(
    _ weights: some CompressedTensors, of model: Model, recipe: String, at place: ModelPlace
  ) throws -> StagedModel {
    try check(model)
    var file = try StagedFile(path: place.path, in: place.storage)
    let numbers = try TabularNumbers(weights, of: model)
    let made = try TabularProgram.make(
      of: model, numbers, .stating(model, recipe, weights, description),
      isUpdatable: isUpdatable)
    try file.write(made.bytes)
    let candidate = try Self.model(
      of: try Self.weights(of: try file.reading(), path: place.path))
    return StagedModel(
      .file(file), as: Self.self, reading: candidate,
      StagedModel.Record(
        tensors: numbers.records, weightBytes: storedBytes(of: weights.planned, model),
        unused: weights.unused))
  }

  package static func open(_ image: ModelImage) throws -> Model {
    guard let file = image.files[""] else {
      throw EmissionError.malformed(path: image.path, fault: "is a folder, expected one file")
    }
    return try model(of: try weights(of: file, path: image.path))
  }

  package static func contents(
    of path: String
  ) throws -> (digest: ContentDigest, files: [EmittedModel.File]) {
    EmittedModel.File.contents(of: try MappedFile(path: path))
  }

  /// The weights of a file that is called as those of this format are; nil for any other.
  private static func weights(called path: String) throws -> WeightCollection? {
    guard path.lowercased().hasSuffix(".\(name)"), Folder.kind(of: path) == .file else {
      return nil
    }
    return try weights(of: try MappedFile(path: path), path: path)
  }

  private static func weights(of file: MappedFile, path: String) throws -> WeightCollection {
    guard file.byteCount <= TabularProgram.fileLimit else {
      throw FileError.tooLarge(
        path: path, bytes: file.byteCount, limit: TabularProgram.fileLimit)
    }
    let program = try TabularProgram(reading: file.withBytes { $0.array() }, path: path)
    return try program.weights(file, path: path)
  }

  private static func model(of weights: WeightCollection) throws -> Model {
    try TabularProgram.model(of: weights, weights)
  }
}
