import Graph
import StrictJSON
import WeightCompression
import Weights

/// Layout of one compressed tensor in a safetensors file, as its `ingot.tensors` entry says.
///
/// The format is described in `specs/formats/compressed-safetensors.md`.
enum CompressedLayout: Equatable {
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

  /// The word for each under `scheme` of an entry.
  private enum Word: String, CaseIterable {
    case uncompressed = "kept"
    case same, int8, linear, palette
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
    static let vocabulary = "ingot.vocabulary"
    static let all = [
      format, architecture, tensors, files, source, recipe, calibration, vocabulary,
    ]
  }

  static func scaleName(_ name: TensorName) -> TensorName { "\(name):scale" }
  static func indicesName(_ name: TensorName) -> TensorName { "\(name):indices" }
  static func paletteName(_ name: TensorName) -> TensorName { "\(name):palette" }
  static func paletteScaleName(_ name: TensorName) -> TensorName { "\(name):palette-scale" }
  static func codesName(_ name: TensorName) -> TensorName { "\(name):codes" }
  static func offsetName(_ name: TensorName) -> TensorName { "\(name):offset" }

  /// How a weight of some scheme is stored.
  static func layout(of tensor: PlannedTensor) -> CompressedLayout {
    if let first = tensor.sharedWith { return .same(as: first) }
    guard let scheme = tensor.scheme else { return .uncompressed }
    switch scheme {
    case .linear(let linear):
      let isPlain = linear.integers == .int8 && linear.mode == .symmetric
      let shares = scheme.blocks(of: tensor.reference).count { $0 > 1 } <= 1
      return isPlain && shares ? .int8 : .linear(linear.integers, linear.mode)
    case .palette(let palette):
      return .palette(
        bits: palette.bits, axis: tensor.role.channelAxis, width: palette.width, palette.entries)
    case .unique: preconditionFailure("a plan knows the palette of distinct values")
    }
  }

  /// The entry of a tensor in `ingot.tensors`.
  static func entry(for tensor: PlannedTensor) -> JSONValue {
    let layout = layout(of: tensor)
    var entry: [String: JSONValue] = [
      "shape": .array(tensor.shape.map(JSONValue.integer)),
      "scheme": .string(layout.word.rawValue),
    ]
    switch layout {
    case .same(let name): entry["as"] = .string(name.text)
    case .uncompressed, .int8: break
    case .linear(let integers, let mode):
      entry["integers"] = .string(integers.rawValue)
      entry["mode"] = .string(mode.rawValue)
    case .palette(let bits, let axis, let width, let entries):
      entry["bits"] = .integer(bits)
      entry["axis"] = .integer(axis)
      if width > 1 { entry["width"] = .integer(width) }
      if entries != .floats { entry["entries"] = .string(entries.rawValue) }
    }
    return .object(entry)
  }

  private var word: Word {
    switch self {
    case .uncompressed: .uncompressed
    case .same: .same
    case .int8: .int8
    case .linear: .linear
    case .palette: .palette
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
    let scheme = try entry.string("scheme")
    switch Word(rawValue: scheme) {
    case .same: return (.same(as: TensorName(try entry.string("as"))), shape)
    case .uncompressed: return (.uncompressed, shape)
    case .int8: return (.int8, shape)
    case .linear:
      return (
        .linear(
          try choice(entry, "integers", LinearScheme.Integers.self),
          try choice(entry, "mode", LinearScheme.Mode.self)), shape
      )
    case .palette: return (try palette(entry, shape), shape)
    case nil:
      throw entry.error(
        "scheme '\(scheme)' is unknown; known: "
          + Word.allCases.map(\.rawValue).joined(separator: ", "), at: entry.position)
    }
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

/// One tensor of the file: a compressed weight becomes one to three of them.
struct SafetensorsPart {
  let name: TensorName
  let elementType: ElementType
  let shape: [Int]

  var byteCount: Int { shape.reduce(elementType.bitWidth / 8, *) }

  /// As a header announces it.
  var announced: (name: TensorName, elementType: ElementType, shape: [Int], byteCount: Int) {
    (name, elementType, shape, byteCount)
  }

  private init(_ name: TensorName, _ elementType: ElementType, _ shape: [Int]) {
    self.name = name
    self.elementType = elementType
    self.shape = shape
  }

  /// The stored parts of a weight.
  static func parts(of tensor: PlannedTensor) -> [SafetensorsPart] {
    let (name, shape) = (tensor.name, tensor.shape)
    let blocks = tensor.scheme?.blocks(of: tensor.reference) ?? []
    switch CompressedLayout.layout(of: tensor) {
    case .same: return []
    case .uncompressed: return [SafetensorsPart(name, .f32, shape)]
    case .int8:
      return [
        SafetensorsPart(name, .i8, shape),
        SafetensorsPart(CompressedLayout.scaleName(name), .f32, blocks),
      ]
    case .linear(let integers, let mode):
      let type: ElementType = integers.isSigned ? .i8 : .u8
      let count = BitPacking.byteCount(tensor.reference.elementCount, bits: integers.bits)
      let codes =
        integers.bits == 8
        ? SafetensorsPart(name, type, shape)
        : SafetensorsPart(CompressedLayout.codesName(name), .u8, [count])
      let zeroPoints =
        mode == .asymmetric
        ? [SafetensorsPart(CompressedLayout.offsetName(name), type, blocks)] : []
      return [codes, SafetensorsPart(CompressedLayout.scaleName(name), .f32, blocks)] + zeroPoints
    case .palette(let bits, _, let width, let entries):
      let count = BitPacking.byteCount(tensor.reference.elementCount / width, bits: bits)
      let table = [blocks.reduce(1, *), 1 << bits] + (width > 1 ? [width] : [])
      let indices = SafetensorsPart(CompressedLayout.indicesName(name), .u8, [count])
      let palette = CompressedLayout.paletteName(name)
      guard entries == .int8 else { return [indices, SafetensorsPart(palette, .f32, table)] }
      return [
        indices, SafetensorsPart(palette, .i8, table),
        SafetensorsPart(CompressedLayout.paletteScaleName(name), .f32, []),
      ]
    }
  }

  /// The bytes of each part of a weight, in the order of its parts.
  static func bytes(of tensor: CompressedTensor) -> [[UInt8]] {
    switch tensor.content {
    case .uncompressed(let values): return [values.littleEndianBytes]
    case .linear(let codes):
      let zeroPoints =
        codes.mode == .asymmetric
        ? [codes.zeroPoints.map { UInt8(truncatingIfNeeded: $0) }] : []
      return [codes.packed, codes.scales.littleEndianBytes] + zeroPoints
    case .palette(let codes):
      switch codes.entries {
      case .floats(let values): return [codes.indices, values.littleEndianBytes]
      case .int8(let entries, let scale):
        return [
          codes.indices, entries.map { UInt8(bitPattern: $0) }, [scale].littleEndianBytes,
        ]
      }
    }
  }

  /// Wide element types first, as safetensors' own writer does, so that all are aligned.
  static func precedes(_ left: SafetensorsPart, _ right: SafetensorsPart) -> Bool {
    if left.elementType.bitWidth != right.elementType.bitWidth {
      return left.elementType.bitWidth > right.elementType.bitWidth
    }
    return left.name < right.name
  }
}
