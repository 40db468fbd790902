// The way back: the words of a scheme.
extension SchemeSpelling {
  /// The words for a scheme: those that identify it, and those that differ from their defaults.
  package init(_ meaning: Scheme?) {
    switch meaning {
    case .linear(let linear): self.init(linear)
    case .palette(let palette): self.init(palette)
    case .unique: self.init(scheme: Word.unique.rawValue)
    case .split(let split):
      self.init(
        scheme: Word.split.rawValue, rows: split.rows,
        parts: [SchemeSpelling(split.first), SchemeSpelling(split.rest)])
    case .narrow(.float16): self.init(scheme: Word.float16.rawValue)
    case .narrow(.packed(let packed)):
      self.init(scheme: Word.packed.rawValue, bits: packed.bits)
    case .narrow(.tables(let tables)):
      self.init(scheme: Word.tables.rawValue, bits: tables.bits)
    case nil: self.init(scheme: Word.none.rawValue)
    }
  }

  private init(_ linear: LinearScheme) {
    self.init(scheme: linear.integers.rawValue, bits: linear.integers.bits)
    switch linear.granularity {
    case .perTensor: granularity = "per-tensor"
    case .perChannel: granularity = "per-channel"
    case .perBlock(let size): (granularity, groupSize) = ("per-block", size)
    }
    mode = linear.mode == .symmetric ? nil : linear.mode.rawValue
    let usual = LinearScheme.defaultRange(of: linear.integers)
    range = linear.range == usual ? nil : linear.range.rawValue
  }

  private init(_ palette: PaletteScheme) {
    self.init(scheme: Word.palettize.rawValue, bits: palette.bits)
    switch palette.granularity {
    case .perTensor: granularity = "per-tensor"
    case .perGroup(let size): (granularity, groupSize) = ("per-group", size)
    }
    width = palette.width == 1 ? nil : palette.width
    entries = palette.entries == .floats ? nil : palette.entries.rawValue
  }

  /// The names of parts in a project file.
  package static let partNames = ["first", "rest"]

  /// Each choice by the name it has in a project file; numbers in decimals, each part as its
  /// canonical text.
  package var choices: [String: String] {
    let own = [
      "scheme": scheme, "bits": bits.map(String.init), "mode": mode, "granularity": granularity,
      "groupSize": groupSize.map(String.init), "range": range, "width": width.map(String.init),
      "entries": entries, "rows": rows.map(String.init),
    ].compactMapValues(\.self)
    return zip(Self.partNames, parts).reduce(into: own) { $0[$1.0] = "(\($1.1.canonicalText))" }
  }

  /// All choices in one text, in a fixed order.
  var canonicalText: String {
    choices.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }
}

extension LinearScheme {
  /// The default way to find a scale: eight bits lose next to nothing to the largest value, four
  /// are too few to spend on it.
  package static func defaultRange(of integers: Integers) -> Range {
    integers.bits == 8 ? .largest : .leastSquares
  }
}
