import Graph
import WeightCompression

/// The compression of one layer, checked and ready.
struct LayerWork {
  /// In the reference's shape. As a matrix [outputs, inputs] they have outputs along the channel axis,
  /// inputs along all others in their order.
  let weights: [Float]
  let reference: WeightReference
  /// Of each group of outputs; one for all layers but convolutions in groups.
  let moments: [LayerMoments]
  /// This weight's place among the outputs of the moments of all groups.
  let outputs: Range<Int>
  /// How errors of the outputs act together; nil if each counts for itself.
  var coupling: OutputCoupling?
  let floats: FloatType
  let options: GPTQOptions
  let jobs: Int

  /// Groups are outputs, and the elements of a group are its inputs.
  private var layout: RunLayout { RunLayout(channelsOf: reference) }

  /// Whether it is stored [inputs, outputs].
  private var isTransposed: Bool {
    reference.role.channelAxis == 1 && reference.shape.count == 2
  }

  /// Whether blocks of the tensor are blocks of the matrix.
  var isMatrix: Bool {
    isTransposed || reference.role.channelAxis == 0 && reference.shape.count >= 2
  }

  func compress(_ scheme: PaletteScheme) throws(GPTQError) -> CompensatedWeight {
    guard let problem = try problem() else { return plain(.palette(scheme), .noSignal) }
    let blocks = scheme.blocks(of: reference)
    let rowsPerBlock = problem.outputs / channelBlocks(blocks)
    let rows = try compensated(problem, rowsPerBlock, apart: scheme.entries == .floats) {
      $0.palettes(scheme)
    }
    let indices = BitPacking.pack(flat(rows) { $0 }, bits: scheme.bits)
    let codes = PaletteCodes(
      bits: scheme.bits, indices: indices, entries: entries(rows.map(\.codebook)), blocks: blocks)
    return result(.palette(codes), rows)
  }

  func compress(_ scheme: LinearScheme) throws(GPTQError) -> CompensatedWeight {
    guard let problem = try problem() else { return plain(.linear(scheme), .noSignal) }
    let blocks = scheme.blocks(of: reference)
    let rowsPerBlock = problem.outputs / channelBlocks(blocks)
    let groups = blocks.reduce(1, *) / channelBlocks(blocks)
    let rows = try compensated(problem, rowsPerBlock, apart: true) {
      $0.scales(scheme, columnsPerGroup: problem.inputs / groups)
    }
    let bits = scheme.integers.bits
    let lowest = UInt8(truncatingIfNeeded: scheme.codes.lowerBound)
    let mask = UInt8(truncatingIfNeeded: 1 << bits - 1)
    let packed = BitPacking.pack(flat(rows) { ($0 &+ lowest) & mask }, bits: bits)
    let zeroPoints =
      scheme.mode == .asymmetric
      ? rows.flatMap(\.codebook.allZeroPoints).map { Int16($0) } : []
    let codes = LinearCodes(
      scheme.integers, mode: scheme.mode, packed: packed,
      scales: inStoredOrder(rows.flatMap(\.codebook.allScales), groups),
      zeroPoints: inStoredOrder(zeroPoints, groups),
      blocks: blocks)
    return result(.linear(codes), rows)
  }

  /// Compresses without compensation; inputs count by their second moments, if at all.
  func plain(
    _ scheme: Scheme, _ shortfall: CompensatedWeight.Shortfall
  ) -> CompensatedWeight {
    let diagonal = moments.count == 1 ? moments[0].relativeDiagonal(meanWeight: 1) : nil
    let importance = diagonal.flatMap { weights in
      reference.inputs == weights.count ? Importance(inputs: weights) : nil
    }
    let content = scheme.own.compress(
      weights, reference, floats, importance: importance, jobs: jobs)
    let values = Matrix(channelsOf: reference, values(of: content))
    return CompensatedWeight(
      content: content, bias: bias { values[$0, $1] }, loss: 0, roundingLoss: 0,
      shortfall: shortfall)
  }

  private func values(of content: CompressedTensor.Content) -> [Float] {
    do {
      return try CompressedTensor(reference, content, floats: floats, relativeError: 0)
        .dequantized()
    } catch {
      preconditionFailure("a plain compressor made what does not fit its tensor: \(error)")
    }
  }

  private func problem() throws(GPTQError) -> LayerProblem? {
    guard !weights.isEmpty else { return nil }
    return try LayerProblem(
      Matrix(channelsOf: reference, weights), moments, first: outputs.lowerBound, options,
      jobs: jobs)
  }

  /// Rows that are worked on together where errors of outputs act together, about.
  private static let sliceRows = 64

  /// Codes and parameters of all rows, slice by slice in their order.
  ///
  /// Where errors of outputs act together, the slices are worked on from the last to the first, and
  /// each makes up for those after it.
  ///
  /// - Parameter apart: whether slices can have parameters of their own.
  private func compensated<Book: Codebook>(
    _ problem: LayerProblem, _ rowsPerBlock: Int, apart: Bool, _ codebook: (InitialCodes) -> Book
  ) throws(GPTQError) -> [GPTQCompensator<Book>] {
    guard let coupling, apart, rowsPerBlock < problem.outputs, problem.parts.count == 1 else {
      return [try best(problem, rowsPerBlock, codebook)]
    }
    let errors = Matrix(rows: problem.outputs, columns: problem.inputs)
    let size = max(1, Self.sliceRows / rowsPerBlock) * rowsPerBlock
    var slices: [GPTQCompensator<Book>] = []
    for rows in Pieces.ranges(problem.outputs, size: size).reversed() {
      let part = LayerProblem(
        rows, of: problem, changing: try coupling.change(of: rows, after: errors))
      let slice = try best(part, rowsPerBlock, codebook)
      for row in rows {
        let value = unsafe slice.quantized.row(row - rows.lowerBound)
        let (error, target) = unsafe (errors.row(row), problem.target.row(row))
        for i in 0..<problem.inputs { unsafe error[i] = value[i] - target[i] }
      }
      slices.append(slice)
    }
    return slices.reversed()
  }

  /// Weights up to which a second start costs next to nothing.
  private static let smallCount = 1 << 14

  /// The better result of two starts: parameters for weighted inputs, and those of plain
  /// compression, so that it never loses more than that. Runs the second for small layers and for
  /// those where compensation has gained little.
  private func best<Book: Codebook>(
    _ problem: LayerProblem, _ rowsPerBlock: Int, _ codebook: (InitialCodes) -> Book
  ) throws(GPTQError) -> GPTQCompensator<Book> {
    func run(isWeighted: Bool) throws(GPTQError) -> GPTQCompensator<Book> {
      let start = InitialCodes(
        problem: problem, isWeighted: isWeighted, rowsPerBlock: rowsPerBlock, floats: floats,
        jobs: jobs)
      let compensator = GPTQCompensator(
        problem, codebook(start), rowsPerBlock: rowsPerBlock, jobs: jobs)
      try compensator.run(options)
      return compensator
    }
    let first = try run(isWeighted: true)
    let isWeak = first.loss > 0.75 * first.roundingLoss
    guard isWeak || weights.count <= Self.smallCount else { return first }
    let second = try run(isWeighted: false)
    return second.loss < first.loss ? second : first
  }

  private func channelBlocks(_ blocks: [Int]) -> Int {
    let axis = reference.role.channelAxis
    return blocks.indices.contains(axis) ? max(1, blocks[axis]) : 1
  }

  /// Codes as they are stored.
  private func flat<Book: Codebook>(
    _ slices: [GPTQCompensator<Book>], _ code: (UInt8) -> UInt8
  ) -> [UInt8] {
    let layout = layout
    var flat = [UInt8](repeating: 0, count: weights.count)
    var output = 0
    for slice in slices {
      let places = slice.problem.places
      for row in 0..<slice.problem.outputs {
        let codes = unsafe slice.codes.row(row)
        var input = 0
        layout.forEachRun(of: output) { run in
          for place in run {
            flat[place] = unsafe code(codes[places[input]])
            input += 1
          }
        }
        output += 1
      }
    }
    return flat
  }

  /// Numbers [channel blocks, groups of inputs] as blocks of the stored tensor are numbered.
  private func inStoredOrder<T>(_ values: [T], _ groups: Int) -> [T] {
    guard isTransposed, groups > 1, !values.isEmpty else { return values }
    let blocks = values.count / groups
    return (0..<groups).flatMap { group in (0..<blocks).map { values[$0 * groups + group] } }
  }

  // Tables of integers are those of one codebook.
  private func entries(_ codebooks: [PaletteCodebook]) -> PaletteCodes.Entries {
    let tables = codebooks.flatMap(\.tables)
    guard let step = codebooks.first?.step else { return .floats(tables) }
    return .int8(
      codes: tables.map { Int8(max(-127, min(127, ($0 / step).rounded()))) }, scale: step)
  }

  private func result<Book: Codebook>(
    _ content: CompressedTensor.Content, _ slices: [GPTQCompensator<Book>]
  ) -> CompensatedWeight {
    let places = slices.first?.problem.places ?? []
    let rowsPerSlice = max(1, slices.first?.problem.outputs ?? 1)
    return CompensatedWeight(
      content: content,
      bias: bias { row, input in
        slices[row / rowsPerSlice].quantized[row % rowsPerSlice, places[input]]
      }, loss: slices.reduce(0) { $0 + $1.loss },
      roundingLoss: slices.reduce(0) { $0 + $1.roundingLoss }, shortfall: nil)
  }

  /// mean of the outputs − Q · mean of the inputs.
  private func bias(_ value: (_ output: Int, _ input: Int) -> Float) -> [Float] {
    let rows = max(1, outputs.count / moments.count)
    return outputs.indices.map { output in
      let row = output - outputs.lowerBound
      let moments = moments[row / rows]
      var sum = 0.0
      for input in 0..<moments.inputs {
        sum += Double(value(row, input)) * moments.inputMeans[input]
      }
      return Float(moments.outputMeans[outputs.lowerBound + row % rows] - sum)
    }
  }
}

extension Matrix {
  /// The matrix [outputs, inputs] of a stored weight's values.
  convenience init(channelsOf weight: WeightReference, _ values: [Float]) {
    let layout = RunLayout(channelsOf: weight)
    self.init(rows: layout.groups, columns: layout.groupCount)
    for output in 0..<layout.groups {
      let row = unsafe row(output)
      var input = 0
      layout.forEachRun(of: output) { run in
        for place in run {
          unsafe row[input] = values[place]
          input += 1
        }
      }
    }
  }
}
