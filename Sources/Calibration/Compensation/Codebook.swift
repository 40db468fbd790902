import Graph
import WeightCompression
import Weights

/// Maps codes to values, in blocks of rows with parameters of their own.
///
/// A value is coefficient · parameter: a palette's parameters are its entries, the coefficients 1; a
/// linear scheme's are its scales, the coefficients code − zero point. Parameters have the stored float
/// type at all times. Several threads may use different blocks.
protocol Codebook: AnyObject, Sendable {
  /// Parameters of a block.
  var parameterCount: Int { get }

  /// The code whose value is nearest.
  func nearest(_ value: Float, block: Int, column: Int) -> UInt8
  /// The same, sooner where that is the code that the value had.
  func nearest(_ value: Float, last code: UInt8, block: Int, column: Int) -> UInt8
  /// The value of a code as a model computes with it.
  func value(_ code: UInt8, block: Int, column: Int) -> Float

  /// The parameter of a code's value.
  func parameter(_ code: UInt8, column: Int) -> Int
  func coefficient(_ code: UInt8, block: Int, column: Int) -> Float

  func parameters(ofBlock block: Int) -> [Double]
  /// The parameters that can be stored nearest to some.
  func storable(_ parameters: [Double], block: Int) -> [Double]
  /// Adopts parameters that can be stored.
  ///
  /// - Returns: the new code for each old one; nil if they stay.
  func replace(_ parameters: [Double], block: Int) -> [UInt8]?
}

extension Codebook {
  @inline(__always)
  func nearest(_ value: Float, last code: UInt8, block: Int, column: Int) -> UInt8 {
    nearest(value, block: block, column: column)
  }
}

/// First parameters: the ones plain compression finds for the target matrix.
struct InitialCodes {
  let problem: LayerProblem
  /// Whether inputs are weighted by the diagonal of H.
  let isWeighted: Bool
  /// Consecutive rows with the same parameters.
  let rowsPerBlock: Int
  let floats: FloatType
  let jobs: Int

  private var blocks: Int { problem.outputs / rowsPerBlock }

  /// The target matrix, as a tensor.
  private var reference: WeightReference {
    WeightReference("target", [problem.outputs, problem.inputs], role: .matrix(outputAxis: 0))
  }

  /// The best palettes for the squared error; integers have one step for all of them.
  func palettes(_ scheme: PaletteScheme) -> PaletteCodebook {
    let bits = scheme.bits
    let importance = Importance(
      inputs: (0..<problem.inputs).map { problem.meanSquare($0) })
    let codes = Palettizer.palettize(
      problem.target.values, reference,
      PaletteScheme(bits: bits, granularity: .perGroup(size: rowsPerBlock)), floats,
      importance: isWeighted ? importance : nil, jobs: jobs)
    let codebook = PaletteCodebook(blocks: blocks, bits: bits, floats: floats)
    let entries = codes.floats(floats)
    for block in 0..<blocks {
      let table = entries[block << bits..<(block + 1) << bits]
      _ = codebook.replace(codebook.storable(table.map { Double($0) }, block: block), block: block)
    }
    if scheme.entries == .int8 { codebook.storeAsIntegers() }
    return codebook
  }

  /// Scales by the scheme's own rule: from the largest values, or the ones of least squared error.
  func scales(_ scheme: LinearScheme, columnsPerGroup: Int) -> LinearCodebook {
    let groups = problem.inputs / columnsPerGroup
    // The same scheme for a matrix of two axes.
    let flat = LinearScheme(
      scheme.integers, mode: scheme.mode,
      granularity: rowsPerBlock == 1 ? .perBlock(size: columnsPerGroup) : .perTensor,
      range: scheme.range)
    let (target, importance) = inOrder()
    let parameters = LinearQuantizer.parameters(
      target, reference, flat, floats, importance: isWeighted ? importance : nil, jobs: jobs)
    let codebook = LinearCodebook(
      blocks: blocks, groups: problem.order.map { Int32($0 / columnsPerGroup) }, count: groups,
      range: scheme.codes, floats: floats)
    for (place, scale) in parameters.scales.enumerated() {
      let zeroPoint = scheme.fixedZeroPoint ?? Int(parameters.zeroPoints[place])
      codebook.set(scale: scale, zeroPoint: zeroPoint, block: place / groups, group: place % groups)
    }
    return codebook
  }

  /// The target matrix with its columns in their own order, and their importance.
  private func inOrder() -> (target: [Float], importance: Importance) {
    var target = [Float](repeating: 0, count: problem.target.count)
    var weights = [Float](repeating: 0, count: problem.inputs)
    for (place, column) in problem.order.enumerated() {
      weights[column] = problem.meanSquare(place)
      for row in 0..<problem.outputs {
        target[row * problem.inputs + column] = problem.target[row, place]
      }
    }
    return (target, Importance(inputs: weights))
  }
}

/// Scales that can be stored.
enum Steps {
  /// A scale of the stored type near another one: positive, and so small that `reach` of it are
  /// finite.
  static func storable(_ scale: Float, reach: Int, _ floats: FloatType) -> Float {
    guard scale > 0 else { return 1 }
    let minimum: Float = floats == .float16 ? 0x1p-24 : .leastNormalMagnitude
    var stored = max(minimum, floats.rounded(min(scale, floats.greatest)))
    while !floats.rounded(stored * Float(reach)).isFinite {
      stored = floats.rounded(stored * (1 - 0x1p-10))
    }
    return stored
  }

  /// To the nearest integer, ties to even; for magnitudes below 2^22.
  @inline(__always)
  static func rounded(_ value: Float) -> Float { (value + 0x1.8p23) - 0x1.8p23 }
}
