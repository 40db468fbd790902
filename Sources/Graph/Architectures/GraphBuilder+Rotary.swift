import Foundation
import Weights

/// Angles by which rotary position embeddings turn pairs of numbers of a head.
///
/// Source: Su et al. 2021, "RoFormer", arXiv:2104.09864.
struct RotaryTable: Sendable {
  /// Which numbers of a head are a pair.
  enum Pairing: Sendable {
    /// i and i + width / 2, as in Hugging Face transformers.
    case halves
    /// 2i and 2i + 1, as in the paper and in timm.
    case neighbours
  }

  /// [length, 1, width]: the cosine of each number's angle.
  let cosines: Literal
  /// [length, 1, width]: the sine, negated for the first number of each pair.
  let sines: Literal
  let pairing: Pairing
  /// Numbers of a head; even.
  let width: Int

  /// Angles position · base^(−2i / width) for the positions 0..<length.
  ///
  /// Computed as the library does, in float32.
  ///
  /// - Parameter scale: divides the positions; 1 for models without scaling.
  init(length: Int, width: Int, base: Double, scale: Double = 1) {
    let half = width / 2
    let frequencies = (0..<half).map { index in
      Float(1 / (pow(base, Double(2 * index) / Double(width)) * scale))
    }
    self.init(angles: (0..<length).map { position in frequencies.map { Float(position) * $0 } })
  }

  /// Angles of each position for the pairs of a head: [length, width / 2], at least one row.
  init(angles: [[Float]], pairing: Pairing = .halves) {
    func rows(_ pair: (Double) -> (Double, Double)) -> [Float] {
      angles.flatMap { row in
        let pairs = row.map { pair(Double($0)) }
        return pairing == .halves
          ? pairs.map { Float($0.0) } + pairs.map { Float($0.1) }
          : pairs.flatMap { [Float($0.0), Float($0.1)] }
      }
    }
    let cosines = rows { (cos($0), cos($0)) }
    let sines = rows { (-sin($0), sin($0)) }
    self.pairing = pairing
    width = 2 * (angles.first?.count ?? 0)
    self.cosines = .floats(cosines, shape: [angles.count, 1, width])
    self.sines = .floats(sines, shape: [angles.count, 1, width])
  }
}

extension GraphBuilder {
  /// Turns every head by its position: [B, S, heads, W] → the same shape.
  ///
  /// - Parameter heads: before they are put in front of the positions.
  mutating func rotate(
    _ heads: Operand, _ name: String, by table: RotaryTable, shape: [Int]
  ) throws(GraphError) -> Operand {
    let swapped = try swapPairs(heads, name, table.pairing, shape: shape)
    let straight = try append(
      "\(name)_cosine", ElementwiseBinary(.mul, heads, .literal(table.cosines)))
    let turned = try append(
      "\(name)_sine", ElementwiseBinary(.mul, swapped, .literal(table.sines)))
    return try append("\(name)_rotated", ElementwiseBinary(.add, straight, turned))
  }

  // The two numbers of every pair in each other's place: [B, S, heads, W] → the same shape.
  private mutating func swapPairs(
    _ heads: Operand, _ name: String, _ pairing: RotaryTable.Pairing, shape: [Int]
  ) throws(GraphError) -> Operand {
    let axes = shape.dropLast(), half = (shape.last ?? 0) / 2
    guard pairing == .neighbours else {
      let first = try append(
        "\(name)_first_half", SliceByIndex(heads, begin: [0, 0, 0, 0], end: axes + [half]))
      let second = try append(
        "\(name)_second_half", SliceByIndex(heads, begin: [0, 0, 0, half], end: shape))
      return try append("\(name)_halves_swapped", Concat([second, first], axis: 3))
    }
    let pairs = try append("\(name)_pairs", Reshape(heads, shape: axes + [half, 2]))
    let first = try append(
      "\(name)_first_of_pairs",
      SliceByIndex(pairs, begin: [0, 0, 0, 0, 0], end: axes + [half, 1]))
    let second = try append(
      "\(name)_second_of_pairs",
      SliceByIndex(pairs, begin: [0, 0, 0, 0, 1], end: axes + [half, 2]))
    let swapped = try append("\(name)_pairs_swapped", Concat([second, first], axis: 4))
    return try append("\(name)_pairs_flat", Reshape(swapped, shape: shape))
  }

  /// Divides the last axis by the root of its mean square and multiplies by a gain:
  /// x / √(mean(x²) + ε) · gain.
  ///
  /// The sum of squares is the square of the Euclidean length, which programs compute in float32:
  /// float16 would overflow.
  ///
  /// Source: Zhang and Sennrich 2019, arXiv:1910.07467.
  ///
  /// - Parameters:
  ///   - gain: [width]; the name of the weight.
  ///   - offset: added to the gain; 1 for Gemma.
  mutating func rmsNorm(
    _ x: Operand, gain: TensorName, _ name: String, epsilon: Float, offset: Float = 0
  ) throws(GraphError) -> Operand {
    guard let shape = type(of: x)?.shape, let width = shape.last else {
      throw GraphError(value: name, operation: "rms norm", reason: "its input has no axes")
    }
    let length = try append(
      "\(name)_length", Reduce(.l2Norm, x, axis: shape.count - 1, keepsAxis: true))
    let square = try append("\(name)_square", ElementwiseBinary(.mul, length, length))
    let mean = try append(
      "\(name)_mean", ElementwiseBinary(.mul, square, .literal(.float(1 / Float(width)))))
    let held = try append(
      "\(name)_held", ElementwiseBinary(.add, mean, .literal(.float(epsilon))))
    let root = try append("\(name)_root", ElementwiseUnary(.sqrt, held))
    let even = try append("\(name)_even", ElementwiseBinary(.realDivision, x, root))
    var weight = Operand.weight(WeightReference(gain, [width], role: .norm))
    if offset != 0 {
      weight = try append("\(name)_gain", ElementwiseBinary(.add, weight, .literal(.float(offset))))
    }
    // The division ends what float16 could not hold: no number is above √width now.
    return try append(name, ElementwiseBinary(.mul, even, weight), precision: .half)
  }
}
