import Graph
import WeightCompression

/// First parameters: the ones plain compression finds for the matrix aimed at.
struct Start {
  let problem: LayerProblem
  /// Whether inputs are weighted by the diagonal of H.
  let isWeighted: Bool
  /// Consecutive rows with the same parameters.
  let rowsPerBlock: Int
  let floats: FloatWidth
  let jobs: Int

  private var blocks: Int { problem.outputs / rowsPerBlock }

  /// The matrix aimed at, as a tensor.
  private var reference: WeightReference {
    WeightReference("aim", [problem.outputs, problem.inputs], role: .matrix(outputAxis: 0))
  }

  /// The best palettes for the squared error; integers have one step for all of them.
  func palettes(_ scheme: PaletteScheme) -> PaletteBook {
    let bits = scheme.bits
    let importance = Importance(
      inputs: (0..<problem.inputs).map { problem.hessian[$0, $0] })
    let codes = Palettizer.palettize(
      problem.aim.values, reference,
      PaletteScheme(bits: bits, granularity: .perGroup(size: rowsPerBlock)), floats,
      importance: isWeighted ? importance : nil, jobs: jobs)
    let book = PaletteBook(blocks: blocks, bits: bits, floats: floats)
    let entries = codes.floats(floats)
    for block in 0..<blocks {
      let table = entries[block << bits..<(block + 1) << bits]
      _ = book.replace(book.storable(table.map { Double($0) }, block: block), block: block)
    }
    if scheme.entries == .int8 { book.storeAsIntegers() }
    return book
  }

  /// Scales by the scheme's own rule: from the largest values, or the ones of least squared error.
  func scales(_ scheme: LinearScheme, columnsPerGroup: Int) -> LinearBook {
    let groups = problem.inputs / columnsPerGroup
    // The same scheme for a matrix of two axes.
    let flat = LinearScheme(
      scheme.integers, mode: scheme.mode,
      granularity: rowsPerBlock == 1 ? .perBlock(size: columnsPerGroup) : .perTensor,
      range: scheme.range)
    let (aim, importance) = inOrder()
    let parameters = LinearQuantizer.parameters(
      aim, reference, flat, floats, importance: isWeighted ? importance : nil, jobs: jobs)
    let book = LinearBook(
      blocks: blocks, groups: problem.order.map { Int32($0 / columnsPerGroup) }, count: groups,
      range: scheme.codes, floats: floats)
    for (place, scale) in parameters.scales.enumerated() {
      let offset = scheme.fixedOffset ?? Int(parameters.offsets[place])
      book.set(scale: scale, offset: offset, block: place / groups, group: place % groups)
    }
    return book
  }

  /// The matrix aimed at with its columns in their own order, and their importance.
  private func inOrder() -> (aim: [Float], importance: Importance) {
    var aim = [Float](repeating: 0, count: problem.aim.count)
    var weights = [Float](repeating: 0, count: problem.inputs)
    for (place, column) in problem.order.enumerated() {
      weights[column] = problem.hessian[place, place]
      for row in 0..<problem.outputs {
        aim[row * problem.inputs + column] = problem.aim[row, place]
      }
    }
    return (aim, Importance(inputs: weights))
  }
}
