package import Graph
import IngotFeatures
package import StrictJSON

/// One input of a model, as a reference set or a line of inputs gives it.
///
/// Two inputs are equal when their bytes are: texts are not compared as Unicode does, and 0 is not
/// −0, because a model may well tell them apart.
package enum Input: Hashable, Sendable {
  case text(String)
  /// Two texts, which a cross-encoder reads together.
  case textPair(String, String)
  /// Values of features in the model's order, of categories their codes; NaN where one is missing.
  case values([Double])
  /// Values of features by their names.
  case named(NamedFeatures)
  /// The path of an image file, as it was written: seen from the file that names it.
  case image(path: String)

  /// The written form of an input, for messages.
  package static let form = "a string or an object with 'image', 'text' or 'values'"
  /// The keys of an object that is an input of another kind than features by their names.
  static let keys = ["image", "text", "text_pair", "values"]

  /// Its kind, which decides the model that takes it.
  package var kind: InputKind {
    switch self {
    case .text: .text
    case .textPair: .textPair
    case .values, .named: .values
    case .image: .image
    }
  }

  /// Reads `{"image": …}`, `{"text": …}`, `{"text": …, "text_pair": …}` or `{"values": […]}`; an object
  /// without any of these keys is features by their names.
  package init(_ object: JSONObject) throws(JSONError) {
    if !object.members.isEmpty, !Input.keys.contains(where: { object[$0] != nil }) {
      self = .named(try NamedFeatures(object))
      return
    }
    try object.allowOnly(Input.keys)
    if object["text_pair"] != nil {
      self = try Input.textPair(object)
      return
    }
    guard object.members.count == 1 else {
      throw object.error(
        object.members.isEmpty
          ? "an input needs 'image', 'text' or 'values'"
          : "an input has one of 'image', 'text' and 'values', not \(object.members.count)",
        at: object.position)
    }
    if object["text"] != nil {
      self = .text(try object.string("text"))
    } else if object["image"] != nil {
      self = .image(path: try Input.imagePath(of: object))
    } else {
      self = .values(try Input.features("values", of: object))
    }
  }

  private static func textPair(_ object: JSONObject) throws(JSONError) -> Input {
    try object.allowOnly(["text", "text_pair"])
    return .textPair(try object.string("text"), try object.string("text_pair"))
  }

  // A control character would end a path early or hide part of a message about it.
  private static func imagePath(of object: JSONObject) throws(JSONError) -> String {
    let path = try object.string("image")
    let position = try object.required("image").position
    guard !path.isEmpty else {
      throw object.error("'image' is empty, expected the path of an image", at: position)
    }
    guard path.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw object.error("the path in 'image' holds a control character", at: position)
    }
    return path
  }

  /// An array of numbers; null where one is missing.
  private static func features(_ key: String, of object: JSONObject) throws(JSONError) -> [Double] {
    var values: [Double] = []
    for node in try object.array(key) {
      if node.isNull {
        values.append(.nan)
        continue
      }
      guard case .number = node.content else {
        throw object.error(
          "a value of '\(key)' is \(node.kind), expected a number, or null where it is missing",
          at: node.position)
      }
      guard let value = node.double, Float(value).isFinite else {
        throw object.error(
          "a value of '\(key)' is \(node.kind), too large for a 32-bit float", at: node.position)
      }
      values.append(value)
    }
    return values
  }

  /// An array of numbers that 32-bit floats can hold.
  static func floats(_ key: String, of object: JSONObject) throws(JSONError) -> [Float] {
    var values: [Float] = []
    for node in try object.array(key) {
      guard case .number = node.content else {
        throw object.error(
          "a value of '\(key)' is \(node.kind), expected a number", at: node.position)
      }
      guard let value = node.double.map({ Float($0) }), value.isFinite else {
        throw object.error(
          "a value of '\(key)' is \(node.kind), too large for a 32-bit float", at: node.position)
      }
      values.append(value)
    }
    return values
  }

  /// Its kind and, of a text, the size, for messages: `a text of 12 characters`.
  package var words: String {
    guard case .text(let text) = self else { return kind.words }
    return "a text of \(Figures.count(text.unicodeScalars.count, "character"))"
  }

  /// Short form for messages: at most 40 characters of a text in quotes, at most four values, the
  /// path of an image as it was written.
  package var label: String {
    switch self {
    case .text(let text): return Input.quoted(text, longest: 40)
    case .textPair(let first, let second):
      return [first, second].map { Input.quoted($0, longest: 20) }.joined(separator: " + ")
    case .values(let values):
      let shown = values.prefix(4).map(Input.words).joined(separator: ", ")
      return values.count > 4 ? "[\(shown), …]" : "[\(shown)]"
    case .named(let row): return row.words(4)
    case .image(let path): return path
    }
  }

  /// A number of a feature, as short as the number of 32 bits where it is one; null where it is missing.
  package static func words(_ value: Double) -> String {
    if value.isNaN { return "null" }
    let near = Float(value)
    return Double(near) == value ? "\(near)" : "\(value)"
  }

  private static func quoted(_ text: String, longest: Int) -> String {
    let scalars = text.unicodeScalars
    let short = String(String.UnicodeScalarView(scalars.prefix(longest)))
    let isCut = scalars.dropFirst(longest).first != nil
    return JSONValue.string(isCut ? short + "…" : short).compact
  }

  package static func == (left: Input, right: Input) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)), (.image(let left), .image(let right)):
      ExactString(left) == ExactString(right)
    case (.textPair(let left, let other), .textPair(let right, let another)):
      ExactString(left) == ExactString(right) && ExactString(other) == ExactString(another)
    case (.values(let left), .values(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.bitPattern == $1.bitPattern }
    case (.named(let left), .named(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): hasher.combine(ExactString(text))
    case .textPair(let first, let second):
      hasher.combine(ExactString(first))
      hasher.combine(ExactString(second))
    case .image(let path):
      hasher.combine(1)
      hasher.combine(ExactString(path))
    case .values(let values): for value in values { hasher.combine(value.bitPattern) }
    case .named(let row): hasher.combine(row)
    }
  }
}

/// The kind of an input, which decides the model that takes it.
package enum InputKind: Hashable, Comparable, Sendable {
  case image, text, textPair, values

  /// `an image`, for messages.
  package var words: String {
    switch self {
    case .image: "an image"
    case .text: "a text"
    case .textPair: "a pair of texts ('text' and 'text_pair')"
    case .values: "a list of values"
    }
  }

  /// The encoder of a model with several that takes these inputs; nil if no encoder does.
  package var encoder: EncoderKind? {
    switch self {
    case .image: .image
    case .text: .text
    case .textPair, .values: nil
    }
  }
}

extension Model {
  /// The kind of its inputs.
  package var kind: InputKind { architecture.kind }
}

extension Architecture {
  /// The kind of input the model takes.
  package var kind: InputKind {
    switch input {
    case .tokens: readsTwoTexts ? .textPair : .text
    case .features: .values
    case .image: .image
    }
  }

  /// One input in words: `a text`, `2 values ('x', 'y')`.
  package var inputWords: String {
    switch input {
    case .tokens, .image: kind.words
    case .features: input.words
    }
  }
}

extension ModelInput {
  /// Whether both are the same, names byte for byte.
  package func isExactly(_ other: ModelInput) -> Bool {
    if case .features(let ours) = self, case .features(let theirs) = other {
      return ours.isExactly(theirs)
    }
    return self == other
  }

  /// Whether a program takes the same inputs as the model it replaces. The longest text may differ; features are the
  /// same where the program says what they are, and as many numbers where it does not.
  package func canReplace(_ other: ModelInput) -> Bool {
    switch (self, other) {
    case (.tokens(_, let ours), .tokens(_, let theirs)): ours == theirs
    case (.features(let ours), .features(let theirs)):
      ours.isExactly(theirs) || ours.isUnnamed && ours.columnCount == theirs.columnCount
    case (.image, .image): self == other
    default: false
    }
  }
}

extension ModelOutput {
  /// Whether both are the same, labels byte for byte.
  package func isExactly(_ other: ModelOutput) -> Bool {
    guard self == other, let ours = labels, let theirs = other.labels else { return self == other }
    return ours.isExactly(theirs)
  }

  private var labels: ClassLabels? {
    switch self {
    case .classes(let labels, _, _), .tokenClasses(let labels, _): labels
    case .embedding, .numbers: nil
    }
  }

  /// Whether a program gives the same outputs as the model it replaces; only the model knows
  /// whether a vector is an embedding or plain numbers.
  package func canReplace(_ other: ModelOutput) -> Bool {
    switch (self, other) {
    case (.classes(let labels, let width, _), .classes(let theirs, let theirWidth, _)):
      labels.isExactly(theirs) && width == theirWidth
    // The program may cut texts to fewer tokens.
    case (.tokenClasses(let labels, _), .tokenClasses(let theirs, _)):
      labels.isExactly(theirs)
    case (.classes, _), (_, .classes), (.tokenClasses, _), (_, .tokenClasses): false
    default: width == other.width
    }
  }

  /// Words for messages.
  package var words: String {
    switch self {
    case .embedding(let width): "an embedding of \(width)"
    case .classes(let labels, let width, _):
      "\(Figures.count(width, "score")) for the labels \(Figures.list(words: labels.words))"
    case .tokenClasses(let labels, _):
      "a score of each token for each of the labels \(Figures.list(words: labels.words))"
    case .numbers(let width): Figures.count(width, "number")
    }
  }
}
