import Graph
import StrictJSON
import WeightCompression
import Weights

/// Makes the constants of a program from numbers in the weight file.
struct ConstantWriter {
  /// A written weight: the operations that make the value, and the value.
  struct Written {
    let operations: [MILOperation]
    let value: ProgramValue
  }

  private let target: DeploymentTarget
  let numbers: [TensorName: WrittenWeight]
  private let identifiers: [TensorName: String]

  /// - Parameter numbers: of each weight, by its name.
  init(
    _ weights: [PlannedTensor], _ numbers: [TensorName: WrittenWeight], target: DeploymentTarget
  ) {
    self.target = target
    self.numbers = numbers
    identifiers = Dictionary(weights.identified.map { ($0.tensor.name, $0.identifier) }) {
      first, _ in
      first
    }
  }

  /// Names that weights take in the program.
  var names: [String] { identifiers.values.sorted() }

  /// The identifier of a weight.
  func identifier(of name: TensorName) -> String {
    identifiers[name] ?? Identifier.make(from: name.text)
  }

  /// The constant of a weight in the shape a graph uses it in.
  ///
  /// - Parameters:
  ///   - name: of the constant in the program.
  ///   - rows: how many rows from the first are used; all when nil.
  ///   - claim: makes a name for a constant that only this one reads.
  func write(
    _ reference: WeightReference, name: String, rows: Int? = nil, claim: (String) -> String
  ) throws -> Written {
    guard let numbers = numbers[reference.name] else {
      throw CompressionError.unknownTensor(reference.name)
    }
    let shape = rows.map { [$0] + reference.shape.dropFirst() } ?? reference.shape
    return try constant(numbers, reference, shape, name, claim)
  }

  /// The constant of some numbers.
  ///
  /// - Parameters:
  ///   - reference: the weight, whose role says where its channels are.
  ///   - shape: of the value.
  func constant(
    _ numbers: WrittenWeight, _ reference: WeightReference, _ shape: [Int], _ name: String,
    _ claim: (String) -> String
  ) throws -> Written {
    switch numbers {
    case .plain(let part):
      return Written(
        operations: [
          MILOperation(
            "const", attributes: [("val", part.value(shape))],
            outputs: [(name, .tensor(part.type, shape))])
        ], value: ProgramValue(name: name, type: part.type, shape: shape))
    case .affine(let data, let scale, let offset, let blocks):
      let blocks = aligned(blocks, to: shape)
      let operation =
        target >= .iOS18
        ? blockwise(data, scale, offset, shape, blocks, name)
        : affine(data, scale, offset, shape, blocks, name)
      return written([operation], name, shape, scale.type)
    case .palette(let indices, let table, let scale, let form):
      guard target >= .iOS18 else {
        return written(
          [flatPalette(indices, table, form, shape, name)], name, shape, table.type)
      }
      return written(
        palette(indices, table, scale, form, shape, reference.role.channelAxis, name, claim),
        name, shape, (scale ?? table).type)
    case .split:
      throw CoreMLError.unknownOperation(operation: "split table", value: reference.name.text)
    }
  }

  private func written(
    _ operations: [MILOperation], _ name: String, _ shape: [Int], _ type: MILDataType
  ) -> Written {
    Written(operations: operations, value: ProgramValue(name: name, type: type, shape: shape))
  }

  /// Blocks of a shape that differs from the weight's own in leading axes of length 1.
  private func aligned(_ blocks: [Int], to shape: [Int]) -> [Int] {
    let missing = shape.count - blocks.count
    return missing >= 0
      ? [Int](repeating: 1, count: missing) + blocks : Array(blocks.dropFirst(-missing))
  }

  private func affine(
    _ data: WrittenWeight.Part, _ scale: WrittenWeight.Part, _ offset: WrittenWeight.Part?,
    _ shape: [Int], _ blocks: [Int], _ name: String
  ) -> MILOperation {
    let axis = blocks.firstIndex { $0 > 1 }
    let shared = axis.map { [blocks[$0]] } ?? []
    var parameters = [("quantized_data", data.value(shape))]
    if let offset { parameters.append(("zero_point", offset.value(shared))) }
    parameters += [("scale", scale.value(shared)), ("axis", .int(axis ?? 0))]
    return MILOperation(
      "constexpr_affine_dequantize", attributes: parameters,
      outputs: [(name, .tensor(scale.type, shape))])
  }

  private func blockwise(
    _ data: WrittenWeight.Part, _ scale: WrittenWeight.Part, _ offset: WrittenWeight.Part?,
    _ shape: [Int], _ blocks: [Int], _ name: String
  ) -> MILOperation {
    var parameters = [("data", data.value(shape)), ("scale", scale.value(blocks))]
    if let offset { parameters.append(("offset", offset.value(blocks))) }
    return MILOperation(
      "constexpr_blockwise_shift_scale",
      inputs: parameters.map { ($0.0, MILArgument.value($0.1)) },
      outputs: [(name, .tensor(scale.type, shape))])
  }

  private func flatPalette(
    _ indices: WrittenWeight.Part, _ table: WrittenWeight.Part,
    _ form: WrittenWeight.PaletteForm, _ shape: [Int], _ name: String
  ) -> MILOperation {
    var lengths: [UInt8] = []
    for length in shape { lengths.append(littleEndian: UInt32(truncatingIfNeeded: length)) }
    let byteCount = BitPacking.byteCount(shape.reduce(1, *), bits: form.bits)
    return MILOperation(
      "constexpr_lut_to_dense",
      attributes: [
        ("indices", indices.value([byteCount])), ("lut", table.value([form.entryCount])),
        ("shape", .bytes(lengths, .uint32, [shape.count])),
      ], outputs: [(name, .tensor(table.type, shape))])
  }

  private func palette(
    _ indices: WrittenWeight.Part, _ table: WrittenWeight.Part, _ scale: WrittenWeight.Part?,
    _ form: WrittenWeight.PaletteForm, _ shape: [Int], _ axis: Int, _ name: String,
    _ claim: (String) -> String
  ) -> [MILOperation] {
    var indexShape = shape
    if form.width > 1 { indexShape[axis] /= form.width }
    let tableShape = aligned(form.blocks, to: shape) + [1 << form.bits, form.width]
    var operations: [MILOperation] = []
    var lut = MILArgument.value(table.value(tableShape))
    if let scale {
      let ones = tableShape.map { _ in 1 }
      let tableName = claim("\(name)_palette")
      let offset = WrittenWeight.Part(type: .uint8, place: .immediate([127]))
      operations.append(
        blockwise(table, scale, offset, tableShape, ones, tableName))
      lut = .named(tableName)
    }
    var inputs = [("indices", MILArgument.value(indices.value(indexShape))), ("lut", lut)]
    if form.width > 1 { inputs.append(("vector_axis", .value(.int(axis)))) }
    operations.append(
      MILOperation(
        "constexpr_lut_to_dense", inputs: inputs,
        outputs: [(name, .tensor((scale ?? table).type, shape))]))
    return operations
  }
}

extension [PlannedTensor] {
  /// Each weight and the name its constant takes in a program.
  var identified: [(tensor: PlannedTensor, identifier: String)] {
    zip(self, Identifier.distinct(for: map(\.name.text))).map { ($0, $1) }
  }
}

/// A value of a program: its name, element type and shape; a nil length is the caller's choice.
struct ProgramValue {
  let name: String
  let type: MILDataType
  let shape: [Int?]
}
