import StrictJSON
package import Tokenization

/// How texts become the tensors of one model.
public struct TextConfiguration: Equatable, Sendable {
  /// Tokens that a text is cut to, those around it included.
  public var maximumLength: Int { limits.most }
  /// The lengths to which texts are padded, ascending; nil if the model takes any length.
  public let lengths: [Int]?
  /// The id that fills up short texts.
  public let paddingID: Int32
  /// Whether an input is two texts, which the model reads together.
  public var readsTwoTexts: Bool { preparation.framing == .twoTexts }
  /// SHA-256 in hexadecimal of each of the tokenizer's files, by its name: all of them are needed.
  public let files: [String: String]

  /// Changes to a text before the tokenizer sees it, and what goes around its tokens.
  package let preparation: TextPreparation
  /// Who normalises and splits texts.
  package let cleaning: TextCleaning
  package let limits: TokenLimits
  /// What the model's own `config.json` says of the tokenizer, by key.
  package let facts: [String: String]

  /// - Parameters:
  ///   - files: SHA-256 in hexadecimal by path, `config.json` left out.
  ///   - facts: `TokenizerFiles.modelFacts()`.
  package init(
    preparation: TextPreparation, cleaning: TextCleaning, limits: TokenLimits, lengths: [Int]?,
    paddingID: Int32, files: [String: String], facts: [String: String]
  ) {
    (self.preparation, self.cleaning, self.limits) = (preparation, cleaning, limits)
    (self.lengths, self.paddingID, self.files, self.facts) = (lengths, paddingID, files, facts)
  }

  static let ids = TextTensors.Name.ids.rawValue
  static func isTensor(_ name: String) -> Bool { TextTensors.Name(rawValue: name) != nil }
}

// MARK: JSON

extension TextConfiguration {
  static let keys = [
    "cleaning", "end", "files", "framing", "least", "lengths", "lowercasing", "maximum", "model",
    "padding", "prompt", "rows", "strips", "tokenizer",
  ]

  /// The longest text that is read, in tokens.
  private static let longest = 1 << 24

  var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "files": .object(files.mapValues(JSONValue.string)),
      "framing": .string(preparation.framing.rawValue), "least": .integer(limits.least),
      "lengths": TextConfiguration.value(of: lengths), "maximum": .integer(limits.most),
      "padding": .integer(Int(paddingID)), "rows": .integer(limits.rows),
      "tokenizer": .string(cleaning.rawValue),
    ]
    members["cleaning"] = preparation.cleaning.map { .string($0.rawValue) }
    members["end"] = limits.end.map { .integer(Int($0)) }
    if preparation.lowercasing != .none {
      members["lowercasing"] = .string(preparation.lowercasing.rawValue)
    }
    if !facts.isEmpty { members["model"] = TokenizerFiles.file(of: facts) }
    if !preparation.prompt.isEmpty { members["prompt"] = .string(preparation.prompt) }
    if preparation.strips { members["strips"] = true }
    return members
  }

  init(_ root: JSONObject) throws(JSONError) {
    let rows = try root.plainInteger("rows", in: 1...Int(Int32.max))
    let most = try root.plainInteger("maximum", in: 1...TextConfiguration.longest)
    var end: Int32?
    if root["end"] != nil { end = Int32(try root.plainInteger("end", in: 0...rows - 1)) }
    limits = TokenLimits(
      most: most, least: try root.plainInteger("least", in: 0...most), rows: rows, end: end)
    lengths = try TextConfiguration.lengths(root, maximum: most)
    paddingID = Int32(try root.plainInteger("padding", in: 0...rows - 1))
    files = try root.object("files").strings()
    facts = root["model"] == nil ? [:] : try root.object("model").strings()
    guard !files.isEmpty, files.values.allSatisfy(TextConfiguration.isDigest) else {
      throw root.error(
        "'files' needs at least one file, each with 64 lower-case hexadecimal digits",
        at: try root.required("files").position)
    }
    let cleaning: TextPreparation.Cleaning? = try root.word("cleaning")
    preparation = TextPreparation(
      prompt: root["prompt"] == nil ? "" : try root.string("prompt"),
      strips: root["strips"] == nil ? false : try root.bool("strips"),
      lowercasing: try root.word("lowercasing") ?? .none,
      framing: try root.neededWord("framing"), cleaning: cleaning)
    self.cleaning = try root.neededWord("tokenizer")
  }

  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  // MARK: Lengths

  /// `"any"`, all lengths of a range as `{"from":…,"to":…}`, or an array.
  private static func value(of lengths: [Int]?) -> JSONValue {
    guard let lengths else { return "any" }
    if lengths.count > 2, let first = lengths.first, let last = lengths.last,
      last - first == lengths.count - 1
    {
      return ["from": .integer(first), "to": .integer(last)]
    }
    return .array(lengths.map(JSONValue.integer))
  }

  private static func lengths(_ root: JSONObject, maximum: Int) throws(JSONError) -> [Int]? {
    let node = try root.required("lengths")
    if node.string == "any" { return nil }
    var lengths: [Int] = []
    if let range = node.object {
      try range.allowOnly(["from", "to"])
      let first = try range.plainInteger("from", in: 1...1 << 16)
      lengths = Array(first...(try range.plainInteger("to", in: first...1 << 16)))
    } else {
      lengths = (node.array ?? []).compactMap(\.plainInteger)
    }
    let isAscending = zip(lengths, lengths.dropFirst()).allSatisfy { $0 < $1 }
    guard let first = lengths.first, let last = lengths.last, first > 0, isAscending,
      maximum <= last, last <= longest, node.array.map({ $0.count == lengths.count }) ?? true
    else {
      throw root.mismatch(
        "lengths", expected: "'any', or ascending lengths up to 'maximum' (\(maximum)) at least",
        node)
    }
    return lengths
  }
}

extension JSONObject {
  /// All members, which are texts.
  func strings() throws(JSONError) -> [String: String] {
    var strings: [String: String] = [:]
    for member in members { strings[member.key] = try string(member.key) }
    return strings
  }

  /// One of some words; nil without the key.
  func word<Word: RawRepresentable<String>>(_ key: String) throws(JSONError) -> Word? {
    self[key] == nil ? nil : try neededWord(key)
  }

  /// One of some words.
  func neededWord<Word: RawRepresentable<String>>(_ key: String) throws(JSONError) -> Word {
    let text = try string(key)
    guard let word = Word(rawValue: text) else {
      throw mismatch(key, expected: "a word that is known here", try required(key))
    }
    return word
  }
}
