import Graph
import StrictJSON
import Weights

/// The parameters of one `constexpr_` operation: attributes before iOS 18, inputs since.
struct CompressedSource {
  private let operation: MILOperation
  private let blobs: BlobFiles
  private let stored: [String: WeightConstant]
  /// What operations of two outputs made, by the name of each.
  private let sparse: [String: SparseNumbers]

  init(
    _ operation: MILOperation, _ blobs: BlobFiles, _ stored: [String: WeightConstant],
    _ sparse: [String: SparseNumbers]
  ) {
    self.operation = operation
    self.blobs = blobs
    (self.stored, self.sparse) = (stored, sparse)
  }

  private func has(_ parameter: String) -> Bool {
    operation.attributes[parameter] != nil || operation.inputs[parameter] != nil
  }

  private func value(_ parameter: String) throws -> MILValue {
    if let value = operation.attributes[parameter] { return value }
    guard let argument = operation.inputs[parameter], argument.arguments.count == 1,
      case .value(let value) = argument.arguments[0].binding
    else { throw ShapeFault("'\(parameter)' is missing or not a value") }
    return value
  }

  private func data(_ parameter: String) throws -> TensorData {
    try TensorData(try value(parameter), blobs)
  }

  // A value, or the name of a constant before it.
  private func part(_ parameter: String) throws -> WeightConstant.Part {
    if let argument = operation.inputs[parameter], argument.arguments.count == 1,
      case .name(let name) = argument.arguments[0].binding
    {
      guard let constant = stored[name] else {
        throw ShapeFault("'\(parameter)' names '\(name)', which is no constant before it")
      }
      return .constant(constant)
    }
    let data = try self.data(parameter)
    return .data(data, shape: data.shape)
  }

  // What an operation of two outputs made.
  private func sparse(_ parameter: String) throws -> SparseNumbers? {
    guard let argument = operation.inputs[parameter], argument.arguments.count == 1,
      case .name(let name) = argument.arguments[0].binding
    else { return nil }
    guard let numbers = sparse[name] else {
      throw ShapeFault("'\(parameter)' names '\(name)', which no operation of sparse numbers made")
    }
    return numbers
  }

  private func type(of part: WeightConstant.Part) -> MILDataType {
    switch part {
    case .data(let data, _): data.type
    case .constant(let constant): constant.type
    }
  }

  private func requireFloats(_ type: MILDataType, _ parameter: String) throws {
    guard [.float16, .float32].contains(type) else {
      throw ShapeFault("'\(parameter)' is \(type.word), expected fp16 or fp32")
    }
  }

  // Requires stored integers or floats, to be multiplied and subtracted.
  private func requireNumbers(_ type: MILDataType, _ parameter: String) throws {
    guard [.int4, .uint4, .int8, .uint8, .float16, .float32].contains(type) else {
      throw ShapeFault("'\(parameter)' is \(type.word), expected int4, int8, fp16 or their like")
    }
  }

  /// One scale and offset for all, or one for each place of an axis.
  func affine(_ name: String) throws -> WeightConstant {
    let data = try self.data("quantized_data"), scale = try self.data("scale")
    let offset = try self.data("zero_point")
    try requireFloats(scale.type, "scale")
    try requireNumbers(offset.type, "zero_point")
    guard [.int8, .uint8].contains(data.type), !data.shape.isEmpty else {
      throw ShapeFault("'quantized_data' is \(data.type.word) \(data.shape)")
    }
    let axes = try self.data("axis").integers()
    guard axes.count == 1, (-data.shape.count..<data.shape.count).contains(Int(axes[0])) else {
      throw ShapeFault("'axis' is \(axes), 'quantized_data' has the shape \(data.shape)")
    }
    let axis = axes[0] < 0 ? Int(axes[0]) + data.shape.count : Int(axes[0])
    func spread(_ part: TensorData, _ parameter: String) throws -> [Int] {
      guard part.count == 1 || part.shape == [data.shape[axis]] else {
        throw ShapeFault(
          "'\(parameter)' has the shape \(part.shape), axis \(axis) has length \(data.shape[axis])")
      }
      return data.shape.indices.map { $0 == axis ? part.count : 1 }
    }
    let scales = try spread(scale, "scale"), offsets = try spread(offset, "zero_point")
    guard scales == offsets else {
      throw ShapeFault(
        "'scale' has \(Figures.count(scale.count, "value")), 'zero_point' \(offset.count)")
    }
    return WeightConstant(
      name: name, operation: operation.type, type: scale.type, shape: data.shape,
      form: .affine(
        data: data, scale: .data(scale, shape: scales), offset: .data(offset, shape: offsets)))
  }

  /// A scale and an offset for each block.
  func blockwise(_ name: String) throws -> WeightConstant {
    try blockwise(name, try self.data("data"))
  }

  private func blockwise(_ name: String, _ data: TensorData) throws -> WeightConstant {
    let scale = try part("scale")
    let offset = has("offset") ? try part("offset") : nil
    try requireFloats(type(of: scale), "scale")
    try requireNumbers(data.type, "data")
    if let offset { try requireNumbers(type(of: offset), "offset") }
    try requireBlocks(scale.shape, of: data.shape, "scale")
    if let offset, offset.shape != scale.shape {
      throw ShapeFault("'offset' has the shape \(offset.shape), 'scale' has \(scale.shape)")
    }
    return WeightConstant(
      name: name, operation: operation.type, type: type(of: scale), shape: data.shape,
      form: .affine(data: data, scale: scale, offset: offset))
  }

  private func requireBlocks(_ blocks: [Int], of shape: [Int], _ parameter: String) throws {
    let divides =
      blocks.count == shape.count
      && zip(blocks, shape).allSatisfy { $0 > 0 && $1.isMultiple(of: $0) }
    guard divides else {
      throw ShapeFault("'\(parameter)' has the shape \(blocks), which does not divide \(shape)")
    }
  }

  /// Indices into tables.
  func palette(_ name: String) throws -> WeightConstant {
    operation.attributes["shape"] == nil
      ? try groupedPalette(name, try data("indices")) : try flatPalette(name)
  }

  /// Zeros, but for the numbers that a mask has places for: a mask of packed bits before iOS 18, of bits since.
  func sparseToDense(_ name: String) throws -> WeightConstant {
    let mask: SparseNumbers.Mask
    if let made = try sparse("mask") {
      mask = made.mask
    } else {
      let data = try data("mask")
      mask = try SparseNumbers.Mask(
        data, shape: has("shape") ? try self.data("shape").integers().map { Int($0) } : nil)
    }
    let stored: SparseNumbers.Stored
    if let made = try sparse("nonzero_data") {
      stored = made.stored
    } else {
      let data = try data("nonzero_data")
      try requireFloats(data.type, "nonzero_data")
      stored = .data(data)
    }
    let numbers = try SparseNumbers(mask, stored)
    return WeightConstant(
      name: name, operation: operation.type, type: numbers.type, shape: mask.shape,
      form: .sparse(numbers))
  }

  /// Codes of sparse numbers, with a scale for each block of what would be dense.
  func sparseBlockwise(_ name: String) throws -> SparseNumbers {
    let mask = try SparseNumbers.Mask(try data("data_mask"))
    let codes = try TensorData(try data("nonzero_data"), at: mask)
    return try SparseNumbers(mask, .picked(try blockwise(name, codes), mask))
  }

  /// Indices of sparse numbers into tables.
  func sparsePalette(_ name: String) throws -> SparseNumbers {
    let mask = try SparseNumbers.Mask(try data("indices_mask"))
    let indices = try TensorData(try data("indices_nonzero_data"), at: mask)
    let constant = try groupedPalette(name, indices)
    guard case .palette(_, let table, let axis?) = constant.form else {
      return try SparseNumbers(mask, .picked(constant, mask))
    }
    let wide = try SparseNumbers.Mask(mask, repeating: table.shape.last ?? 1, along: axis)
    return try SparseNumbers(wide, .picked(constant, wide))
  }

  private func flatPalette(_ name: String) throws -> WeightConstant {
    let indices = try data("indices"), table = try data("lut")
    try requireFloats(table.type, "lut")
    let shape = try data("shape").integers().map { Int($0) }
    guard shape.allSatisfy({ $0 >= 0 }), let count = CheckedSize.elementCount(of: shape),
      let bits = [1, 2, 4, 6, 8].first(where: { 1 << $0 == table.count }), table.shape.count == 1
    else {
      throw ShapeFault("'lut' has \(table.count) entries and 'shape' is \(shape)")
    }
    let (total, overflow) = count.multipliedReportingOverflow(by: bits)
    guard !overflow, indices.type == .uint8, indices.count == (total + 7) / 8 else {
      throw ShapeFault(
        "'indices' has \(Figures.count(indices.count, "byte")), \(count) indices of \(bits) bits need another number"
      )
    }
    return WeightConstant(
      name: name, operation: operation.type, type: table.type, shape: shape,
      form: .palette(
        indices: WeightConstant.PaletteIndices(
          data: indices, shape: shape, bits: bits, isPacked: true),
        table: .data(table, shape: shape.map { _ in 1 } + [table.count, 1]), vectorAxis: nil))
  }

  private func groupedPalette(_ name: String, _ indices: TensorData) throws -> WeightConstant {
    let table = try part("lut")
    try requireFloats(type(of: table), "lut")
    let bits = indices.type.bitWidth
    let unsigned: [MILDataType] = [.uint1, .uint2, .uint3, .uint4, .uint6, .uint8]
    guard unsigned.contains(indices.type), table.shape.count == indices.shape.count + 2,
      table.shape[table.shape.count - 2] == 1 << bits, let width = table.shape.last, width > 0
    else {
      throw ShapeFault(
        "'lut' has the shape \(table.shape), 'indices' is \(indices.type.word) \(indices.shape)")
    }
    try requireBlocks(Array(table.shape.dropLast(2)), of: indices.shape, "lut")
    var shape = indices.shape
    var vectorAxis: Int?
    if has("vector_axis") {
      let axes = try data("vector_axis").integers()
      guard axes.count == 1, (-shape.count..<shape.count).contains(Int(axes[0])) else {
        throw ShapeFault("'vector_axis' is \(axes), 'indices' has the shape \(shape)")
      }
      let axis = axes[0] < 0 ? Int(axes[0]) + shape.count : Int(axes[0])
      let (length, overflow) = shape[axis].multipliedReportingOverflow(by: width)
      guard !overflow else { throw ShapeFault("\(width) times \(shape) is more than fits") }
      shape[axis] = length
      vectorAxis = axis
    } else if width != 1 {
      throw ShapeFault("'lut' has entries of \(width) numbers and 'vector_axis' is missing")
    }
    guard CheckedSize.elementCount(of: shape) != nil else {
      throw ShapeFault("\(shape) has more elements than fit")
    }
    return WeightConstant(
      name: name, operation: operation.type, type: type(of: table), shape: shape,
      form: .palette(
        indices: WeightConstant.PaletteIndices(
          data: indices, shape: indices.shape, bits: bits, isPacked: false), table: table,
        vectorAxis: vectorAxis))
  }

  /// The same numbers in float32.
  func cast(_ name: String) throws -> WeightConstant {
    let source = try data("source_val")
    try requireFloats(source.type, "source_val")
    return WeightConstant(
      name: name, operation: operation.type, type: .float32, shape: source.shape,
      form: .plain(source))
  }
}
