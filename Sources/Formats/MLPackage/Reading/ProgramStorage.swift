import Graph
import WeightCompression
import Weights

/// How a program's constants are stored.
struct ProgramStorage: ModelStorage {
  private let program: CoreMLProgram

  init(_ program: CoreMLProgram) { self.program = program }

  func format(of model: Model) -> any Format {
    let statement = program.statement
    let takesTexts = if case .tokens = model.architecture.input { true } else { false }
    let lengths =
      statement.isRange
      ? [statement.lengths.first, statement.lengths.last].compactMap(\.self) : statement.lengths
    let isHalf = program.constants.values.contains { $0.type == .float16 }
    return CoreMLPackage(
      options: CoreMLOptions(
        target: statement.target, sequenceLengths: takesTexts ? lengths : [],
        isRange: takesTexts && statement.isRange, outputType: statement.outputType ?? .float32,
        floats: isHalf ? .float16 : .float32))
  }

  func stored(_ reference: WeightReference) throws -> StoredWeight? {
    guard let constant = program.constants[reference.name.text] else { return nil }
    return try stored(constant, reference)
  }

  private func stored(
    _ constant: WeightConstant, _ reference: WeightReference
  ) throws -> StoredWeight {
    StoredWeight(scheme: try scheme(of: constant, reference), byteCount: constant.byteCount)
  }

  /// Nil of floats, and of numbers that other tools store in a way of their own.
  private func scheme(
    of constant: WeightConstant, _ reference: WeightReference
  ) throws -> Scheme? {
    guard constant.shape == reference.shape else { return nil }
    switch constant.form {
    case .plain, .sparse: return nil
    case .affine(let data, let scale, let offset):
      guard let integers = LinearScheme.Integers(rawValue: data.type.word),
        scale.shape.count == reference.shape.count
      else { return nil }
      let middle: Float = integers.isSigned ? 0 : Float((1 << (integers.bits - 1)) - 1)
      let isEven = try offset?.floats().allSatisfy { $0 == middle } ?? integers.isSigned
      // Eight bits around zero are stored alike, signed or not.
      let plain = isEven && integers.bits == 8 ? .int8 : integers
      return .linear(
        LinearScheme(
          plain, mode: isEven ? .symmetric : .asymmetric,
          granularity: LinearScheme.granularity(blocks: scale.shape, of: reference)))
    case .palette(let indices, let table, let vectorAxis):
      let width = vectorAxis == nil ? 1 : table.shape.last ?? 1
      let blocks = Array(table.shape.dropLast(2))
      guard blocks.count == reference.shape.count, PaletteScheme.knownWidths.contains(width) else {
        return nil
      }
      return .palette(
        PaletteScheme(
          bits: indices.bits, granularity: PaletteScheme.granularity(blocks: blocks, of: reference),
          width: width, entries: table.name == nil ? .floats : .int8))
    case .split(let first, let rest):
      let rows = first.shape[0]
      let parts = SplitScheme.parts(of: reference, rows: rows)
      guard let firstScheme = try stored(first, parts.first).scheme,
        let restScheme = try stored(rest, parts.rest).scheme
      else { return nil }
      return .split(SplitScheme(rows: rows, first: firstScheme, rest: restScheme))
    }
  }
}
