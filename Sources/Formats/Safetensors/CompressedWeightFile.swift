import Files
import Graph
import StrictJSON
import WeightCompression
import Weights

/// The weights of a compressed safetensors file; decompresses a tensor when it is asked for.
///
/// Everything the metadata says is checked against the tensors of the file when it is opened.
struct CompressedWeightFile: WeightFile {
  struct Entry {
    let layout: CompressedLayout
    let shape: [Int]

    /// The two parts of a table as tensors of their own; none of another tensor.
    func parts(of name: TensorName) -> [(name: TensorName, entry: Entry)] {
      guard case .split(let rows, let first, let rest) = layout else { return [] }
      let width = shape.dropFirst()
      return [
        (CompressedLayout.firstName(name), Entry(layout: first, shape: [rows] + width)),
        (CompressedLayout.restName(name), Entry(layout: rest, shape: [shape[0] - rows] + width)),
      ]
    }
  }

  let names: [TensorName]
  let file: WeightCollection
  let path: String
  let entries: [TensorName: Entry]

  init(_ file: WeightCollection, path: String) throws {
    self.file = file
    self.path = path
    guard let format = file.metadata[CompressedLayout.Key.format] else {
      let key = CompressedLayout.Key.all.first { file.metadata[$0] != nil } ?? ""
      throw EmissionError.malformed(
        path: path, fault: "has the metadata '\(key)' and no '\(CompressedLayout.Key.format)'")
    }
    guard format == CompressedLayout.version else {
      throw EmissionError.newerFormat(path: path, found: format, known: CompressedLayout.version)
    }
    let object = try JSONParser.parseObject(
      Array(file.metadata[CompressedLayout.Key.tensors, default: "{}"].utf8),
      origin: "\(path): metadata '\(CompressedLayout.Key.tensors)'")
    var entries: [TensorName: Entry] = [:]
    var keys: Set<String> = []
    for member in object.members {
      let entry = try Entry(member.key, of: object)
      // Two names of other bytes can be one key of a dictionary.
      guard keys.insert(member.key).inserted else {
        throw EmissionError.malformed(
          path: path,
          fault: "'\(member.key)' and another tensor differ in their Unicode form only")
      }
      entries[TensorName(member.key)] = entry
    }
    self.entries = entries
    names = entries.keys.sorted()
    var expected: Set<TensorName> = []
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
      expected.formUnion(try checkParts(of: name, entry))
    }
    if let stray = file.tensors.first(where: { !expected.contains($0.name) }) {
      throw fault("tensor '\(stray.name)' is not described by the metadata")
    }
  }

  var files: [String] { file.files }

  func digest() -> ContentDigest { file.digest() }

  func shape(of name: TensorName) -> [Int]? { entries[name]?.shape }

  func floats(of name: TensorName) throws -> [Float] {
    guard let entry = entries[name] else { throw fault("tensor '\(name)' is missing") }
    // Stored values take a byte each at most, or are the resulting floats.
    try Memory.require(5 * entry.shape.reduce(1, *), for: "tensor \(quoted(name))", of: path)
    return try compressed(name, entry).dequantized()
  }

  /// The tensor as it was compressed.
  func compressed(_ name: TensorName, _ entry: Entry) throws -> CompressedTensor {
    switch entry.layout {
    case .same(let other):
      let first = try compressed(other, try self.entry(of: other, for: name, entry))
      return try CompressedTensor(
        WeightReference(name, first.shape, role: first.role), first.content, relativeError: 0)
    case .uncompressed:
      return try tensor(name, entry, axis: 0, .uncompressed(try part(name, .f32).floats()))
    case .float16:
      return try tensor(
        name, entry, axis: 0, .narrow(NarrowCodes(float16: try part(name, .f16).floats())))
    case .packed(let packed):
      let codes = try bytes(try part(CompressedLayout.codesName(name), .u8))
      let values = packed.values(of: codes, count: entry.shape.reduce(1, *))
      return try tensor(name, entry, axis: 0, .narrow(NarrowCodes(packed, values)))
    case .tables(let bits, let groups, let isHalf):
      return try tables(name, entry, bits: bits, groups: groups, isHalf: isHalf)
    case .int8:
      return try linear(name, entry, .int8, .symmetric)
    case .linear(let integers, let mode):
      return try linear(name, entry, integers, mode)
    case .palette(let bits, let axis, let width, let entries):
      let palette = try anyPart(CompressedLayout.paletteName(name))
      let indices = try bytes(try part(CompressedLayout.indicesName(name), .u8))
      var blocks = entry.shape.map { _ in 1 }
      blocks[axis] = palette.shape[0]
      return try tensor(
        name, entry, axis: axis,
        .palette(
          PaletteCodes(
            bits: bits, indices: indices, entries: try self.entries(name, palette, entries),
            width: width, blocks: blocks)))
    case .split(let rows, _, _):
      let parts = try entry.parts(of: name).map { try compressed($0.name, $0.entry).content }
      return try tensor(
        name, entry, axis: 0, .split(SplitCodes(rows: rows, first: parts[0], rest: parts[1])))
    }
  }

  /// The entry of a tensor that another one is stored with.
  private func entry(of first: TensorName, for name: TensorName, _ entry: Entry) throws -> Entry {
    guard let other = entries[first], other.shape == entry.shape else {
      throw fault("tensor '\(name)' is stored with '\(first)', which is not there in its shape")
    }
    if case .same = other.layout {
      throw fault("tensor '\(name)' is stored with '\(first)', which is stored with another")
    }
    return other
  }

  private func linear(
    _ name: TensorName, _ entry: Entry, _ integers: LinearScheme.Integers, _ mode: LinearScheme.Mode
  ) throws -> CompressedTensor {
    let scale = try part(CompressedLayout.scaleName(name), .f32)
    let codes = try bytes(
      try anyPart(integers.bits == 8 ? name : CompressedLayout.codesName(name)))
    var zeroPoints: [Int16] = []
    if mode == .asymmetric {
      zeroPoints = try bytes(try anyPart(CompressedLayout.offsetName(name))).map {
        integers.isSigned ? Int16(Int8(bitPattern: $0)) : Int16($0)
      }
    }
    return try tensor(
      name, entry, axis: 0,
      .linear(
        LinearCodes(
          integers, mode: mode, packed: codes, scales: try scale.floats(), zeroPoints: zeroPoints,
          blocks: scale.shape)))
  }

  private func entries(
    _ name: TensorName, _ palette: Tensor, _ kind: PaletteScheme.Entries
  ) throws -> PaletteCodes.Entries {
    guard kind == .int8 else { return .floats(try palette.floats()) }
    let scale = try part(CompressedLayout.paletteScaleName(name), .f32).floats()[0]
    return .int8(codes: try bytes(palette).map { Int8(bitPattern: $0) }, scale: scale)
  }

  func bytes(_ tensor: Tensor) throws -> [UInt8] {
    try tensor.withBytes { $0.array() }
  }

  /// A tensor as compressed; of its role only the channel axis is known here.
  func tensor(
    _ name: TensorName, _ entry: Entry, axis: Int, _ content: CompressedTensor.Content
  ) throws(CompressionError) -> CompressedTensor {
    try CompressedTensor(
      WeightReference(name, entry.shape, role: .matrix(outputAxis: axis)), content,
      relativeError: 0)
  }

  /// Checks that the parts of a tensor are there with the types and shapes its entry needs.
  ///
  /// - Returns: their names.
  private func checkParts(of name: TensorName, _ entry: Entry) throws -> [TensorName] {
    switch entry.layout {
    case .same(let other):
      _ = try self.entry(of: other, for: name, entry)
      return []
    case .uncompressed:
      try check(name, .f32, entry.shape)
      return [name]
    case .float16:
      try check(name, .f16, entry.shape)
      return [name]
    case .packed(let packed):
      let codesName = CompressedLayout.codesName(name)
      try check(codesName, .u8, [try packedBytes(name, entry.shape, bits: packed.bits)])
      return [codesName]
    case .tables(let bits, let groups, let isHalf):
      return try checkTables(name, entry.shape, bits: bits, groups: groups, isHalf: isHalf)
    case .int8:
      let scaleName = CompressedLayout.scaleName(name)
      try check(name, .i8, entry.shape)
      let scales = try part(scaleName, .f32).shape
      guard CompressedLayout.isInt8(scales, of: entry.shape) else {
        throw fault("'\(scaleName)' has shape \(scales), which does not fit \(entry.shape)")
      }
      return [name, scaleName]
    case .linear(let integers, let mode):
      return try checkLinear(name, entry.shape, integers, mode)
    case .palette(let bits, let axis, let width, let entries):
      return try checkPalette(name, entry.shape, bits, axis, width, entries)
    case .split: return try entry.parts(of: name).flatMap { try checkParts(of: $0.name, $0.entry) }
    }
  }

  private func checkLinear(
    _ name: TensorName, _ shape: [Int], _ integers: LinearScheme.Integers, _ mode: LinearScheme.Mode
  ) throws -> [TensorName] {
    let type: ElementType = integers.isSigned ? .i8 : .u8
    let scaleName = CompressedLayout.scaleName(name)
    let codesName = integers.bits == 8 ? name : CompressedLayout.codesName(name)
    if integers.bits == 8 {
      try check(codesName, type, shape)
    } else {
      try check(codesName, .u8, [try packedBytes(name, shape, bits: integers.bits)])
    }
    let blocks = try part(scaleName, .f32).shape
    let divides =
      blocks.count == shape.count
      && zip(blocks, shape).allSatisfy { $0 == 0 ? $1 == 0 : $1.isMultiple(of: $0) }
    guard divides, blocks.count(where: { $0 > 1 }) <= 2 else {
      throw fault("'\(scaleName)' has shape \(blocks), which does not divide \(shape)")
    }
    guard mode == .asymmetric else { return [codesName, scaleName] }
    let offsetName = CompressedLayout.offsetName(name)
    try check(offsetName, type, blocks)
    return [codesName, scaleName, offsetName]
  }

  private func checkPalette(
    _ name: TensorName, _ shape: [Int], _ bits: Int, _ axis: Int, _ width: Int,
    _ entries: PaletteScheme.Entries
  ) throws -> [TensorName] {
    let indicesName = CompressedLayout.indicesName(name)
    let paletteName = CompressedLayout.paletteName(name)
    var indexShape = shape
    indexShape[axis] /= width
    try check(indicesName, .u8, [try packedBytes(name, indexShape, bits: bits)])
    let palette = try part(paletteName, entries == .int8 ? .i8 : .f32).shape
    let entry = [1 << bits] + (width > 1 ? [width] : [])
    guard let groups = palette.first, palette.dropFirst().elementsEqual(entry), groups > 0,
      indexShape[axis].isMultiple(of: groups)
    else {
      throw fault(
        "'\(paletteName)' has shape \(palette), which does not fit \(shape) "
          + "with \(bits) bits along axis \(axis)")
    }
    guard entries == .int8 else { return [indicesName, paletteName] }
    let scaleName = CompressedLayout.paletteScaleName(name)
    try check(scaleName, .f32, [])
    return [indicesName, paletteName, scaleName]
  }
}

extension CompressedWeightFile.Entry {
  /// Reads what the metadata says of a tensor; errors name it.
  init(_ name: String, of all: JSONObject) throws {
    do {
      (layout, shape) = try CompressedLayout.parse(try all.object(name))
    } catch let error as JSONError {
      throw JSONError(
        origin: error.origin, position: error.position,
        fault: "tensor '\(name)': \(error.fault)")
    }
  }
}
