import Files
package import Graph
import IngotFeatures
import StrictJSON
import SwiftProtobuf
import Tokenization
package import WeightCompression
package import Weights

/// Conformance to `Format`: staging a package, and reading the one at its path.
extension CoreMLPackage {
  package var choices: FormatChoices { FormatChoices(coreML: options, description: description) }
  package var floats: FloatType { options.isUpdatable ? .float32 : options.floats }

  /// Whether a model is written as one of Core ML's classic kinds, not as a program; steps that are none of these
  /// are refused.
  private func isClassic(_ model: Model) -> Bool {
    options.isUpdatable || model.architecture is ForestModel
      || model.architecture is TableModel || (model.architecture as? Dense)?.norm != nil
  }

  package static let holdsTablesAlone = false
  package static let describesItself = true

  package var choiceWords: [String: String] {
    options.words.merging(description.words) { _, last in last }
  }

  package func carrier(of model: Model) throws -> ModelCarrier {
    guard !isClassic(model) else { return .row(of: model.architecture) }
    return .program(
      outputNames: Self.outputNames(of: model.architecture),
      lengths: try options.lengths(of: model),
      embedding: options.outputType)
  }

  package static func carrier(ofOpened model: Model) -> ModelCarrier? {
    if model.weights is TabularPackageWeights { return .row(of: model.architecture) }
    return programStatement(of: model).map {
      .program(
        outputNames: $0.outputNames, lengths: $0.lengths, embedding: $0.outputType ?? .float32)
    }
  }

  package static func statement(ofOpened model: Model) -> (any ModelStatement)? {
    programStatement(of: model)
  }

  package static func storage(ofOpened model: Model) -> (any ModelStorage)? {
    (model.architecture as? CoreMLProgram).map(ProgramStorage.init)
  }

  package func check(_ model: Model) throws {
    if isClassic(model) {
      return try TabularProgram.check(model, isUpdatable: options.isUpdatable)
    }
    try options.checkLengths(of: model)
  }

  package func check(_ model: Model, _ planned: [PlannedTensor]) throws {
    guard !isClassic(model) else { return try check(model) }
    _ = try options.target(of: model, planned)
    guard planned.contains(where: \.isSplit) else { return }
    try options.graphs(of: model).longest.requireLookups(of: planned, origin: model.origin)
  }

  package func storedBytes(of planned: [PlannedTensor], _ model: Model) throws -> [Int] {
    guard !isClassic(model) else {
      return TabularProgram.storedBytes(of: planned)
    }
    return try options.storedBytes(of: planned, model)
  }

  package func needs(of model: Model, _ planned: [PlannedTensor]) throws -> SystemNeeds? {
    guard !isClassic(model) else { return nil }
    let target = try options.target(of: model, planned)
    return SystemNeeds(
      oldest: target.rawValue,
      oldestOfEach: planned.map { DeploymentTarget.lowest(for: $0.scheme).rawValue },
      specificationVersion: target.specificationVersion, opset: target.opset)
  }

  package func fixedLengths(of model: Model) throws -> [Int]? {
    guard !options.isRange, try CoreMLOptions.takesSeveralLengths(model) else { return nil }
    return try options.lengths(of: model)
  }

  /// Stages a package; see `Format`. It is checked as Core ML would before it is read back.
  ///
  /// - Parameter weights: stored in the float type of the options.
  package func stage(
    _ weights: some CompressedTensors, of model: Model, recipe: String, at place: ModelPlace
  ) throws -> StagedModel {
    guard !isClassic(model) else {
      return try stageTables(weights, of: model, recipe: recipe, beside: place.path)
    }
    let path = place.path
    let folder = try AtomicFolder(path: path)
    let digest = Meanwhile(isLittle: model.isSmall) { model.digest }
    let blob = try BlobWriter(try folder.file(at: MLPackageLayout.weights))
    var (spec, records) = try ModelWriter(model, weights, options).write(to: blob)
    let companions = try Self.companions(of: model)
    try spec.description_p.metadata.state(
      model, companions, recipe: recipe, weights.calibration, description)
    spec.description_p.metadata.userDefined[Self.sourceKey] = digest.value.hex
    let bytes = try spec.deterministicBytes()
    try folder.write(bytes, to: MLPackageLayout.model)
    try folder.write(
      MLPackageManifest(digest: try CoreMLDigest.ofModel(bytes), hasWeights: true).text,
      to: MLPackageLayout.manifest)
    let candidate = try Self.open(
      folder.temporaryPath, origin: path, files: ModelFiles(carriedBy: path, texts: companions))
    try MLPackageLint.check(spec, of: model.origin)
    let names = weights.planned.identified.map(\.identifier)
    try Self.verify(
      candidate.model.weights, holds: Array(zip(records, names.map { TensorName($0) })), path: path)
    let weightBytes = weights.planned.identified.map { tensor, name in
      tensor.sharedWith == nil ? candidate.program.constants[name]?.byteCount ?? 0 : 0
    }
    return StagedModel(
      .folder(folder), as: Self.self, reading: candidate.model,
      StagedModel.Record(
        tensors: records, weightBytes: weightBytes, unused: weights.unused,
        companions: companions))
  }

  package static func contents(
    of path: String
  ) throws -> (digest: ContentDigest, files: [EmittedModel.File]) {
    let folder = try MLPackageFolder(path: path)
    let files = try folder.files().map { name in
      let file = try folder.file(at: name)
      return EmittedModel.File(
        path: name, byteCount: file.byteCount, digest: ContentDigest(of: file))
    }
    let digest = try CoreMLDigest.digest(
      of: files.map { ($0.path, $0.digest) }, model: try folder.model())
    return (digest, files)
  }

  /// Compares the values in the package with the written ones, one by one.
  ///
  /// - Parameter records: the written weights, and their names in the program.
  /// - Throws: `CoreMLError.malformed` for values that are not finite,
  ///   `EmissionError.readBackDiffers`.
  private static func verify(
    _ source: any WeightSource, holds records: [(TensorRecord, name: TensorName)], path: String
  ) throws {
    try ReadBack.verify(source, holds: records, path: path) { name, values in
      if let fault = MLPackageLint.numberFault(name.text, values) {
        throw CoreMLError.malformed(path: path, fault: fault)
      }
    }
  }

  package static func open(_ image: ModelImage) throws -> Model {
    try model(
      in: MLPackageFolder(files: MLPackageFiles(path: image.path, files: image.files)),
      origin: image.path,
      files: ModelFiles(carriedBy: Folder.parent(of: image.path), texts: image.companions))
  }
}

extension ModelFormat {
  /// A folder that Core ML loads.
  package static let mlpackage = ModelFormat(CoreMLPackage.self)
}

extension ModelCarrier {
  /// One input at a time, of one of some lengths.
  fileprivate static func program(
    outputNames: [String], lengths: [Int], embedding: CoreMLOptions.OutputType
  ) -> ModelCarrier {
    ModelCarrier(
      batch: 1, length: lengths.count == 1 ? lengths[0] : nil, imageType: "image",
      embeddingType: embedding.rawValue, outputNames: outputNames)
  }
}

extension SpecMetadata {
  /// Notes everything that a package says besides its program.
  fileprivate mutating func state(
    _ model: Model, _ companions: [String: [UInt8]], recipe: String,
    _ calibration: CalibrationRecord?, _ description: CoreMLDescription
  ) throws {
    describe(description)
    userDefined = description.notes
    userDefined[CoreMLPackage.recipeKey] = recipe
    userDefined[CoreMLPackage.calibrationKey] = calibration?.description
    userDefined[CoreMLPackage.vocabularyKey] = model.vocabulary?.description
    if case .tokenClasses(let labels, _) = model.architecture.output {
      userDefined[CoreMLPackage.labelsKey] =
        JSONValue.array(labels.plain.map(JSONValue.string)).compact
    }
    if case .features(let schema) = model.architecture.input {
      userDefined[CoreMLPackage.featuresKey] = String(decoding: schema.json, as: UTF8.self)
    }
    state(model.architecture.preparation)
    userDefined[CoreMLPackage.tokenizerKey] = try CoreMLPackage.tokenizerFacts(of: model)
    state(CompanionDigests(of: companions))
  }

  /// Notes what is done to texts before the tokenizer sees them.
  fileprivate mutating func state(_ preparation: TextPreparation) {
    if !preparation.prompt.isEmpty {
      userDefined[CoreMLPackage.promptKey] = preparation.prompt
    }
    if preparation.lowercasing != .none { userDefined[CoreMLPackage.lowerCaseKey] = "true" }
    userDefined[CoreMLPackage.cleaningKey] = preparation.cleaning?.rawValue
    if preparation.framing != .specialTokens {
      userDefined[CoreMLPackage.framingKey] = preparation.framing.rawValue
    }
  }

  /// Notes which files prepare inputs, where some do.
  fileprivate mutating func state(_ companions: CompanionDigests) {
    guard !companions.digests.isEmpty else { return }
    userDefined[CoreMLPackage.preparationKey] = companions.names
    userDefined[CoreMLPackage.companionDigestsKey] = companions.text
  }

  /// Takes what is said about a package.
  mutating func describe(_ description: CoreMLDescription) {
    shortDescription = description.summary ?? ""
    author = description.author ?? ""
    license = description.license ?? ""
    versionString = description.version ?? ""
  }
}
