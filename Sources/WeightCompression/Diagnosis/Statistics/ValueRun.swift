/// Statistics of a stretch of a tensor, over its finite values.
struct ValueRun {
  private(set) var minimum = Float.infinity
  private(set) var maximum = -Float.infinity
  private(set) var moments = CentralMoments()
  /// Values that are zero, of either sign.
  private(set) var zeros = 0
  /// Nonzero values that become zero in float16: up to 2⁻²⁵.
  private(set) var vanishing = 0
  /// Other values that become subnormal float16 values: below 2⁻¹⁴.
  private(set) var subnormal = 0

  /// Values looked at together, which fit the first cache.
  static let blockLength = 4096

  init() {}

  /// A stretch measured by these statistics only.
  init(minimum: Float, maximum: Float, moments: CentralMoments) {
    self.minimum = minimum
    self.maximum = maximum
    self.moments = moments
  }

  /// A stretch without NaN and infinities.
  init(_ values: UnsafeBufferPointer<Float>) {
    guard let first = unsafe values.first else { return }
    unsafe addPowers(values, origin: first)
    unsafe addSmallNumbers(values)
  }

  /// Takes another stretch.
  mutating func merge(_ other: ValueRun) {
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
    moments.merge(other.moments)
    zeros += other.zeros
    vanishing += other.vanishing
    subnormal += other.subnormal
  }

  /// Distance of the farthest value from the mean, in standard deviations; nil if all are equal.
  var peak: Double? {
    let deviation = moments.standardDeviation
    guard deviation > 0 else { return nil }
    return max(Double(maximum) - moments.mean, moments.mean - Double(minimum)) / deviation
  }

  // Least, greatest and sums of powers. Float sums are not vectorised unasked, so lanes are explicit.
  private mutating func addPowers(_ values: UnsafeBufferPointer<Float>, origin: Float) {
    let bytes = UnsafeRawBufferPointer(values)
    let shift = Double(origin)
    var low = SIMD4<Float>(repeating: origin)
    var high = low
    var s1 = SIMD4<Double>.zero
    var s2 = s1
    var s3 = s1
    var s4 = s1
    var index = 0
    while index + 4 <= values.count {
      let four = unsafe bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD4<Float>.self)
      low.replace(with: four, where: four .< low)
      high.replace(with: four, where: four .> high)
      let d = SIMD4<Double>(four) - shift
      let square = d * d
      s1 += d
      s2 += square
      s3 += square * d
      s4 += square * square
      index += 4
    }
    var sums = (s1.sum(), s2.sum(), s3.sum(), s4.sum())
    (minimum, maximum) = (low.min(), high.max())
    for i in index..<values.count {
      (minimum, maximum) = unsafe (min(minimum, values[i]), max(maximum, values[i]))
      let d = unsafe Double(values[i]) - shift
      sums = (sums.0 + d, sums.1 + d * d, sums.2 + d * d * d, sums.3 + d * d * d * d)
    }
    moments = CentralMoments(
      count: Double(values.count), origin: shift, sums.0, sums.1, sums.2, sums.3)
  }

  // Counts small values. Without the sign bit, the bits of floats are in the order of magnitudes.
  private mutating func addSmallNumbers(_ values: UnsafeBufferPointer<Float>) {
    let minHalf = Int32(bitPattern: Float16Limits.vanishing.bitPattern)
    let minNormal = Int32(bitPattern: Float16Limits.minNormal.bitPattern)
    let bytes = UnsafeRawBufferPointer(values)
    // Each counts the numbers below its bound, and so those of the ones before it.
    var zero = SIMD4<Int32>.zero
    var vanished = zero
    var small = zero
    var index = 0
    while index + 4 <= values.count {
      let bits = unsafe bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD4<Int32>.self)
      let magnitude = bits & 0x7fff_ffff
      zero.replace(with: zero &+ 1, where: magnitude .== 0)
      vanished.replace(with: vanished &+ 1, where: magnitude .<= minHalf)
      small.replace(with: small &+ 1, where: magnitude .< minNormal)
      index += 4
    }
    var counts = (Int(zero.wrappedSum()), Int(vanished.wrappedSum()), Int(small.wrappedSum()))
    for i in index..<values.count {
      let magnitude = unsafe values[i].magnitude
      counts.0 += magnitude == 0 ? 1 : 0
      counts.1 += magnitude <= Float16Limits.vanishing ? 1 : 0
      counts.2 += magnitude < Float16Limits.minNormal ? 1 : 0
    }
    (zeros, vanishing, subnormal) = (counts.0, counts.1 - counts.0, counts.2 - counts.1)
  }
}

/// The limits of float16, as floats.
enum Float16Limits {
  /// The least magnitude that rounds to infinity; 65504 is the greatest half.
  static let overflow: Float = 65520
  /// The least normal half.
  static let minNormal: Float = 0x1p-14
  /// The greatest magnitude that rounds to zero: half of the least half, ties to even.
  static let vanishing: Float = 0x1p-25
}
