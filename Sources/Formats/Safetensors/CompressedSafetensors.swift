package import Graph
package import WeightCompression
package import Weights
import Files
import StrictJSON

/// Writes a compressed model as one standard safetensors file that describes itself, and reads it
/// back as a model.
package struct CompressedSafetensors: Format {
  package static let name = "safetensors"
  package static let noun = "file of weights"
  package static let folder: FolderFormat? = nil
  /// Metadata key of the digest of the weights a file was made from.
  package static let sourceKey = CompressedLayout.Key.source
  /// Metadata key of the requested compression, in words.
  package static let recipeKey = CompressedLayout.Key.recipe
  /// Metadata key of the inputs that the weights were fitted to.
  package static let calibrationKey = CompressedLayout.Key.calibration
  /// Metadata key of the files that describe the model, one JSON object.
  package static let filesKey = CompressedLayout.Key.files
  /// Metadata key of how each tensor is stored, one JSON object.
  package static let tensorsKey = CompressedLayout.Key.tensors

  package let choices = FormatChoices()
  package let floats = FloatType.float32

  package init(_ choices: FormatChoices = FormatChoices()) {}

  package func stage(
    _ weights: some CompressedTensors, of model: Model, recipe: String, beside path: String
  ) throws -> StagedModel {
    guard model.architecture is any RecognisedArchitecture else {
      throw EmissionError.programOnly(origin: model.origin)
    }
    var file = try AtomicFile(path: path)
    let records = try Self.writeTensors(weights, of: model, recipe: recipe, to: &file)
    let candidate = try Self.model(of: try WeightCollection.open(file.temporaryPath))
    try ReadBack.verify(candidate.weights, holds: records.map { ($0, $0.name) }, path: path)
    return StagedModel(
      .file(file), as: Self.self, reading: candidate,
      StagedModel.Record(
        tensors: records, weightBytes: weights.planned.map(\.byteCount), unused: weights.unused))
  }

  package static func open(_ image: ModelImage) throws -> Model {
    guard let file = image.files[""] else {
      throw EmissionError.malformed(path: image.path, fault: "is a folder, expected one file")
    }
    let weights = try WeightCollection.open(safetensors: file)
    guard isCompressed(weights) else {
      throw EmissionError.malformed(
        path: image.path, fault: "nothing in it says which model it is")
    }
    return try model(of: weights)
  }

  package static func contents(
    of path: String
  ) throws -> (digest: ContentDigest, files: [EmittedModel.File]) {
    let file = try MappedFile(path: path)
    let digest = ContentDigest(of: file)
    return (digest, [EmittedModel.File(path: "", byteCount: file.byteCount, digest: digest)])
  }

  /// Writes each tensor where the plan has its place, as soon as it is there.
  private static func writeTensors(
    _ weights: some CompressedTensors, of model: Model, recipe: String,
    to file: inout AtomicFile
  ) throws -> [TensorRecord] {
    let digest = Meanwhile { model.digest }
    let planned = weights.planned
    let parts = planned.map(SafetensorsPart.parts(of:))
    let all = parts.flatMap(\.self).sorted(by: SafetensorsPart.precedes)
    try refuseNameClashes(all, of: model)
    // The digest of the source is known last; a placeholder of the same length holds its place.
    let metadata = try metadata(
      weights, model: model, recipe: recipe, source: ContentDigest(of: []))
    let offsets = try SafetensorsWriter.reserve(all.map(\.announced), metadata: metadata, in: &file)
    let places = Dictionary(
      zip(all.map(\.name), offsets), uniquingKeysWith: { first, _ in first })
    var records: [TensorRecord] = []
    try weights.forEach { tensor in
      let plan = planned[records.count]
      let contents = plan.sharedWith == nil ? SafetensorsPart.bytes(of: tensor) : []
      for (part, bytes) in zip(parts[records.count], contents) {
        precondition(bytes.count == part.byteCount, "as many bytes as planned")
        try file.overwrite(bytes, at: places[part.name, default: 0])
      }
      records.append(TensorRecord(tensor, plan))
    }
    try file.overwrite(
      SafetensorsWriter.header(
        tensors: all.map(\.announced),
        metadata: try self.metadata(
          weights, model: model, recipe: recipe, source: digest.value)), at: 0)
    return records
  }

  private static func metadata(
    _ weights: some CompressedTensors, model: Model, recipe: String, source: ContentDigest
  ) throws -> [String: String] {
    let entries = weights.planned.map { ($0.name.text, CompressedLayout.entry(for: $0)) }
    var texts: [String: JSONValue] = [:]
    for path in model.architecture.describingFiles {
      guard let bytes = try model.files.bytes(of: path) else { continue }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw EmissionError.malformed(
          path: model.files.name(of: path), fault: "the text is not valid UTF-8")
      }
      texts[path] = .string(text)
    }
    var metadata = [
      CompressedLayout.Key.format: CompressedLayout.version,
      CompressedLayout.Key.architecture: type(of: model.architecture).name,
      CompressedLayout.Key.tensors:
        JSONValue.object(Dictionary(uniqueKeysWithValues: entries)).compact,
      CompressedLayout.Key.files: JSONValue.object(texts).compact,
      CompressedLayout.Key.source: source.hex,
      CompressedLayout.Key.recipe: recipe,
    ]
    metadata[CompressedLayout.Key.calibration] = weights.calibration?.description
    return metadata
  }

  /// Refuses a model whose tensor names the format needs for something else.
  private static func refuseNameClashes(_ parts: [SafetensorsPart], of model: Model) throws {
    var taken: Set<TensorName> = ["__metadata__"]
    for part in parts where !taken.insert(part.name).inserted {
      throw EmissionError.reservedName(origin: model.origin, name: part.name)
    }
  }

  /// Whether a weight file is a compressed model of this format.
  package static func isCompressed(_ file: WeightCollection) -> Bool {
    file.metadata[CompressedLayout.Key.format] != nil
  }

  package static func model(
    writtenAs weights: WeightCollection, prompt: PromptChoice?
  ) throws -> Model? {
    isCompressed(weights) ? try model(of: weights, prompt: prompt) : nil
  }

  /// The model a compressed file holds.
  ///
  /// - Parameter prompt: goes before every text, instead of the one it was written with.
  package static func model(
    of file: WeightCollection, prompt: PromptChoice? = nil
  ) throws -> Model {
    let path = file.origin
    let weights = try CompressedWeightFile(file, path: path)
    let texts = try JSONParser.parseObject(
      Array(file.metadata[CompressedLayout.Key.files, default: "{}"].utf8),
      origin: "\(path): metadata '\(CompressedLayout.Key.files)'")
    var carried: [String: [UInt8]] = [:]
    for member in texts.members {
      let text = Array(try texts.string(member.key).utf8)
      guard carried.updateValue(text, forKey: member.key) == nil else {
        throw texts.error(
          "\(quoted(member.key)) and another path differ in their Unicode form only",
          at: member.value.position)
      }
    }
    let files = try ModelFiles(carriedBy: path, texts: carried).choosing(prompt)
    return try Model(
      origin: path, architecture: try Architectures.recognise(files, weights: weights),
      files: files, weights: weights, calibration: try calibration(of: file),
      recipe: file.metadata[CompressedLayout.Key.recipe])
  }

  /// The inputs that the weights of a file were fitted to; nil if there were none.
  private static func calibration(of file: WeightCollection) throws -> CalibrationRecord? {
    try file.metadata[CompressedLayout.Key.calibration].map {
      guard let record = CalibrationRecord($0) else {
        throw EmissionError.malformed(
          path: file.origin, fault: "'\(CompressedLayout.Key.calibration)' is no digest and number")
      }
      return record
    }
  }
}
