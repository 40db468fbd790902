/// A scheme in the words of a command line, a project file or a recipe.
package struct SchemeSpelling: Hashable, Sendable {
  /// `int8`, `uint8`, `int4`, `uint4`, `float16`, `palettize`, `unique`, `split`, or `none`.
  package var scheme: String
  /// Bits of a palette's index; integers take theirs or nothing.
  package var bits: Int?
  /// Of integers: `symmetric`, the default, or `asymmetric`.
  package var mode: String?
  /// `per-tensor`, `per-channel` or `per-block` of integers, `per-tensor` or `per-group` of palettes.
  package var granularity: String?
  /// Channels per palette with `per-group`, inputs per scale with `per-block`.
  package var groupSize: Int?
  /// Of integers: `largest` or `least-squares`.
  package var range: String?
  /// Of palettes: channels that one index encodes, 1, 2 or 4.
  package var width: Int?
  /// Of palettes: `floats` or `int8`.
  package var entries: String?
  /// Of a split table: rows in the first part.
  package var rows: Int?
  /// Of a split table: the scheme of the first rows, and that of all others.
  package var parts: [SchemeSpelling] = []

  /// The words for schemes that are not integers.
  enum Word: String, CaseIterable {
    case float16, palettize, unique, split
    /// Whole numbers in few bits, which a format packs by itself.
    case packed
    /// Places in tables, which a format makes by itself.
    case tables
    /// Weights as they are.
    case none
  }

  /// The word for a table in two parts, which only files can say.
  package static let split = Word.split.rawValue

  /// Every other word for a scheme.
  package static let schemes =
    LinearScheme.Integers.allCases.map(\.rawValue)
    + Word.allCases.filter { ![.split, .packed, .tables].contains($0) }.map(\.rawValue)

  /// The same in a sentence: "int8, palettize or none".
  ///
  /// - Parameter usual: the one that is said to be the default.
  package static func list(usual: LinearScheme.Integers? = nil) -> String {
    sentence(schemes.map { $0 == usual?.rawValue ? "\($0) (the default)" : $0 })
  }

  private static func sentence(_ words: [String]) -> String {
    let head = words.dropLast().joined(separator: ", ")
    return [head, words.last ?? ""].filter { !$0.isEmpty }.joined(separator: " or ")
  }

  package init(
    scheme: String, bits: Int? = nil, mode: String? = nil, granularity: String? = nil,
    groupSize: Int? = nil, range: String? = nil, width: Int? = nil, entries: String? = nil,
    rows: Int? = nil, parts: [SchemeSpelling] = []
  ) {
    self.scheme = scheme
    self.bits = bits
    self.mode = mode
    self.granularity = granularity
    self.groupSize = groupSize
    self.range = range
    self.width = width
    self.entries = entries
    self.rows = rows
    self.parts = parts
  }

  /// The scheme that the words describe; nil if weights stay uncompressed.
  ///
  /// - Throws: for unknown words, and for words that do not go together.
  package func meaning() throws(CompressionError) -> Scheme? {
    let meaning: Scheme?
    if let integers = LinearScheme.Integers(rawValue: scheme) {
      meaning = .linear(try linear(integers))
    } else {
      switch Word(rawValue: scheme) {
      case .palettize: meaning = .palette(try palette())
      case .unique:
        try takeOnly([])
        meaning = .unique
      case .split: meaning = .split(try split())
      case .float16:
        try takeOnly([])
        meaning = .narrow(.float16)
      case .some(.none):
        try takeOnly([])
        meaning = nil
      case .packed, .tables, nil: throw .unknownScheme(scheme)
      }
    }
    try meaning?.validate()
    return meaning
  }

  private func linear(
    _ integers: LinearScheme.Integers
  ) throws(CompressionError) -> LinearScheme {
    guard bits == nil || bits == integers.bits else {
      throw .bitsOfIntegers(bits ?? 0, scheme: scheme, has: integers.bits)
    }
    try takeOnly([.bits, .mode, .granularity, .groupSize, .range])
    let granularity: LinearScheme.Granularity
    switch self.granularity ?? Self.defaultGranularity(of: integers) {
    case "per-tensor": granularity = .perTensor
    case "per-channel": granularity = .perChannel
    case "per-block": granularity = .perBlock(size: groupSize ?? LinearScheme.defaultBlockSize)
    case let word:
      throw .unknownGranularity(
        word, scheme: scheme, choices: "per-tensor, per-channel or per-block")
    }
    if case .perBlock = granularity {} else { try takeNoGroupSize() }
    return LinearScheme(
      integers, mode: try choice(mode, of: "mode") ?? .symmetric, granularity: granularity,
      range: try choice(range, of: "range") ?? LinearScheme.defaultRange(of: integers))
  }

  private func palette() throws(CompressionError) -> PaletteScheme {
    guard let bits else { throw .bitsMissing }
    try takeOnly([.bits, .granularity, .groupSize, .width, .entries])
    let granularity: PaletteScheme.Granularity
    switch self.granularity ?? "per-tensor" {
    case "per-tensor":
      try takeNoGroupSize()
      granularity = .perTensor
    case "per-group":
      granularity = .perGroup(size: groupSize ?? PaletteScheme.defaultGroupSize)
    case let word:
      throw .unknownGranularity(word, scheme: scheme, choices: "per-tensor or per-group")
    }
    return PaletteScheme(
      bits: bits, granularity: granularity, width: width ?? 1,
      entries: try choice(entries, of: "kind of entries") ?? .floats)
  }

  private func split() throws(CompressionError) -> SplitScheme {
    guard let rows, parts.count == 2 else { throw .partsMissing }
    try takeOnly([.rows, .parts])
    guard let first = try parts[0].meaning(), let rest = try parts[1].meaning() else {
      throw .splitInto(Word.none.rawValue)
    }
    return SplitScheme(rows: rows, first: first, rest: rest)
  }

  fileprivate static func defaultGranularity(of integers: LinearScheme.Integers) -> String {
    integers.bits == 8 ? "per-channel" : "per-block"
  }

  private func takeNoGroupSize() throws(CompressionError) {
    guard groupSize == nil else {
      throw .groupSizeWithoutGroups(scheme: scheme, granularity: granularity)
    }
  }

  private func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ word: String?, of option: String
  ) throws(CompressionError) -> Choice? {
    guard let word else { return nil }
    guard let choice = Choice(rawValue: word) else {
      throw .unknownChoice(
        word, option: option, choices: Choice.allCases.map(\.rawValue).joined(separator: " or "))
    }
    return choice
  }
}

// MARK: - What a scheme does not take

extension SchemeSpelling {
  private enum Option: String {
    case bits = "number of bits"
    case mode, granularity
    case groupSize = "group size"
    case range, width
    case entries = "kind of entries"
    case rows = "number of rows"
    case parts = "scheme for some rows"

    /// Schemes that take it.
    var takers: String {
      let integers = LinearScheme.Integers.allCases.map(\.rawValue)
      let palettes = [Word.palettize.rawValue]
      return switch self {
      case .bits, .granularity, .groupSize: SchemeSpelling.sentence(integers + palettes)
      case .mode, .range: SchemeSpelling.sentence(integers)
      case .width, .entries: SchemeSpelling.sentence(palettes)
      case .rows, .parts: SchemeSpelling.split
      }
    }
  }

  private func takeOnly(_ taken: [Option]) throws(CompressionError) {
    let given: [(Option, Bool)] = [
      (.bits, bits != nil), (.mode, mode != nil), (.granularity, granularity != nil),
      (.groupSize, groupSize != nil), (.range, range != nil), (.width, width != nil),
      (.entries, entries != nil), (.rows, rows != nil), (.parts, !parts.isEmpty),
    ]
    for (option, isGiven) in given where isGiven && !taken.contains(option) {
      throw .optionNotTaken(option.rawValue, scheme: scheme, takers: option.takers)
    }
  }
}
