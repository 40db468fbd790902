import Graph
import WeightCompression

/// Compression of tables whose rows are looked up, with compensation of errors.
///
/// An error e of a row costs ½ eᵀ F e where the row is looked up, F being the mean of g gᵀ over lookups
/// and g the gradient of the output by what a lookup gives. So a row of a table is fitted as a row of
/// a layer is, with F for the moments of its inputs.
enum TableCompensation {
  /// Compresses a table; of one in two parts, each for itself.
  ///
  /// The result does not depend on `jobs`.
  ///
  /// - Parameters:
  ///   - values: as trained, [rows, width].
  ///   - moments: of the gradients [width], without outputs.
  ///   - memory: of tables and parts that were compressed before.
  /// - Throws: `GPTQError`.
  static func compress(
    _ values: [Float], reference: WeightReference, moments: LayerMoments, scheme: Scheme,
    floats: FloatType, options: GPTQOptions, memory: CalibrationMemory = CalibrationMemory(),
    jobs: Int
  ) throws(GPTQError) -> CompressedTensor.Content {
    func fitted(_ part: SplitScheme.Part, _ values: [Float]) throws(GPTQError)
      -> CompressedTensor.Content
    {
      try memory.rows(of: part, floats) { () throws(GPTQError) in
        try fit(
          values, reference: part.reference, moments: moments, scheme: part.scheme, floats: floats,
          options: options, jobs: jobs)
      }
    }
    guard case .split(let split) = scheme else {
      return try fitted(SplitScheme.Part(reference, scheme), values)
    }
    return .split(try split.codes(of: values, reference, fitted))
  }

  private static func fit(
    _ values: [Float], reference: WeightReference, moments: LayerMoments, scheme: Scheme,
    floats: FloatType, options: GPTQOptions, jobs: Int
  ) throws(GPTQError) -> CompressedTensor.Content {
    let options = GPTQOptions(
      damping: options.damping, ridge: nil, meanWeight: 1, rounds: options.rounds,
      sweeps: options.sweeps)
    let width = reference.elementCount / max(1, reference.channels)
    var parts: [CompressedTensor.Content] = []
    for rows in slices(of: reference, scheme) {
      let work = LayerWork(
        weights: Array(values[rows.lowerBound * width..<rows.upperBound * width]),
        reference: WeightReference(reference.name, [rows.count, width], role: reference.role),
        moments: [moments], outputs: 0..<0, floats: floats, options: options, jobs: max(1, jobs))
      parts.append(try GPTQCompensation.compress(work, scheme).content)
    }
    return parts.count == 1 ? parts[0] : joined(parts, scheme.blocks(of: reference))
  }

  /// Rows of a slice, about.
  private static let sliceRows = 4096

  /// Stretches of rows that share no parameters, and whose codes end with a byte: memory is needed for
  /// one at a time.
  private static func slices(of reference: WeightReference, _ scheme: Scheme) -> [Range<Int>] {
    let rows = reference.channels
    guard let blocks = scheme.blocks(of: reference).first, blocks > 1, !hasOneStep(scheme) else {
      return [0..<rows]
    }
    let step = 8 * (rows / blocks)
    return Pieces.ranges(rows, size: max(1, sliceRows / step) * step)
  }

  // Entries that are stored as integers are multiples of one number.
  private static func hasOneStep(_ scheme: Scheme) -> Bool {
    if case .palette(let palette) = scheme { palette.entries == .int8 } else { false }
  }

  private static func joined(
    _ parts: [CompressedTensor.Content], _ blocks: [Int]
  ) -> CompressedTensor.Content {
    let palettes = parts.compactMap { if case .palette(let codes) = $0 { codes } else { nil } }
    guard palettes.count < parts.count else {
      return .palette(
        PaletteCodes(
          bits: palettes[0].bits, indices: palettes.flatMap(\.indices),
          entries: .floats(
            palettes.flatMap { codes -> [Float] in
              if case .floats(let values) = codes.entries { values } else { [] }
            }),
          width: palettes[0].width, blocks: blocks))
    }
    let linear = parts.compactMap { if case .linear(let codes) = $0 { codes } else { nil } }
    guard linear.count == parts.count, let first = linear.first else {
      preconditionFailure("a table is stored in one scheme")
    }
    return .linear(
      LinearCodes(
        first.integers, mode: first.mode, packed: linear.flatMap(\.packed),
        scales: linear.flatMap(\.scales), zeroPoints: linear.flatMap(\.zeroPoints),
        blocks: blocks))
  }
}
