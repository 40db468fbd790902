import StrictJSON

/// Makes spaces visible, puts one before words, and cuts before each (pre-tokenizer `Metaspace`).
struct Metaspace: Equatable, Sendable {
  /// The words that get a space before them, unless they begin with one.
  enum Prefix: String, CaseIterable, Sendable {
    case always
    /// Those that begin with the first character of the whole text.
    case first
    case never
  }

  /// The scalar that a plain space becomes.
  let replacement: UInt32
  let prefix: Prefix
  /// Whether words are cut before each replacement.
  let splits: Bool

  /// Changes a text that may be cut already.
  func apply(to text: inout PreTokenizedText) {
    var result: [UInt32] = []
    result.reserveCapacity(text.scalars.count + text.words.count)
    var words: [Range<Int>] = []
    words.reserveCapacity(text.words.count)
    var leading = 0
    for word in text.words {
      var start = result.count
      let isFirst = word.lowerBound < text.leading
      if addsPrefix(to: text.scalars[word.lowerBound], isFirst: isFirst) {
        result.append(replacement)
      }
      for index in word {
        let scalar = text.scalars[index] == 0x20 ? replacement : text.scalars[index]
        if splits, scalar == replacement, result.count > start {
          words.append(start..<result.count)
          start = result.count
        }
        result.append(scalar)
        if index < text.leading { leading = result.count }
      }
      words.append(start..<result.count)
    }
    text.scalars = result
    text.words = words
    text.leading = leading
  }

  private func addsPrefix(to scalar: UInt32, isFirst: Bool) -> Bool {
    guard scalar != replacement, scalar != 0x20 else { return false }
    switch prefix {
    case .always: return true
    case .first: return isFirst
    case .never: return false
    }
  }
}

extension Metaspace {
  static let keys = ["replacement", "prepend_scheme", "split", "add_prefix_space", "str_rep"]

  /// Reads the part, as versions of the library since 0.10 write it.
  ///
  /// Old files say `add_prefix_space` and repeat the replacement as `str_rep`, which nobody reads.
  init(_ part: JSONObject) throws(PreprocessingError) {
    let (text, name, splits, adds) = try reading { () throws(JSONError) in
      (
        try part.string("replacement"),
        part["prepend_scheme"] == nil ? "always" : try part.string("prepend_scheme"),
        part.has("split") ? try part.bool("split") : true,
        part.has("add_prefix_space") ? try part.bool("add_prefix_space") : true
      )
    }
    let scalars = text.unicodeScalars.map(\.value)
    guard scalars.count == 1 else {
      throw part.unsupported(
        "replacement of pre_tokenizer 'Metaspace'", text, at: "replacement",
        known: ["one character"])
    }
    guard let prefix = Prefix(rawValue: name) else {
      throw part.unsupported(
        "prepend_scheme of pre_tokenizer 'Metaspace'", name, at: "prepend_scheme",
        known: Prefix.allCases.map(\.rawValue))
    }
    guard adds || prefix == .never else {
      throw part.unsupported(
        "add_prefix_space of pre_tokenizer 'Metaspace' with prepend_scheme '\(name)'", "false",
        at: "add_prefix_space", known: ["true"])
    }
    self.init(replacement: scalars[0], prefix: prefix, splits: splits)
  }
}
