public import IngotFeatures
import StrictJSON

/// What a package says of how one model's inputs are made, so that an app makes the very inputs that
/// the gate ran.
///
/// It is read from the JSON text that comes with the model; `specs/formats/input-configuration.md`
/// says what is in it.
public struct InputConfiguration: Equatable, Sendable {
  /// What one input is.
  public enum Kind: Equatable, Sendable {
    /// A text, or two texts that the model reads together: see `TextPreparer`.
    case texts(TextConfiguration)
    /// An image: see `ImagePreparer`.
    case image(ImageConfiguration)
    /// Values with names, in the order in which the model takes them: see `FeaturePreparer`.
    case features(FeatureSchema)

    var words: String {
      switch self {
      case .texts: "texts"
      case .image: "images"
      case .features: "features"
      }
    }
  }

  /// What one input is, and how it is made.
  public let kind: Kind
  /// Names of the model's inputs, ascending: for texts some of `input_ids`, `attention_mask` and
  /// `token_type_ids`, else one.
  public let tensors: [String]

  /// Largest text that is read, in bytes.
  static let sizeLimit = 4 << 20
  /// The version of the text's form.
  private static let schema = 1

  /// - Parameter tensors: in any order.
  package init(_ kind: Kind, tensors: [String]) {
    self.kind = kind
    self.tensors = tensors.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The text: compact, with sorted keys, in ASCII; one configuration has one text.
  public var json: [UInt8] {
    var members: [String: JSONValue]
    switch kind {
    case .texts(let texts):
      members = texts.members
      members["kind"] = "text"
    case .image(let image):
      members = image.members
      members["kind"] = "image"
    case .features(let schema):
      members = ["features": schema.jsonValue, "kind": "features"]
    }
    members["schema"] = .integer(InputConfiguration.schema)
    members["tensors"] = .array(tensors.map(JSONValue.string))
    return CanonicalJSON.bytes(of: .object(members))
  }

  /// Reads the text.
  ///
  /// - Throws: `InputError.configuration` for any text that `json` would not have given: with unknown
  ///   keys, of a later schema, or in another order.
  public init(json: [UInt8]) throws(InputError) {
    guard json.count <= InputConfiguration.sizeLimit else {
      throw .configuration(
        "the input configuration has \(json.count) bytes, at most \(InputConfiguration.sizeLimit) "
          + "are read")
    }
    do throws(JSONError) {
      self = try InputConfiguration(
        JSONParser.parseObject(json, origin: "input configuration"))
    } catch {
      throw .configuration(error.description)
    }
    guard self.json == json else {
      throw .configuration(
        "input configuration: is not written as Ingot writes it: compact, keys sorted, each value "
          + "in its one form")
    }
  }

  private init(_ root: JSONObject) throws(JSONError) {
    let schema = try root.plainInteger("schema", in: 1...Int.max)
    guard schema == InputConfiguration.schema else {
      throw root.error(
        "'schema' is \(schema), this library reads \(InputConfiguration.schema): update the app's "
          + "library", at: try root.required("schema").position)
    }
    let kind: Kind
    var known = ["kind", "schema", "tensors"]
    switch try root.string("kind") {
    case "text":
      known += TextConfiguration.keys
      try root.allowOnly(known)
      kind = .texts(try TextConfiguration(root))
    case "image":
      known += ImageConfiguration.keys
      try root.allowOnly(known)
      kind = .image(try ImageConfiguration(root))
    case "features":
      try root.allowOnly(known + ["features"])
      kind = .features(try FeatureSchema(root, "features", takesNames: true))
    default:
      throw root.mismatch(
        "kind", expected: "'text', 'image' or 'features'", try root.required("kind"))
    }
    self.init(kind, tensors: try root.texts("tensors"))
    try checkTensors(root)
  }

  private func checkTensors(_ root: JSONObject) throws(JSONError) {
    let node = try root.required("tensors")
    switch kind {
    case .texts:
      guard tensors.contains(TextConfiguration.ids),
        Set(tensors).count == tensors.count, tensors.allSatisfy(TextConfiguration.isTensor)
      else {
        throw root.error(
          "'tensors' is \(tensors.joined(separator: ", ")), expected input_ids and, where the model "
            + "takes them, attention_mask and token_type_ids", at: node.position)
      }
    case .image, .features:
      guard tensors.count == 1 else {
        throw root.mismatch("tensors", expected: "an array of one name", node)
      }
    }
  }
}

extension JSONObject {
  /// An array of at least one text.
  func texts(_ key: String) throws(JSONError) -> [String] {
    let node = try required(key)
    let texts = try array(key).compactMap(\.string)
    guard !texts.isEmpty, texts.count == node.array?.count else {
      throw mismatch(key, expected: "at least one string", node)
    }
    return texts
  }
}
