package import Graph
package import WeightCompression
package import Weights
import Files
import StrictJSON
import Tokenization
import Trees

/// Writes a compressed model as one standard safetensors file that describes itself, and reads it
/// back as a model.
package struct CompressedSafetensors: Format {
  package static let name = "safetensors"
  package static let noun = "file of weights"
  package static let phrase = "a safetensors file"
  package static let kind = FormatKind.file(
    FileFormat(
      read: { _ in nil },
      headByteCount: {
        $0.count < 8 ? 8 : WeightCollection.headerByteCount(safetensors: Array($0.prefix(8)))
      },
      isWritten: { isCompressed($0) },
      model: { try model(of: $0, prompt: $1) },
      facts: { try facts(of: $0) }))
  package static let section: String? = nil
  package static let programs: String? = nil
  package static let holdsTablesAlone = false
  package static let describesItself = false

  package let choices = FormatChoices()
  package let floats = FloatType.float32

  package let choiceWords: [String: String] = [:]

  package init(_ choices: FormatChoices = FormatChoices()) {}

  package func check(_ model: Model) throws {
    guard model.architecture is any RecognisedArchitecture else {
      throw EmissionError.programOnly(origin: model.origin, format: ModelFormat(Self.self))
    }
  }

  package func check(_ model: Model, _ planned: [PlannedTensor]) throws { try check(model) }

  package func storedBytes(of planned: [PlannedTensor], _ model: Model) throws -> [Int] {
    guard model.architecture is ForestModel else { return planned.map(\.byteCount) }
    return try TreePacking.storedBytes(of: planned, model)
  }

  package func needs(of model: Model, _ planned: [PlannedTensor]) -> SystemNeeds? { nil }
  package func fixedLengths(of model: Model) -> [Int]? { nil }
  package func carrier(of model: Model) -> ModelCarrier { .plain }
  package static func carrier(ofOpened model: Model) -> ModelCarrier? { nil }
  package static func statement(ofOpened model: Model) -> (any ModelStatement)? { nil }

  package static func storage(ofOpened model: Model) -> (any ModelStorage)? {
    model.weights as? CompressedWeightFile
  }

  package func stage(
    _ weights: some CompressedTensors, of model: Model, recipe: String, at place: ModelPlace
  ) throws -> StagedModel {
    try check(model)
    if let trees = try TreePacking.packed(weights, of: model) {
      return try write(trees, of: model, recipe: recipe, at: place)
    }
    return try write(weights, of: model, recipe: recipe, at: place)
  }

  private func write(
    _ weights: some CompressedTensors, of model: Model, recipe: String, at place: ModelPlace
  ) throws -> StagedModel {
    var file = try StagedFile(path: place.path, in: place.storage)
    let records = try Self.writeTensors(weights, of: model, recipe: recipe, to: &file)
    let candidate = try Self.model(of: try WeightCollection.open(safetensors: try file.reading()))
    try ReadBack.verify(candidate.weights, holds: records.map { ($0, $0.name) }, path: place.path)
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
    EmittedModel.File.contents(of: try MappedFile(path: path))
  }

  /// Writes each tensor where the plan has its place, as soon as it is there.
  private static func writeTensors(
    _ weights: some CompressedTensors, of model: Model, recipe: String,
    to file: inout StagedFile
  ) throws -> [TensorRecord] {
    let planned = weights.planned
    // The digest of a large source is known last; a placeholder of the same length holds its place.
    let known = model.isSmall ? model.digest : nil
    let later = Meanwhile(isLittle: known != nil) { known ?? model.digest }
    let parts = planned.map(SafetensorsPart.parts(of:))
    let all = parts.flatMap(\.self).sorted(by: SafetensorsPart.precedes)
    try refuseNameClashes(all, of: model)
    let metadata = try metadata(
      weights, model: model, recipe: recipe, source: known ?? ContentDigest(of: []))
    let offsets = try SafetensorsWriter.reserve(all.map(\.announced), metadata: metadata, in: &file)
    let places = Dictionary(
      zip(all.map(\.name), offsets), uniquingKeysWith: { first, _ in first })
    var records: [TensorRecord] = []
    try weights.forEach { tensor in
      let plan = planned[records.count]
      let contents = plan.sharedWith == nil ? SafetensorsPart.bytes(of: tensor.content) : []
      for (part, bytes) in zip(parts[records.count], contents) {
        precondition(bytes.count == part.byteCount, "as many bytes as planned")
        try file.overwrite(bytes, at: places[part.name, default: 0])
      }
      records.append(TensorRecord(tensor, plan))
    }
    guard known == nil else { return records }
    try file.overwrite(
      SafetensorsWriter.header(
        tensors: all.map(\.announced),
        metadata: try self.metadata(
          weights, model: model, recipe: recipe, source: later.value)), at: 0)
    return records
  }

  private static func metadata(
    _ weights: some CompressedTensors, model: Model, recipe: String, source: ContentDigest
  ) throws -> [String: String] {
    let entries = weights.planned.map { ($0.name.text, CompressedLayout.entry(for: $0)) }
    var texts: [String: JSONValue] = [:]
    for path in model.architecture.describingFiles {
      guard let bytes = try model.files.bytes(of: path) else { continue }
      texts[path] = CarriedFile.value(of: bytes)
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
    metadata[CompressedLayout.Key.thresholds] = weights.thresholds?.coarse.words
    metadata[CompressedLayout.Key.vocabulary] = model.vocabulary?.description
    return metadata
  }

  /// Refuses a model whose tensor names the format needs for something else.
  private static func refuseNameClashes(_ parts: [SafetensorsPart], of model: Model) throws {
    var taken: Set<TensorName> = ["__metadata__"]
    for part in parts where !taken.insert(part.name).inserted {
      throw EmissionError.reservedName(origin: model.origin, name: part.name)
    }
  }

  /// Whether a weight file is a compressed model of this format, by any key that no other file has.
  package static func isCompressed(_ file: WeightCollection) -> Bool {
    CompressedLayout.Key.all.contains { file.metadata[$0] != nil }
  }

  /// The facts that a compressed file states of itself; its tensors show theirs.
  private static func facts(of weights: WeightCollection) throws -> ModelFacts {
    var facts = ModelFacts()
    var metadata = weights.metadata
    facts.options["recipe"] = metadata.removeValue(forKey: CompressedLayout.Key.recipe)
    facts.source = metadata.removeValue(forKey: CompressedLayout.Key.source)
    metadata[CompressedLayout.Key.tensors] = nil
    let texts = try JSONParser.parseObject(
      Array(metadata.removeValue(forKey: CompressedLayout.Key.files)?.utf8 ?? "{}".utf8),
      origin: weights.origin)
    for member in texts.members {
      let digest = ContentDigest(of: try CarriedFile.bytes(of: member.key, in: texts)).hex
      if member.key == TokenizerFiles.Name.tokenizer.rawValue {
        facts.tokenizer = digest
      } else {
        facts.description[member.key] = digest
      }
    }
    facts.description.merge(metadata) { file, _ in file }
    return facts
  }

  /// The model a compressed file holds.
  ///
  /// - Parameter prompt: goes before every text, instead of the one it was written with.
  package static func model(
    of file: WeightCollection, prompt: PromptChoice? = nil
  ) throws -> Model {
    let path = file.origin
    let weights = try CompressedWeightFile(file, path: path)
    guard let described = file.metadata[CompressedLayout.Key.files] else {
      throw EmissionError.malformed(
        path: path,
        fault: "has no metadata '\(CompressedLayout.Key.files)', which describe the model")
    }
    let texts = try JSONParser.parseObject(
      Array(described.utf8),
      origin: "\(path): metadata '\(CompressedLayout.Key.files)'")
    var carried: [String: [UInt8]] = [:]
    for member in texts.members {
      let bytes = try CarriedFile.bytes(of: member.key, in: texts)
      guard carried.updateValue(bytes, forKey: member.key) == nil else {
        throw texts.error(
          "\(quoted(member.key)) and another path differ in their Unicode form only",
          at: member.value.position)
      }
    }
    let files = try ModelFiles(carriedBy: path, texts: carried).choosing(prompt)
    return try Model(
      origin: path,
      architecture: try Architectures.recognise(
        files, weights: weights, programs: ModelFormat.programs),
      files: files, weights: weights, calibration: try calibration(of: file),
      coarseThresholds: try CoarseThresholds.stated(in: file, by: CompressedLayout.Key.thresholds),
      recipe: file.metadata[CompressedLayout.Key.recipe], vocabulary: try vocabulary(of: file))
  }

  /// The texts whose tokens are left in a file's model; nil if none were dropped.
  private static func vocabulary(of file: WeightCollection) throws -> VocabularyRecord? {
    try file.metadata[CompressedLayout.Key.vocabulary].map {
      guard let record = VocabularyRecord($0) else {
        throw EmissionError.malformed(
          path: file.origin,
          fault: "'\(CompressedLayout.Key.vocabulary)' is not a digest and two numbers")
      }
      return record
    }
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

extension ModelFormat {
  /// A file of weights that says itself which model it is.
  package static let safetensors = ModelFormat(CompressedSafetensors.self)
}
