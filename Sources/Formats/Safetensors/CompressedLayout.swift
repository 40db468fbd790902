import Graph
import StrictJSON
import WeightCompression
import Weights

/// Layout of one compressed tensor in a safetensors file, as its `ingot.tensors` entry says.
///
/// The format is described in `specs/formats/compressed-safetensors.md`.
enum CompressedLayout: Equatable, Sendable {
  /// `name`: F32, the tensor's shape.
  case uncompressed
  /// Nothing of its own: what is stored for another tensor, of the same shape.
  case same(as: TensorName)
  /// `name`: I8, the tensor's shape; `name:scale`: F32, the same rank, 1 where shared along all axes
  /// but one.
  case int8
  /// `name`: I8 or U8, the tensor's shape, or `name:codes`: U8, packed codes of four bits;
  /// `name:scale`: F32, how many blocks there are along each axis; `name:offset`: I8 or U8, as many,
  /// where the mode is asymmetric.
  case linear(LinearScheme.Integers, LinearScheme.Mode)
  /// `name:indices`: U8, packed bits; `name:palette`: F32 [groups, 2^bits], or [groups, 2^bits,
  /// width] for vectors; groups run along `axis`. Palettes of integers are I8, with
  /// `name:palette-scale`: F32, a scalar.
  case palette(bits: Int, axis: Int, width: Int, PaletteScheme.Entries)
  /// A table: its first rows as the layout of `name:first` says, all others as that of `name:rest`.
  indirect case split(rows: Int, first: CompressedLayout, rest: CompressedLayout)

  /// `name`: F16, the tensor's shape.
  case float16
  /// `name:codes`: U8, packed whole numbers.
  case packed(PackedNumbers)
  /// `name:codes`: U8, packed places; `name:tables`: F32 or F16, [tables, numbers of each]. Another tensor
  /// says the table of each element.
  case tables(bits: Int, groups: TensorName, isHalf: Bool)

  /// The word for each under `scheme` of an entry.
  private enum Word: String, CaseIterable {
    case uncompressed = "kept"
    case same, int8, linear, palette, split, float16, packed, tables
  }

  /// Value of the metadata key `ingot.format`.
  static let version = "1"

  /// Metadata keys of the format.
  enum Key {
    static let format = "ingot.format"
    static let architecture = "ingot.architecture"
    static let tensors = "ingot.tensors"
    static let files = "ingot.files"
    static let source = "ingot.source"
    static let recipe = "ingot.recipe"
    static let calibration = "ingot.calibration"
    /// How coarse the thresholds of trees were asked to be.
    static let thresholds = "ingot.thresholds"
    static let vocabulary = "ingot.vocabulary"
    static let all = [
      format, architecture, tensors, files, source, recipe, calibration, thresholds, vocabulary,
    ]
  }

  static func scaleName(_ name: TensorName) -> TensorName { "\(name):scale" }
  static func indicesName(_ name: TensorName) -> TensorName { "\(name):indices" }
  static func paletteName(_ name: TensorName) -> TensorName { "\(name):palette" }
  static func paletteScaleName(_ name: TensorName) -> TensorName { "\(name):palette-scale" }
  static func codesName(_ name: TensorName) -> TensorName { "\(name):codes" }
  static func tablesName(_ name: TensorName) -> TensorName { "\(name):tables" }
  static func offsetName(_ name: TensorName) -> TensorName { "\(name):offset" }
  static func firstName(_ name: TensorName) -> TensorName { "\(name):first" }
  static func restName(_ name: TensorName) -> TensorName { "\(name):rest" }

  /// How a weight is stored.
  static func layout(of tensor: PlannedTensor) -> CompressedLayout {
    tensor.sharedWith.map { .same(as: $0) } ?? layout(of: tensor.reference, tensor.scheme)
  }

  /// How a weight of some scheme is stored, or rows of one.
  static func layout(of reference: WeightReference, _ scheme: Scheme?) -> CompressedLayout {
    switch scheme {
    case nil: return .uncompressed
    case .linear(let linear):
      let isPlain = linear.integers == .int8 && linear.mode == .symmetric
      let blocks = linear.blocks(of: reference)
      return isPlain && isInt8(blocks, of: reference.shape)
        ? .int8 : .linear(linear.integers, linear.mode)
    case .palette(let palette):
      return .palette(
        bits: palette.bits, axis: reference.role.channelAxis, width: palette.width, palette.entries)
    case .split(let split):
      let (first, rest) = split.parts(of: reference)
      return .split(
        rows: split.rows, first: layout(of: first, split.first),
        rest: layout(of: rest, split.rest))
    case .narrow(.float16): return .float16
    case .narrow(.packed(let packed)): return .packed(packed)
    case .narrow(.tables(let tables)):
      return .tables(bits: tables.bits, groups: tables.groups, isHalf: tables.isHalf)
    case .unique: preconditionFailure("a plan knows the palette of distinct values")
    }
  }

  /// Whether scales of these counts are those of `int8`: 1 on every axis but one, and there one for
  /// each place.
  static func isInt8(_ blocks: [Int], of shape: [Int]) -> Bool {
    blocks.count == shape.count && blocks.count { $0 > 1 } <= 1
      && zip(blocks, shape).allSatisfy { $0 == $1 || $0 == 1 }
  }

  /// The entry of a tensor in `ingot.tensors`.
  static func entry(for tensor: PlannedTensor) -> JSONValue {
    var members = layout(of: tensor).members
    members["shape"] = .array(tensor.shape.map(JSONValue.integer))
    return .object(members)
  }

  /// An entry without the shape.
  private var members: [String: JSONValue] {
    var entry: [String: JSONValue] = ["scheme": .string(word.rawValue)]
    switch self {
    case .same(let name): entry["as"] = .string(name.text)
    case .uncompressed, .int8, .float16: break
    case .packed(let packed):
      entry["bits"] = .integer(packed.bits)
      entry["least"] = .integer(packed.least)
      if packed.isRelative { entry["relative"] = true }
    case .tables(let bits, let groups, let isHalf):
      entry["bits"] = .integer(bits)
      entry["groups"] = .string(groups.text)
      if isHalf { entry["float16"] = true }
    case .linear(let integers, let mode):
      entry["integers"] = .string(integers.rawValue)
      entry["mode"] = .string(mode.rawValue)
    case .palette(let bits, let axis, let width, let entries):
      entry["bits"] = .integer(bits)
      entry["axis"] = .integer(axis)
      if width > 1 { entry["width"] = .integer(width) }
      if entries != .floats { entry["entries"] = .string(entries.rawValue) }
    case .split(let rows, let first, let rest):
      entry["rows"] = .integer(rows)
      entry["first"] = .object(first.members)
      entry["rest"] = .object(rest.members)
    }
    return entry
  }

  private var word: Word {
    switch self {
    case .uncompressed: .uncompressed
    case .same: .same
    case .int8: .int8
    case .linear: .linear
    case .palette: .palette
    case .split: .split
    case .float16: .float16
    case .packed: .packed
    case .tables: .tables
    }
  }

  /// Reads an entry of `ingot.tensors`.
  static func parse(_ entry: JSONObject) throws -> (layout: CompressedLayout, shape: [Int]) {
    let shape = try entry.array("shape").map { (node) throws(JSONError) -> Int in
      guard let length = node.integer, length >= 0 else {
        throw entry.mismatch("shape", expected: "an array of axis lengths", node)
      }
      return length
    }
    return (try layout(entry, shape, Word.allCases), shape)
  }

  private static func layout(
    _ entry: JSONObject, _ shape: [Int], _ known: [Word]
  ) throws -> CompressedLayout {
    let scheme = try entry.string("scheme")
    guard let word = known.first(where: { $0.rawValue == scheme }) else {
      throw entry.error(
        "scheme '\(scheme)' is unknown; known: "
          + known.map(\.rawValue).joined(separator: ", "), at: entry.position)
    }
    switch word {
    case .same: return .same(as: TensorName(try entry.string("as")))
    case .uncompressed: return .uncompressed
    case .int8: return .int8
    case .linear:
      return .linear(
        try choice(entry, "integers", LinearScheme.Integers.self),
        try choice(entry, "mode", LinearScheme.Mode.self))
    case .palette: return try palette(entry, shape)
    case .split: return try split(entry, shape)
    case .float16: return .float16
    case .packed: return .packed(try packed(entry))
    case .tables:
      try entry.allowOnly(["shape", "scheme", "bits", "groups", "float16"])
      return .tables(
        bits: try entry.integer("bits", in: ValueTables.knownBits),
        groups: TensorName(try entry.string("groups")),
        isHalf: try entry.has("float16") && entry.bool("float16"))
    }
  }

  private static func packed(_ entry: JSONObject) throws -> PackedNumbers {
    try entry.allowOnly(["shape", "scheme", "bits", "least", "relative"])
    let (bits, least) = (PackedNumbers.knownBits, PackedNumbers.knownLeast)
    guard
      let packed = PackedNumbers(
        bits: try entry.integer("bits", in: bits), least: try entry.integer("least", in: least),
        isRelative: try entry.has("relative") && entry.bool("relative"))
    else { throw entry.error("bits or least number that no value has", at: entry.position) }
    return packed
  }

  private static func split(_ entry: JSONObject, _ shape: [Int]) throws -> CompressedLayout {
    try entry.allowOnly(["shape", "scheme", "rows", "first", "rest"])
    guard shape.count == 2, shape[0] > 1 else {
      throw entry.error("two parts for shape \(shape)", at: entry.position)
    }
    let rows = try entry.integer("rows", in: 1...shape[0] - 1)
    if let fault = SplitScheme.fault(rows: rows, of: shape) {
      throw entry.error(fault.cause, at: entry.position)
    }
    return .split(
      rows: rows, first: try part(entry.object("first"), [rows, shape[1]]),
      rest: try part(entry.object("rest"), [shape[0] - rows, shape[1]]))
  }

  private static func part(_ entry: JSONObject, _ shape: [Int]) throws -> CompressedLayout {
    try entry.allowOnly(["scheme", "integers", "mode", "bits", "axis", "width", "entries"])
    let layout = try layout(entry, shape, [.int8, .linear, .palette])
    if case .palette(_, let axis, _, _) = layout, axis != 0 {
      throw entry.error("groups of rows along axis \(axis), expected 0", at: entry.position)
    }
    return layout
  }

  private static func palette(_ entry: JSONObject, _ shape: [Int]) throws -> CompressedLayout {
    let bits = try entry.integer("bits", in: 1...8)
    guard PaletteScheme.knownBits.contains(bits), !shape.isEmpty else {
      throw entry.error("a palette of \(bits) bits for shape \(shape)", at: entry.position)
    }
    let axis = try entry.integer("axis", in: 0...shape.count - 1)
    let width = entry["width"] == nil ? 1 : try entry.integer("width", in: 1...4)
    guard PaletteScheme.knownWidths.contains(width), shape[axis] % width == 0 else {
      throw entry.error(
        "vectors of \(width) along axis \(axis) of shape \(shape)", at: entry.position)
    }
    let entries =
      entry["entries"] == nil
      ? .floats : try choice(entry, "entries", PaletteScheme.Entries.self)
    return .palette(bits: bits, axis: axis, width: width, entries)
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ entry: JSONObject, _ key: String, _: Choice.Type
  ) throws -> Choice {
    let word = try entry.string(key)
    guard let choice = Choice(rawValue: word) else {
      throw entry.error("\(key) '\(word)' is unknown", at: entry.position)
    }
    return choice
  }
}
