import Graph
import StrictJSON
import WeightCompression
import Weights

/// The weights of a compressed safetensors file; decompresses a tensor when it is asked for.
///
/// Everything the metadata says is checked against the tensors of the file when it is opened.
struct CompressedWeightFile: WeightFile {
  private struct Entry {
    let layout: CompressedLayout
    let shape: [Int]
  }

  let names: [String]
  private let file: WeightCollection
  private let path: String
  private let entries: [ExactString: Entry]

  init(_ file: WeightCollection, path: String) throws {
    self.file = file
    self.path = path
    let format = file.metadata[CompressedLayout.Key.format] ?? "none"
    guard format == CompressedLayout.version else {
      throw EmissionError.newerFormat(path: path, found: format, known: CompressedLayout.version)
    }
    let object = try JSONParser.parseObject(
      Array(file.metadata[CompressedLayout.Key.tensors, default: "{}"].utf8),
      origin: "\(path): metadata '\(CompressedLayout.Key.tensors)'")
    var entries: [ExactString: Entry] = [:]
    var keys: Set<String> = []
    for member in object.members {
      let (layout, shape) = try CompressedLayout.parse(try object.object(member.key))
      // Two names of other bytes can be one key of a dictionary.
      guard keys.insert(member.key).inserted else {
        throw EmissionError.malformed(
          path: path,
          fault: "'\(member.key)' and another tensor differ in their Unicode form only")
      }
      entries[ExactString(member.key)] = Entry(layout: layout, shape: shape)
    }
    self.entries = entries
    names = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var expected: Set<ExactString> = []
    for name in names { expected.formUnion(try checkParts(of: name).map { ExactString($0) }) }
    if let stray = file.tensors.first(where: { !expected.contains(ExactString($0.name)) }) {
      throw fault("tensor '\(stray.name)' is not described by the metadata")
    }
  }

  var files: [String] { file.files }

  func digest() -> ContentDigest { file.digest() }

  func shape(of name: String) -> [Int]? { entries[ExactString(name)]?.shape }

  func floats(of name: String) throws -> [Float] {
    guard let entry = entries[ExactString(name)] else { throw fault("tensor '\(name)' is missing") }
    return try compressed(name, entry).dequantized()
  }

  /// The tensor as it was compressed.
  private func compressed(_ name: String, _ entry: Entry) throws -> CompressedTensor {
    switch entry.layout {
    case .kept:
      return try tensor(name, entry, axis: 0, .kept(try part(name, .f32).floats()))
    case .int8:
      let scale = try part(CompressedLayout.scaleName(name), .f32)
      let codes = try part(name, .i8).withBytes { bytes in
        bytes.withUnsafeBytes { $0.map { Int8(bitPattern: $0) } }
      }
      return try tensor(
        name, entry, axis: scale.shape.firstIndex { $0 > 1 } ?? 0,
        .int8(codes: codes, scales: try scale.floats()))
    case .palette(let bits, let axis):
      let palette = try part(CompressedLayout.paletteName(name), .f32)
      let indices = try part(CompressedLayout.indicesName(name), .u8).withBytes { bytes in
        bytes.withUnsafeBytes { Array($0) }
      }
      return try tensor(
        name, entry, axis: axis,
        .palette(
          indices: indices, bits: bits, palettes: try palette.floats(), groups: palette.shape[0]))
    }
  }

  /// A tensor as compressed; of its role only the channel axis is known here.
  private func tensor(
    _ name: String, _ entry: Entry, axis: Int, _ content: CompressedTensor.Content
  ) throws(CompressionError) -> CompressedTensor {
    try CompressedTensor(
      WeightReference(name, entry.shape, role: .matrix(outputAxis: axis)), content,
      relativeError: 0)
  }

  /// Checks that the parts of a tensor are there with the types and shapes its entry needs.
  ///
  /// - Returns: their names.
  private func checkParts(of name: String) throws -> [String] {
    guard let entry = entries[ExactString(name)] else { return [] }
    switch entry.layout {
    case .kept:
      try check(name, .f32, entry.shape)
      return [name]
    case .int8:
      let scaleName = CompressedLayout.scaleName(name)
      try check(name, .i8, entry.shape)
      let scales = try part(scaleName, .f32).shape
      let sharing = zip(scales, entry.shape).allSatisfy { $0 == $1 || $0 == 1 }
      guard scales.count == entry.shape.count, sharing, scales.count(where: { $0 > 1 }) <= 1 else {
        throw fault("'\(scaleName)' has shape \(scales), which does not fit \(entry.shape)")
      }
      return [name, scaleName]
    case .palette(let bits, let axis):
      let indicesName = CompressedLayout.indicesName(name)
      let paletteName = CompressedLayout.paletteName(name)
      guard let bitCount = CheckedSize.elementCount(of: entry.shape + [bits]) else {
        throw fault("the shape of '\(name)' has more elements than fit")
      }
      try check(indicesName, .u8, [bitCount / 8 + (bitCount % 8 == 0 ? 0 : 1)])
      let palette = try part(paletteName, .f32).shape
      guard palette.count == 2, palette[1] == 1 << bits, palette[0] > 0,
        entry.shape[axis].isMultiple(of: palette[0])
      else {
        throw fault(
          "'\(paletteName)' has shape \(palette), which does not fit \(entry.shape) "
            + "with \(bits) bits along axis \(axis)")
      }
      return [indicesName, paletteName]
    }
  }

  private func check(_ name: String, _ type: ElementType, _ shape: [Int]) throws {
    let found = try part(name, type).shape
    guard found == shape else {
      throw fault("tensor '\(name)' has shape \(found), the metadata needs \(shape)")
    }
  }

  private func part(_ name: String, _ type: ElementType) throws -> Tensor {
    guard let tensor = file[name] else { throw fault("tensor '\(name)' is missing") }
    guard tensor.elementType == type else {
      throw fault(
        "tensor '\(name)' has type \(tensor.elementType.rawValue), the metadata needs "
          + type.rawValue)
    }
    return tensor
  }

  private func fault(_ text: String) -> EmissionError { .malformed(path: path, fault: text) }
}
