import Files
package import Graph
import StrictJSON
import SwiftProtobuf
import Tokenization
import Weights

/// Writes a compressed model as a Core ML package (an ML Program), and reads packages as models.
package struct CoreMLPackage: Format {
  package static let name = "mlpackage"
  package static let noun = "Core ML package"
  package static let phrase = "an mlpackage"
  package static let kind = FormatKind.folder(
    FolderFormat(
      isMeant: { isMeant($0) }, isReplaceable: { isMLPackage($0) },
      open: { try model(of: $0, files: $1) }, inspect: { try inspect($0, files: $1) },
      namedFile: CoreMLDigest.modelPath, namedFileLimit: CoreMLDigest.modelLimit,
      companions: companionFiles, tokenizer: tokenizerFile, promptFiles: promptFiles,
      companionFiles: { try companions(of: $0) },
      digest: { try CoreMLDigest.digest(of: $0, model: $1) },
      receipt: { try CoreMLDigest.receipt(in: $0) },
      naming: { try CoreMLDigest.naming($0, in: $1) }))
  package static let section: String? = CoreMLOptions.section
  package static let programs: String? =
    "make a Core ML package of this one with coremltools, which is read as far as its operations "
    + "are known"
  /// The suffix of packages on disk.
  package static let suffix = MLPackageLayout.suffix
  /// Key of the digest of the weights a package was made from.
  package static let sourceKey = "dev.ingot.weights"
  /// Key of the requested compression, in words.
  package static let recipeKey = "dev.ingot.recipe"
  /// Key of the inputs that the weights were fitted to.
  package static let calibrationKey = "dev.ingot.calibration"
  /// Key of the texts whose tokens are left, where the others were dropped.
  package static let vocabularyKey = "dev.ingot.vocabulary"
  /// Key of the names of files beside a package that prepare inputs.
  package static let preparationKey = "dev.ingot.preparation"
  /// Key of the digests of these files.
  package static let companionDigestsKey = "dev.ingot.preparation-sha256"
  /// Key of the text that goes before every text, where one does.
  package static let promptKey = "dev.ingot.prompt"
  /// Key that is there where letters are made small before the tokenizer sees them.
  package static let lowerCaseKey = "dev.ingot.lower-case"
  /// The key under which a package says that no special tokens belong around a text.
  package static let framingKey = "dev.ingot.token-framing"
  /// Key of the labels of a classifier of tokens, as a JSON list in the order of its numbers.
  package static let labelsKey = "dev.ingot.labels"
  /// Key of the schema of features, where they are more than numbers with names.
  package static let featuresKey = "dev.ingot.features"
  /// Key of how texts are cleaned before the tokenizer sees them, where they are.
  package static let cleaningKey = "dev.ingot.text-cleaning"
  /// Key of the tokenizer's settings in `config.json`, which is not beside a package.
  package static let tokenizerKey = TokenizerFiles.factsKey
  /// Name of the tokenizer's file.
  package static let tokenizerFile = "tokenizer.json"
  /// The files that prepare inputs, for which a package has no place.
  package static let companionFiles =
    [
      tokenizerFile, "preprocessor_config.json", "processor_config.json", "open_clip_config.json",
      "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    ] + TokenizerFiles.Name.pieces.map(\.rawValue)
  /// The files that say what goes before a text; packages of Ingot's hold that themselves.
  package static let promptFiles = [
    "config_sentence_transformers.json", "sentence_bert_config.json",
  ]

  /// Names of a package's outputs for an architecture: a vector, or a label and the probability or
  /// score of each.
  package static func outputNames(of architecture: any Architecture) -> [String] {
    let name = Identifier.make(from: architecture.outputName)
    switch architecture.output {
    case .classes(_, _, .probabilities): return [name, name + "_probability"]
    case .classes(_, _, .scores): return [name, name + "_score"]
    case .embedding, .numbers, .tokenClasses: return [name]
    }
  }

  /// Whether a path names a Core ML package.
  package static func isMLPackage(_ path: String) -> Bool { MLPackageFolder.isMLPackage(path) }

  /// Whether a path names a Core ML package, or a folder that is called like one.
  package static func isMeant(_ path: String) -> Bool {
    isMLPackage(path)
      || Folder.kind(of: path) == .folder && Folder.name(of: path).hasSuffix(MLPackageLayout.suffix)
  }

  /// Refuses a model that was read from a package with numbers that no other package can hold.
  ///
  /// - Throws: `CoreMLError.notFinite`.
  package static func requireFinite(_ model: Model) throws(CoreMLError) {
    guard let program = model.architecture as? CoreMLProgram, !program.faults.isEmpty else {
      return
    }
    throw .notFinite(origin: model.origin, faults: program.faults)
  }

  /// The user's choices about the program and its inputs.
  package let options: CoreMLOptions
  /// The package's description of itself.
  package let description: CoreMLDescription

  package init(
    options: CoreMLOptions = CoreMLOptions(), description: CoreMLDescription = CoreMLDescription()
  ) {
    self.options = options
    self.description = description
  }

  package init(_ choices: FormatChoices) {
    self.init(options: choices.coreML, description: choices.description)
  }
}

extension CoreMLPackage {
  /// The model that a package holds.
  ///
  /// - Parameter files: where what the package has no place for is found (`tokenizer.json`).
  package static func model(of path: String, files: ModelFiles) throws -> Model {
    try model(in: try MLPackageFolder(path: path), origin: path, files: files)
  }

  /// The same, wherever its files are.
  static func model(
    in folder: MLPackageFolder, origin: String, files: ModelFiles
  ) throws -> Model {
    if let tables = try TabularPackage(folder, origin: origin) { return tables.model }
    return try open(folder, origin: origin, files: files).model
  }

  /// A package as read: the model, and its program as architecture.
  struct Opened {
    let model: Model
    let program: CoreMLProgram
    let message: SpecModel
  }

  static func open(_ path: String, origin: String, files: ModelFiles) throws -> Opened {
    try open(try MLPackageFolder(path: path), origin: origin, files: files)
  }

  static func open(
    _ folder: MLPackageFolder, origin: String, files: ModelFiles
  ) throws -> Opened {
    let bytes = try folder.model()
    let message: SpecModel
    guard !bytes.isEmpty else {
      throw CoreMLError.malformed(path: origin, fault: "'\(CoreMLDigest.modelPath)' is empty")
    }
    do {
      message = try SpecModel(serializedBytes: bytes)
    } catch {
      throw CoreMLError.malformed(
        path: origin, fault: "'\(CoreMLDigest.modelPath)' is no model message: \(error)")
    }
    do {
      let (function, block) = try main(of: message)
      let companions = try statedCompanions(message, origin: origin)
      let files = try stating(
        message, try companions?.choosing(among: files, origin: origin) ?? files, origin: origin)
      let faults = MLPackageLint.versionFaults(message) + MLPackageLint.interfaceFaults(message)
      if let fault = faults.first {
        throw CoreMLError.malformed(path: origin, fault: fault)
      }
      let blobs = try BlobFiles(folder, namedBy: block)
      let program = try CoreMLProgram(
        message, function, block, blobs: blobs,
        describingFiles: try preparation(message, files),
        preparation: try textPreparation(message, files))
      let weights = try ProgramWeights(
        folder, origin: origin, model: bytes, blobs: blobs, constants: program.constants)
      let model = try Model(
        origin: origin, architecture: program, files: files, weights: weights,
        calibration: try calibration(of: message, origin: origin),
        recipe: message.description_p.metadata.userDefined[recipeKey],
        vocabulary: try vocabulary(of: message, origin: origin))
      return Opened(model: model, program: program, message: message)
    } catch let error as GraphError {
      throw CoreMLError.program(path: origin, fault: "\(error)")
    } catch ModelError.graph(_, let error) {
      throw CoreMLError.program(path: origin, fault: "\(error)")
    }
  }

  private static func calibration(
    of message: SpecModel, origin: String
  ) throws -> CalibrationRecord? {
    try message.description_p.metadata.userDefined[calibrationKey].map {
      guard let record = CalibrationRecord($0) else {
        throw CoreMLError.malformed(
          path: origin, fault: "'\(calibrationKey)' is no digest and number")
      }
      return record
    }
  }

  private static func vocabulary(
    of message: SpecModel, origin: String
  ) throws -> VocabularyRecord? {
    try message.description_p.metadata.userDefined[vocabularyKey].map {
      guard let record = VocabularyRecord($0) else {
        throw CoreMLError.malformed(
          path: origin, fault: "'\(vocabularyKey)' is not a digest and two numbers")
      }
      return record
    }
  }

  /// The one function of a program and its operations for the opset it names.
  private static func main(
    of message: SpecModel
  ) throws(GraphError) -> (MILFunction, MILBlock) {
    func fault(_ value: String, _ reason: String) -> GraphError {
      GraphError(value: value, operation: "program", reason: reason)
    }
    guard case .mlProgram(let program) = message.type else {
      throw fault("model", "is no ML Program; older kinds of model are not read")
    }
    // Another kind of model behind the program would be the one that counts.
    guard message.unknownFields.data.isEmpty else {
      throw fault("model", "holds more than an ML Program and its description")
    }
    guard program.version == 1 else {
      throw fault("version", "is \(program.version), expected 1")
    }
    guard program.functions.count == 1, let function = program.functions["main"] else {
      throw fault(
        "functions", "are \(program.functions.keys.sorted()), expected 'main' alone")
    }
    guard let block = function.blockSpecializations[function.opset] else {
      throw fault("main", "has no operations for its opset '\(function.opset)'")
    }
    guard function.blockSpecializations.count == 1, block.inputs.isEmpty else {
      throw fault("main", "has operations for more than its opset, or inputs of their own")
    }
    return (function, block)
  }
}
