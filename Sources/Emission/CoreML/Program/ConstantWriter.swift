import Graph
import StrictJSON
import WeightCompression

/// Writes weights as constants of a program, their numbers into the weight file.
struct ConstantWriter: ~Copyable {
  /// What was written of a weight: the operation that makes the value, and the value.
  struct Written {
    let operation: MILOperation
    let value: ProgramValue
  }

  private let weights: CompressedWeights
  private let target: DeploymentTarget
  private let identifiers: [ExactString: String]
  private var blob: BlobWriter

  /// Constants of fewer elements stand in the program itself, as coremltools has it.
  private static let leastBlobCount = 10

  /// - Parameter blob: the package's weight file.
  init(
    _ weights: CompressedWeights, target: DeploymentTarget, to blob: consuming BlobWriter
  ) {
    self.weights = weights
    self.target = target
    self.blob = blob
    identifiers = Dictionary(
      weights.identified.map { (ExactString($0.tensor.name), $0.identifier) }
    ) { first, _ in first }
  }

  /// Names that weights take in the program.
  var names: [String] { identifiers.values.sorted() }

  /// The identifier of a weight.
  func identifier(of name: String) -> String {
    identifiers[ExactString(name)] ?? Identifier.make(from: name)
  }

  /// Ends the weight file.
  consuming func finish() throws { try blob.finish() }

  /// Writes a weight in the shape a graph uses it in.
  ///
  /// - Parameters:
  ///   - name: of the constant in the program.
  ///   - rows: how many rows from the first are used; all when nil. Only of tables of positions, which
  ///     are kept as they are.
  mutating func write(
    _ reference: WeightReference, name: String, rows: Int? = nil
  ) throws -> Written {
    guard let tensor = weights.tensor(named: reference.name) else {
      throw CompressionError.unknownTensor(reference.name)
    }
    let shape = rows.map { [$0] + reference.shape.dropFirst() } ?? reference.shape
    switch tensor.content {
    case .kept(let values):
      let count = shape.reduce(1, *)
      return try writeKept(
        Array(values.prefix(count)), tensor.floats, name: name, shape: shape)
    case .int8(let codes, let scales):
      let constant = try affine(codes, scales, shape, axis: reference.role.channelAxis)
      return written(constant, name: name, shape: shape)
    case .palette(let indices, let bits, let palettes, let groups):
      let constant = try palette(
        indices, bits, palettes, groups, shape, axis: reference.role.channelAxis)
      return written(constant, name: name, shape: shape)
    }
  }

  /// Parameters of a compressed constant; where they stand depends on the opset.
  private struct Compressed {
    let type: String
    let parameters: [(String, MILValue)]
  }

  private func written(_ constant: Compressed, name: String, shape: [Int]) -> Written {
    let type = MILValueType.tensor(.float16, shape)
    let operation =
      target >= .iOS18
      ? MILOperation(
        constant.type, inputs: constant.parameters.map { ($0.0, .value($0.1)) },
        outputs: [(name, type)])
      : MILOperation(constant.type, attributes: constant.parameters, outputs: [(name, type)])
    return Written(
      operation: operation, value: ProgramValue(name: name, type: .float16, shape: shape))
  }

  private mutating func writeKept(
    _ values: [Float], _ width: FloatWidth, name: String, shape: [Int]
  ) throws -> Written {
    let type: MILDataType = width == .float16 ? .float16 : .float32
    let value = try floats(values, type, shape)
    return Written(
      operation: MILOperation(
        "const", attributes: [("val", value)], outputs: [(name, .tensor(type, shape))]),
      value: ProgramValue(name: name, type: type, shape: shape))
  }

  // Codes are stored unsigned around 127: signed ones give wrong results on some devices
  // (coremltools issue 2114), and −127 … 127 loses nothing.
  private mutating func affine(
    _ codes: [Int8], _ scales: [Float], _ shape: [Int], axis: Int
  ) throws -> Compressed {
    let bytes = codes.map { UInt8(bitPattern: $0) &+ 127 }
    let data = try numbers(bytes, .uint8, .uint8, shape, count: codes.count)
    let zeros = [UInt8](repeating: 127, count: scales.count)
    guard target >= .iOS18 else {
      let shape = scales.count == 1 ? [] : [scales.count]
      return Compressed(
        type: "constexpr_affine_dequantize",
        parameters: [
          ("quantized_data", data),
          ("zero_point", try numbers(zeros, .uint8, .uint8, shape, count: scales.count)),
          ("scale", try floats(scales, .float16, shape)),
          ("axis", .int(scales.count == 1 ? 0 : axis)),
        ])
    }
    let shared = shape.indices.map { $0 == axis ? scales.count : 1 }
    return Compressed(
      type: "constexpr_blockwise_shift_scale",
      parameters: [
        ("data", data), ("scale", try floats(scales, .float16, shared)),
        ("offset", try numbers(zeros, .uint8, .uint8, shared, count: scales.count)),
      ])
  }

  private mutating func palette(
    _ indices: [UInt8], _ bits: Int, _ palettes: [Float], _ groups: Int, _ shape: [Int], axis: Int
  ) throws -> Compressed {
    guard target >= .iOS18 else {
      let lengths = shape.flatMap { length in
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian) { Array($0) }
      }
      return Compressed(
        type: "constexpr_lut_to_dense",
        parameters: [
          ("indices", try numbers(indices, .uint8, .uint8, [indices.count], count: indices.count)),
          ("lut", try floats(palettes, .float16, [palettes.count])),
          ("shape", .bytes(lengths, .uint32, [shape.count])),
        ])
    }
    let (blobType, type) = ConstantWriter.unsigned(bits: bits)
    let table = shape.indices.map { $0 == axis && groups > 1 ? groups : 1 } + [1 << bits, 1]
    return Compressed(
      type: "constexpr_lut_to_dense",
      parameters: [
        ("indices", try numbers(indices, blobType, type, shape, count: shape.reduce(1, *))),
        ("lut", try floats(palettes, .float16, table)),
      ])
  }

  /// The types of packed integers of so many bits.
  private static func unsigned(bits: Int) -> (BlobType, MILDataType) {
    switch bits {
    case 1: (.uint1, .uint1)
    case 2: (.uint2, .uint2)
    case 3: (.uint3, .uint3)
    case 4: (.uint4, .uint4)
    case 6: (.uint6, .uint6)
    default: (.uint8, .uint8)
    }
  }

  private mutating func numbers(
    _ bytes: [UInt8], _ blobType: BlobType, _ type: MILDataType, _ shape: [Int], count: Int
  ) throws -> MILValue {
    guard count >= ConstantWriter.leastBlobCount else { return .bytes(bytes, type, shape) }
    return .blob(
      at: try blob.append(bytes, type: blobType, elementCount: count), type, shape)
  }

  private mutating func floats(
    _ values: [Float], _ type: MILDataType, _ shape: [Int]
  ) throws -> MILValue {
    guard values.count >= ConstantWriter.leastBlobCount else {
      return type == .float16
        ? .bytes(HalfFloats.data(of: values), .float16, shape) : .floats(values, shape)
    }
    let bytes = type == .float16 ? HalfFloats.data(of: values) : values.littleEndianBytes
    let offset = try blob.append(
      bytes, type: type == .float16 ? .float16 : .float32, elementCount: values.count)
    return .blob(at: offset, type, shape)
  }
}

extension CompressedWeights {
  /// Each weight and the name its constant takes in a program.
  var identified: [(tensor: CompressedTensor, identifier: String)] {
    Array(zip(tensors, Identifier.distinct(for: tensors.map(\.name))))
  }
}

/// A value of a program: its name, element type and shape; a nil length is the caller's choice.
struct ProgramValue {
  let name: String
  let type: MILDataType
  let shape: [Int?]
}
