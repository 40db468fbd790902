import Graph
import WeightCompression

/// A constant of floats in a program, and how its numbers are found.
///
/// Source: the definitions of MIL's `constexpr_` operations, and the arithmetic of coremltools 9.0:
/// products in float32, rounded to the type of the scale.
struct WeightConstant: Sendable {
  /// How it is stored.
  indirect enum Form: Sendable {
    case plain(TensorData)
    /// value = scale · (data − offset); every axis of scale and offset divides that of the data.
    case affine(data: TensorData, scale: Part, offset: Part?)
    /// value = table[group][index]; `vectorAxis` where entries are vectors.
    case palette(indices: PaletteIndices, table: Part, vectorAxis: Int?)
    /// Zeros, but for the numbers that a mask has places for.
    case sparse(SparseNumbers)
    /// The first rows of a table, then all others.
    case split(first: WeightConstant, rest: WeightConstant)
  }

  /// A part that is stored, or another constant.
  indirect enum Part: Sendable {
    case data(TensorData, shape: [Int])
    case constant(WeightConstant)

    var shape: [Int] {
      switch self {
      case .data(_, let shape): shape
      case .constant(let constant): constant.shape
      }
    }

    /// Of another constant.
    var name: String? {
      if case .constant(let constant) = self { constant.name } else { nil }
    }

    var byteCount: Int {
      switch self {
      case .data(let data, _): data.byteCount
      case .constant(let constant): constant.byteCount
      }
    }

    func floats() throws -> [Float] {
      switch self {
      case .data(let data, _): try data.floats()
      case .constant(let constant): try constant.floats()
      }
    }
  }

  /// Indices into tables, one byte each when unpacked.
  struct PaletteIndices: Sendable {
    let data: TensorData
    let shape: [Int]
    let bits: Int
    /// Whether they are packed in bytes that do not say so.
    let isPacked: Bool

    func values() throws -> [UInt8] {
      let codes = try data.codes()
      guard isPacked else { return codes }
      return BitPacking.unpack(codes, bits: bits, count: shape.reduce(1, *))
    }
  }

  let name: String
  /// MIL's name of the operation that makes it.
  let operation: String
  /// fp16 or fp32.
  let type: MILDataType
  let shape: [Int]
  let form: Form

  var elementCount: Int { shape.reduce(1, *) }

  /// Whether these are numbers of the graph itself: they have axes and are in the program. Tables
  /// of weights are longer, and are in a weight file.
  var isNumberOfGraph: Bool {
    guard shape.count > 1, case .plain(let data) = form else { return false }
    return data.isInProgram
  }

  /// Bits per stored element, without scales and tables.
  var bits: Int {
    switch form {
    case .plain(let data), .affine(let data, _, _): data.type.bitWidth
    case .palette(let indices, _, _): indices.bits
    case .sparse(let numbers): numbers.source?.bits ?? numbers.type.bitWidth
    case .split(let first, let rest): max(first.bits, rest.bits)
    }
  }

  /// Bytes of its numbers, scales and tables included.
  var byteCount: Int {
    switch form {
    case .plain(let data): data.byteCount
    case .affine(let data, let scale, let offset):
      data.byteCount + scale.byteCount + (offset?.byteCount ?? 0)
    case .palette(let indices, let table, _): indices.data.byteCount + table.byteCount
    case .sparse(let numbers): numbers.byteCount
    case .split(let first, let rest): first.byteCount + rest.byteCount
    }
  }

  /// Names of the constants it is made of.
  var partNames: [String] {
    switch form {
    case .plain: []
    case .affine(_, let scale, let offset): [scale, offset].compactMap { $0?.name }
    case .palette(_, let table, _): [table].compactMap(\.name)
    case .sparse(let numbers): numbers.source?.partNames ?? []
    case .split(let first, let rest): [first.name, rest.name]
    }
  }

  /// A phrase for listings.
  var label: String {
    switch form {
    case .plain(let data): return data.type.word
    case .affine(let data, let scale, _):
      let scales = scale.shape.reduce(1, *)
      return "\(data.type.word), " + (scales == 1 ? "one scale" : "\(scales) scales")
    case .palette(let indices, let table, let axis):
      let entries = 1 << indices.bits
      let groups = max(
        1, table.shape.reduce(1, *) / (entries * (axis == nil ? 1 : table.shape.last ?? 1)))
      let unit = indices.bits == 1 ? "bit" : "bits"
      return "palette \(indices.bits) \(unit), " + (groups == 1 ? "one table" : "\(groups) tables")
    case .sparse(let numbers):
      return "sparse, " + (numbers.source?.label ?? numbers.type.word)
    case .split(let first, let rest):
      return "\(first.shape[0]) rows in \(first.label), others in \(rest.label)"
    }
  }

  /// All values, row-major, as the model computes with them.
  func floats() throws -> [Float] {
    switch form {
    case .plain(let data): return try data.floats()
    case .affine(let data, let scale, let offset): return try affine(data, scale, offset)
    case .palette(let indices, let table, let vectorAxis):
      return try lookUp(indices, table, vectorAxis)
    case .sparse(let numbers): return try numbers.floats()
    case .split(let first, let rest): return try first.floats() + rest.floats()
    }
  }

  private func affine(_ data: TensorData, _ scale: Part, _ offset: Part?) throws -> [Float] {
    let scales = try scale.floats()
    let offsets = try offset?.floats()
    let width: FloatType = type == .float16 ? .float16 : .float32
    var values = try data.floats()
    // Runs lie inside the places of the values.
    unsafe values.withUnsafeMutableBufferPointer { values in
      let runs = RunLayout(shape: shape, blocks: scale.shape)
      runs.forEachRun(in: values.indices) { block, run in
        let scale = scales[block], offset = offsets?[block] ?? 0
        for i in run { unsafe values[i] = scale * (values[i] - offset) }
      }
      unsafe width.round(values)
    }
    return values
  }

  // The entries of one index are adjacent along the vector axis; without such an axis it is one.
  private func lookUp(
    _ indices: PaletteIndices, _ table: Part, _ vectorAxis: Int?
  ) throws -> [Float] {
    // The stored bytes, one byte of each index, and the values.
    let places = indices.isPacked ? 8 : 1
    try indices.data.requireMemory(1 + places * (1 + 4 * (table.shape.last ?? 1)))
    let codes = try indices.values()
    let entries = try table.floats()
    let width = table.shape.last ?? 1
    let axis = vectorAxis ?? indices.shape.count
    let inner = indices.shape.dropFirst(axis + 1).reduce(1, *)
    let size = 1 << indices.bits
    var values = [Float](repeating: 0, count: codes.count * width)
    let groups = Array(table.shape.dropLast(2))
    RunLayout(shape: indices.shape, blocks: groups).forEachRun(in: codes.indices) { block, run in
      let base = block * size
      for i in run {
        let entry = (base + Int(codes[i])) * width
        let first = i / inner * inner * width + i % inner
        for part in 0..<width { values[first + part * inner] = entries[entry + part] }
      }
    }
    return values
  }
}
