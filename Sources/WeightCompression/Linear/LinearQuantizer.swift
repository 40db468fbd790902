import Files
package import Graph

/// Quantises the values of a tensor to integers with scales: value ≈ scale · (code − zero point).
///
/// The scale is rounded to the float type it is stored in before codes are chosen against it. Of
/// each value the code is the nearest to value / scale + zero point, ties to even, the quotient being
/// a Float. A group of zeros has scale 1, and codes that are the zero point.
package enum LinearQuantizer {
  /// Codes, scales and zero points of finite values, by one scheme; importance counts for the scales of
  /// least squared error only. The result does not depend on `jobs`.
  package static func quantize(
    _ values: [Float], _ reference: WeightReference, _ scheme: LinearScheme, _ floats: FloatType,
    importance: Importance? = nil, jobs: Int = 1
  ) -> LinearCodes {
    let parameters = parameters(
      values, reference, scheme, floats, importance: importance, jobs: jobs)
    return encode(values, reference, scheme, parameters)
  }

  /// Only scales and zero points.
  package static func parameters(
    _ values: [Float], _ reference: WeightReference, _ scheme: LinearScheme, _ floats: FloatType,
    importance: Importance? = nil, jobs: Int = 1
  ) -> LinearParameters {
    let layout = RunLayout(shape: reference.shape, blocks: scheme.blocks(of: reference))
    let extremes = GroupExtremes(values, layout)
    var steps = (0..<layout.groups).map { group in
      LinearStep(reaching: extremes.lows[group], extremes.highs[group], scheme, floats)
    }
    let weights = ElementWeights(importance, of: reference)
    // Over many symmetric groups the difference evens out, and costs as much as all the rest.
    if floats == .float16, scheme.mode == .asymmetric || layout.groups == 1 {
      let start = steps
      steps = inBlocks(layout.groups, jobs: jobs) { group in
        betterOfHalves(
          start[group], extremes.lows[group], extremes.highs[group], scheme
        ) { ScaledGroup(values, weights, layout, group) }
      }
    }
    if scheme.range == .leastSquares {
      let start = steps
      steps = inBlocks(layout.groups, jobs: jobs) { group in
        ClippingSearch.best(
          ScaledGroup(values, weights, layout, group), from: start[group], scheme, floats)
      }
    }
    return LinearParameters(
      scales: steps.map(\.scale),
      zeroPoints: scheme.mode == .asymmetric
        ? steps.map { Int16(truncatingIfNeeded: $0.zeroPoint) } : [])
  }

  /// A step for each of many groups; threads take blocks of them.
  private static func inBlocks(
    _ count: Int, jobs: Int, _ step: @Sendable (Int) -> LinearStep
  ) -> [LinearStep] {
    guard jobs > 1 else { return (0..<count).map(step) }
    let size = max(1, min(64, count / (4 * jobs)))
    let parts = Workers.map((count + size - 1) / size, jobs: jobs) { part in
      (part * size..<min(part * size + size, count)).map(step)
    }
    return Array(parts.joined())
  }

  /// The step, or that of arithmetic in float16 where it differs and errs less.
  private static func betterOfHalves(
    _ step: LinearStep, _ low: Float, _ high: Float, _ scheme: LinearScheme,
    _ group: () -> ScaledGroup
  ) -> LinearStep {
    guard let other = LinearStep(inHalves: low, high, scheme), other != step else {
      return step
    }
    let group = group()
    let error = group.squaredError(step, scheme.codes, .float16)
    return group.squaredError(other, scheme.codes, .float16) < error ? other : step
  }

  /// The nearest codes for given scales and zero points.
  package static func encode(
    _ values: [Float], _ reference: WeightReference, _ scheme: LinearScheme,
    _ parameters: LinearParameters
  ) -> LinearCodes {
    let blocks = scheme.blocks(of: reference)
    let packer = LinearPacker(
      RunLayout(shape: reference.shape, blocks: blocks), scheme, parameters)
    return LinearCodes(
      scheme.integers, mode: scheme.mode, packed: packer.packed(values),
      scales: parameters.scales, zeroPoints: parameters.zeroPoints, blocks: blocks)
  }
}

/// Scales and zero points of a tensor's codes, one for each group.
package struct LinearParameters: Hashable, Sendable {
  /// Of the float type they are stored in, positive and finite.
  package let scales: [Float]
  /// Codes of zero; empty if the mode is symmetric.
  package let zeroPoints: [Int16]

  package init(scales: [Float], zeroPoints: [Int16] = []) {
    self.scales = scales
    self.zeroPoints = zeroPoints
  }
}
