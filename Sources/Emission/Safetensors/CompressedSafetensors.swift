package import Graph
package import WeightCompression
package import Weights
import Files
import StrictJSON

/// Writes a compressed model as one standard safetensors file that describes itself, and reads it
/// back as a model.
package enum CompressedSafetensors {
  /// The format's name in projects and on the command line.
  package static let formatName = "safetensors"
  /// Metadata key of the digest of the weights a file was made from.
  package static let sourceKey = CompressedLayout.Key.source
  /// Metadata key of what was asked for, in words.
  package static let recipeKey = CompressedLayout.Key.recipe
  /// Metadata key of the files that describe the model, one JSON object.
  package static let filesKey = CompressedLayout.Key.files
  /// Metadata key of how each tensor is stored, one JSON object.
  package static let tensorsKey = CompressedLayout.Key.tensors

  /// Writes a compressed model, reads the file back and compares every value.
  ///
  /// - Parameters:
  ///   - weights: the compressed weights of `model`.
  ///   - recipe: what was asked for, in words; recorded.
  ///   - path: where the file appears, whole or not at all.
  ///   - prove: gets the model as read back, before the file has its name; when it throws, nothing
  ///     is left behind.
  package static func write(
    _ weights: CompressedWeights, of model: Model, recipe: String, to path: String,
    proving prove: (Model) throws -> Void = { _ in }
  ) throws -> EmittedModel {
    guard model.architecture is any RecognisedArchitecture else {
      throw EmissionError.programOnly(origin: model.origin)
    }
    let parts = weights.tensors.flatMap(StoredPart.parts(of:)).sorted(by: StoredPart.precedes)
    try refuseNameClashes(parts, of: model)
    var file = try AtomicFile(path: path)
    try SafetensorsWriter.write(
      tensors: parts.map { ($0.name, $0.elementType, $0.shape, $0.bytes.count) },
      metadata: try metadata(weights, model: model, recipe: recipe), to: &file
    ) { index, file in
      try file.write(parts[index].bytes)
    }
    let written = try WeightCollection.open(file.temporaryPath)
    let candidate = try self.model(of: written)
    try verify(candidate.weights, holds: weights, path: path)
    let digest = written.digest()
    try prove(candidate)
    guard try WeightCollection.open(file.temporaryPath).digest() == digest else {
      throw EmissionError.changedMeanwhile(path: path)
    }
    let emitted = EmittedModel(
      path: path, format: formatName, digest: digest,
      files: [EmittedModel.File(path: "", byteCount: file.byteCount, digest: digest)],
      weightBytes: weights.tensors.map(\.byteCount))
    try file.commit()
    return emitted
  }

  private static func metadata(
    _ weights: CompressedWeights, model: Model, recipe: String
  ) throws -> [String: String] {
    let entries = weights.tensors.map { ($0.name, CompressedLayout.entry(for: $0)) }
    var texts: [String: JSONValue] = [:]
    for path in model.architecture.describingFiles {
      guard let bytes = try model.files.bytes(of: path) else { continue }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw EmissionError.malformed(
          path: model.files.name(of: path), fault: "the text is not valid UTF-8")
      }
      texts[path] = .string(text)
    }
    return [
      CompressedLayout.Key.format: CompressedLayout.version,
      CompressedLayout.Key.architecture: type(of: model.architecture).name,
      CompressedLayout.Key.tensors:
        JSONValue.object(Dictionary(uniqueKeysWithValues: entries)).compact,
      CompressedLayout.Key.files: JSONValue.object(texts).compact,
      CompressedLayout.Key.source: model.digest.hex,
      CompressedLayout.Key.recipe: recipe,
    ]
  }

  /// Refuses a model whose tensor names the format needs for something else.
  private static func refuseNameClashes(_ parts: [StoredPart], of model: Model) throws {
    var taken: Set<ExactString> = [ExactString("__metadata__")]
    for part in parts where !taken.insert(ExactString(part.name)).inserted {
      throw EmissionError.reservedName(origin: model.origin, name: part.name)
    }
  }

  /// Compares what lies in the file with what was to be written, value by value.
  private static func verify(
    _ source: any WeightSource, holds weights: CompressedWeights, path: String
  ) throws {
    for tensor in weights.tensors {
      let expected = tensor.dequantized()
      let found = try source.floats(of: tensor.name)
      let isSame =
        expected.count == found.count
        && zip(expected, found).allSatisfy { $0.bitPattern == $1.bitPattern }
      guard isSame else {
        throw EmissionError.readBackDiffers(path: path, tensor: tensor.name)
      }
    }
  }

  /// Whether a weight file is a compressed model of this format.
  package static func isCompressed(_ file: WeightCollection) -> Bool {
    file.metadata[CompressedLayout.Key.format] != nil
  }

  /// The model a compressed file holds.
  package static func model(of file: WeightCollection) throws -> Model {
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
    let files = ModelFiles(carriedBy: path, texts: carried)
    return try Model(
      origin: path, architecture: try Architectures.recognise(files, weights: weights),
      files: files, weights: weights)
  }
}
