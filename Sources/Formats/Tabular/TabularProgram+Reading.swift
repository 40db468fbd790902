import SwiftProtobuf
import Trees

extension TabularProgram {
  /// Largest `.mlmodel` that is read, in bytes.
  package static let fileLimit = 256 << 20
  /// Nodes of trees that are written at most: of 32 bytes, as most are, they fill such a file.
  package static let nodeLimit = 8 << 20

  /// Reads the bytes of a `.mlmodel`.
  ///
  /// - Parameter path: the file, for messages.
  /// - Throws: what is not sound, or not understood and could change a result.
  package init(reading bytes: [UInt8], path: String) throws(TabularError) {
    let place = TabularPlace(path)
    guard bytes.count <= TabularProgram.fileLimit else {
      throw place.fault("has \(bytes.count) bytes, at most \(TabularProgram.fileLimit) are read")
    }
    try TabularSize.check(bytes, at: place)
    let message: SpecModel
    do {
      message = try SpecModel(serializedBytes: bytes)
    } catch {
      throw place.fault("is not a Core ML model: \(error)")
    }
    try self.init(message, at: place)
  }

  init(_ message: SpecModel, depth: Int = 0, at place: TabularPlace) throws(TabularError) {
    try place.requireKnown(message, UnreadFields.models)
    let description = message.description_p
    try place.requireKnown(description, UnreadFields.descriptions)
    guard description.functions.isEmpty else {
      throw place.fault("has functions, which models of this kind do not have")
    }
    guard let type = message.type else { throw place.fault("holds no model of a known kind") }
    let inputs = try TabularProgram.features(description.input, "input", at: place)
    let outputs = try TabularProgram.features(description.output, "output", at: place)
    let step = try TabularStep(
      type, rowWidth: inputs.reduce(0) { $0 + ($1.width ?? 0) }, depth: depth, at: place)
    let training =
      message.isUpdatable
      ? try TabularProgram.features(description.trainingInput, "training input", at: place) : nil
    try self.init(
      at: place, inputs: inputs, outputs: outputs,
      predicted: description.predictedFeatureName.nonEmpty,
      probabilities: description.predictedProbabilitiesName.nonEmpty, step: step,
      training: training,
      metadata: Metadata(description.metadata),
      specificationVersion: Int(message.specificationVersion))
  }

  private static func features(
    _ messages: [SpecFeatureDescription], _ word: String, at place: TabularPlace
  ) throws(TabularError) -> [TabularFeature] {
    guard !messages.isEmpty else { throw place.fault("has no \(word)s") }
    var features: [TabularFeature] = []
    for message in messages {
      features.append(
        try TabularFeature(message, at: place.within("\(word) '\(message.name)'")))
    }
    return features
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension TabularProgram.Metadata {
  fileprivate init(_ message: SpecMetadata) {
    self.init(
      text: message.shortDescription, version: message.versionString, author: message.author,
      license: message.license, userDefined: message.userDefined)
  }
}

extension TabularFeature {
  fileprivate init(_ message: SpecFeatureDescription, at place: TabularPlace) throws(TabularError) {
    try place.requireKnown(message)
    try place.requireKnown(message.type, UnreadFields.features)
    self.init(
      message.name, try Kind(message.type.type, at: place), text: message.shortDescription,
      isOptional: message.type.isOptional)
  }
}

extension TabularFeature.Kind {
  fileprivate init(
    _ type: SpecFeatureType.OneOf_Type?, at place: TabularPlace
  ) throws(TabularError) {
    switch type {
    case .doubleType(let empty):
      try place.requireKnown(empty)
      self = .double
    case .int64Type(let empty):
      try place.requireKnown(empty)
      self = .int64
    case .stringType(let empty):
      try place.requireKnown(empty)
      self = .string
    case .multiArrayType(let array): self = .array(try Self.count(of: array, at: place))
    case .dictionaryType(let dictionary):
      try place.requireKnown(dictionary)
      switch dictionary.keyType {
      case .int64KeyType: self = .integerDictionary
      case .stringKeyType: self = .textDictionary
      case nil: throw place.fault("is a dictionary without a kind of key")
      }
    case .imageType: throw place.fault("is an image, expected numbers, texts or dictionaries")
    case nil: throw place.fault("has no type")
    }
  }

  private static func count(
    of array: SpecArrayFeatureType, at place: TabularPlace
  ) throws(TabularError) -> Int {
    try place.requireKnown(array, UnreadFields.arrays)
    guard array.flexibility == nil else { throw place.fault("is an array of several shapes") }
    guard array.dataType == .double else {
      throw place.fault("is an array of \(array.dataType), expected doubles")
    }
    guard array.shape.count == 1 else {
      throw place.fault("is an array of shape \(array.shape), expected one dimension")
    }
    return Int(array.shape[0])
  }
}
