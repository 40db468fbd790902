import Files
import Graph
import StrictJSON
import SwiftProtobuf
import WeightCompression
import Weights

/// A package whose model is a classic one over named numbers: trees, or a linear model.
struct TabularPackage {
  private let program: TabularProgram
  private let message: SpecModel
  private let arrays: WeightCollection
  let model: Model

  /// Nil for a package of an ML Program, or of a kind that is not known.
  ///
  /// - Throws: what is wrong with the model, and what Ingot does not run.
  init?(_ folder: MLPackageFolder, origin: String) throws {
    let bytes = try folder.model()
    guard let message = try? SpecModel(serializedBytes: bytes), let type = message.type else {
      return nil
    }
    if case .mlProgram = type { return nil }
    self.message = message
    program = try TabularProgram(reading: bytes, path: origin)
    let name = String(folder.modelPath.dropFirst(folder.path.count + 1))
    arrays = try program.weights(try folder.file(at: name), path: origin)
    model = try TabularProgram.model(
      of: arrays, try TabularPackageWeights(arrays, folder, model: bytes))
  }

  /// What `inspect` shows.
  var inspection: FolderInspection {
    let description = message.description_p
    let version = Int(message.specificationVersion)
    return FolderInspection(
      format: .mlpackage, model: model,
      facts: [
        FolderInspection.Fact(
          name: "specificationVersion", value: .integer(version), words: "\(version)")
      ],
      factLine: "specification version \(version), \(program.step.word)",
      inputs: description.input.map(FolderInspection.Feature.init),
      outputs: description.output.map(FolderInspection.Feature.init),
      metadata: description.metadata.texts, recipeKey: TabularProgram.Key.recipe,
      sourceKey: TabularProgram.Key.source,
      constants: arrays.tensors.map { tensor in
        FolderInspection.Constant(
          name: tensor.name, storage: tensor.elementType.rawValue, shape: tensor.shape,
          bits: tensor.elementType.bitWidth,
          byteCount: tensor.elementCount * tensor.elementType.bitWidth / 8, role: "matrix")
      },
      mendedMasks: [], hiddenValue: MaskMending.hidden, oddNumbers: [],
      operations: [program.step.word: 1])
  }
}

/// The arrays of such a package, with the digest of all its files.
struct TabularPackageWeights: WeightFile {
  private let arrays: WeightCollection
  /// Paths of all files of the package.
  let files: [String]
  private let digests: [(name: String, digest: ContentDigest)]

  /// - Parameter bytes: those of the package's message, as they were read.
  init(_ arrays: WeightCollection, _ folder: MLPackageFolder, model bytes: [UInt8]) throws {
    self.arrays = arrays
    let paths = try folder.files()
    files = paths.map { Folder.join(folder.path, $0) }
    digests = try paths.map { path in
      let isModel = Folder.join(folder.path, path) == folder.modelPath
      return (
        path,
        isModel
          ? try CoreMLDigest.ofModel(bytes) : ContentDigest(of: try folder.file(at: path))
      )
    }
  }

  var names: [TensorName] { arrays.names }
  func shape(of name: TensorName) -> [Int]? { arrays.shape(of: name) }
  func floats(of name: TensorName) throws -> [Float] { try arrays.floats(of: name) }
  func doubles(of name: TensorName) throws -> [Double] { try arrays.doubles(of: name) }
  func digest() -> ContentDigest { .combining(digests) }
}

extension CoreMLPackage {
  /// Stages a package of trees, or of a linear model that devices train further.
  func stageTables(
    _ weights: some CompressedTensors, of model: Model, recipe: String, beside path: String
  ) throws -> StagedModel {
    try check(model)
    let folder = try AtomicFolder(path: path)
    let numbers = try TabularNumbers(weights, of: model)
    let made = try TabularProgram.make(
      of: model, numbers, .stating(model, recipe, weights, description),
      isUpdatable: options.isUpdatable)
    guard made.bytes.count <= CoreMLDigest.modelLimit else {
      throw CoreMLError.unwritable(
        origin: model.origin,
        fault:
          "its trees or weights have \(made.bytes.count) bytes, and the model of a package at most "
          + "\(CoreMLDigest.modelLimit); write one file instead")
    }
    try folder.write(made.bytes, to: MLPackageLayout.model)
    try folder.write(
      MLPackageManifest(digest: try CoreMLDigest.ofModel(made.bytes), hasWeights: false).text,
      to: MLPackageLayout.manifest)
    let candidate = try Self.model(
      in: try MLPackageFolder(path: folder.temporaryPath), origin: path,
      files: ModelFiles(carriedBy: path, texts: [:]))
    return StagedModel(
      .folder(folder), as: Self.self, reading: candidate,
      StagedModel.Record(
        tensors: numbers.records, weightBytes: TabularProgram.storedBytes(of: weights.planned),
        unused: weights.unused))
  }
}
