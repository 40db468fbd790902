import Files
import Graph
import StrictJSON
import WeightCompression
import Weights

/// The numbers of one constant, in the program or in a weight file; its size is checked.
struct TensorData: Sendable {
  private indirect enum Storage: Sendable {
    case message(MILTensorValue)
    case record(BlobRecord, BlobFile)
    /// At the places of a mask; zeros elsewhere.
    case scattered(TensorData, SparseNumbers.Mask)
  }

  let type: MILDataType
  let shape: [Int]
  let count: Int
  private let storage: Storage

  /// Whether the numbers are in the program itself, not in a weight file.
  var isInProgram: Bool {
    if case .message = storage { true } else { false }
  }

  /// - Parameters:
  ///   - blobs: the weight files of the package, by the names the program uses.
  /// - Throws: `GraphError` without a place, and `CoreMLError` of a weight file.
  init(_ value: MILValue, _ blobs: BlobFiles) throws {
    guard case .tensorType(let tensor) = value.type.type else {
      throw ShapeFault("a constant is no tensor")
    }
    type = tensor.dataType
    shape = try tensor.knownShape()
    guard let count = CheckedSize.elementCount(of: shape) else {
      throw ShapeFault("a constant of shape \(shape) has more elements than fit")
    }
    self.count = count
    switch value.value {
    case .blobFileValue(let reference):
      guard let blobType = BlobType(type) else {
        throw ShapeFault("a constant of \(type.word) cannot lie in a weight file")
      }
      let file = try blobs.file(named: reference.fileName)
      storage = .record(
        try file.record(at: reference.offset, type: blobType, elementCount: count), file)
    case .immediateValue(let immediate):
      guard case .tensor(let tensor) = immediate.value else {
        throw ShapeFault("a constant of \(type.word) is no tensor")
      }
      storage = .message(tensor)
      let found = TensorData.elementCount(of: tensor, type, wanted: count)
      guard found == count else {
        throw ShapeFault(
          "a constant of \(type.word) and shape \(shape) needs \(Figures.count(count, "element")), "
            + "it has \(found.map(String.init) ?? "another kind of")")
      }
    case nil: throw ShapeFault("a constant has no value")
    }
  }

  /// Codes or numbers at the places of a mask, and zeros elsewhere.
  ///
  /// - Throws: `ShapeFault` if there are not as many as places.
  init(_ numbers: TensorData, at mask: SparseNumbers.Mask) throws {
    _ = try SparseNumbers(mask, .data(numbers))
    (type, shape, count) = (numbers.type, mask.shape, mask.elementCount)
    storage = .scattered(numbers, mask)
  }

  // Number of elements in a message; nil when it is of another kind than the type needs. Of packed
  // elements as many as are wanted, if their bytes are there.
  private static func elementCount(
    of tensor: MILTensorValue, _ type: MILDataType, wanted: Int
  ) -> Int? {
    switch (type, tensor.value) {
    case (.bool, .bools(let values)): values.values.count
    case (.string, .strings(let values)): values.values.count
    case (.float32, .floats(let values)): values.values.count
    case (.int32, .ints(let values)), (.int16, .ints(let values)), (.uint16, .ints(let values)):
      values.values.count
    case (_, .bytes(let bytes)): wholeElements(bytes.values.count, type, wanted: wanted)
    default: nil
    }
  }

  private static func wholeElements(
    _ byteCount: Int, _ type: MILDataType, wanted: Int
  ) -> Int? {
    switch type {
    case .float16, .bfloat16: byteCount % 2 == 0 ? byteCount / 2 : nil
    case .uint32: byteCount % 4 == 0 ? byteCount / 4 : nil
    case .int8, .uint8: byteCount
    case .int4, .uint1, .uint2, .uint3, .uint4, .uint6:
      BlobType(type)?.byteCount(of: wanted) == byteCount ? wanted : byteCount * 8 / type.bitWidth
    default: nil
    }
  }

  /// The elements of a type with 32 bits at most, as numbers.
  func floats() throws -> [Float] {
    // Other types are converted by way of codes and integers.
    let isDirect = [.float16, .float32, .bfloat16, .uint8].contains(type)
    try requireMemory(isDirect ? 4 : 9)
    switch (storage, type) {
    case (.record(let record, let file), .float16), (.record(let record, let file), .float32),
      (.record(let record, let file), .bfloat16):
      return try file.floats(of: record)
    case (.record(let record, let file), .uint8): return file.floats(ofUnsigned: record)
    case (.scattered(let numbers, let mask), _):
      return SparseNumbers.spread(try numbers.floats(), try mask.bits(), zero: 0)
    case (.record, _): return try integers().map(Float.init)
    case (.message(let tensor), .float32): return tensor.floats.values
    case (.message(let tensor), .float16):
      return Float16Bytes.floats(of: Array(tensor.bytes.values))
    case (.message(let tensor), .bfloat16):
      return unsafe FloatConversion.floats(
        of: Array(tensor.bytes.values).span.bytes, .bf16, isBigEndian: false)
    default: return try integers().map(Float.init)
    }
  }

  /// Integers of any width.
  func integers() throws -> [Int32] {
    try requireMemory(5)
    switch storage {
    case .record(let record, let file): return try file.integers(of: record)
    case .scattered(let numbers, let mask):
      return SparseNumbers.spread(try numbers.integers(), try mask.bits(), zero: 0)
    case .message(let tensor):
      switch type {
      case .int32, .int16, .uint16: return tensor.ints.values
      case .int8: return tensor.bytes.values.map { Int32(Int8(bitPattern: $0)) }
      case .uint8, .uint1, .uint2, .uint3, .uint4, .uint6: return try codes().map { Int32($0) }
      case .int4: return try codes().map { Int32(Int8(bitPattern: $0 << 4) >> 4) }
      case .uint32:
        let bytes = Array(tensor.bytes.values)
        return stride(from: 0, to: bytes.count, by: 4).map { index in
          (0..<4).reduce(Int32(0)) { $0 | Int32(bytes[index + $1]) << Int32(8 * $1) }
        }
      default: throw ShapeFault("a constant of \(type.word) is not known as integers")
      }
    }
  }

  /// Codes of at most eight bits, as stored: two's complement stays in the low bits.
  func codes() throws -> [UInt8] {
    try requireMemory(2)
    switch storage {
    case .record(let record, let file): return try file.codes(of: record)
    case .scattered(let numbers, let mask):
      return SparseNumbers.spread(try numbers.codes(), try mask.bits(), zero: 0)
    case .message(let tensor):
      switch type {
      case .int8, .uint8: return Array(tensor.bytes.values)
      case .int4, .uint1, .uint2, .uint3, .uint4, .uint6:
        return BitPacking.unpack(Array(tensor.bytes.values), bits: type.bitWidth, count: count)
      default: throw ShapeFault("a constant of \(type.word) is not known as codes")
      }
    }
  }

  /// Makes sure that there is memory for all elements.
  ///
  /// - Parameter byteCount: of each element.
  func requireMemory(_ byteCount: Int) throws(FileError) {
    let place = if case .record(_, let file) = storage { file.path } else { "the program" }
    let (bytes, overflow) = byteCount.multipliedReportingOverflow(by: count)
    try Memory.require(
      overflow ? .max : bytes, for: "a constant of shape \(shape)", of: place)
  }

  var bools: [Bool] {
    if case .message(let tensor) = storage { tensor.bools.values } else { [] }
  }

  var strings: [String] {
    if case .message(let tensor) = storage { tensor.strings.values } else { [] }
  }

  /// Bytes the numbers take.
  var byteCount: Int {
    switch storage {
    case .record(let record, _): record.byteCount
    case .scattered(let numbers, let mask): numbers.byteCount + mask.byteCount
    case .message: (count * type.bitWidth + 7) / 8
    }
  }
}

/// The weight files of a package, opened once.
struct BlobFiles: Sendable {
  private var files: [String: BlobFile] = [:]

  /// Opens every weight file that a program names.
  init(_ folder: MLPackageFolder, namedBy block: MILBlock) throws {
    for operation in block.operations {
      for value in operation.values {
        guard case .blobFileValue(let reference) = value.value,
          files[reference.fileName] == nil
        else { continue }
        files[reference.fileName] = try folder.blob(named: reference.fileName)
      }
    }
  }

  /// The files by the paths they were opened by.
  var byPath: [String: BlobFile] {
    Dictionary(files.values.map { ($0.path, $0) }) { first, _ in first }
  }

  func file(named name: String) throws -> BlobFile {
    guard let file = files[name] else { throw ShapeFault("the weight file '\(name)' is missing") }
    return file
  }
}
