/// The step size of least squared error, exactly: tries every size at which the nearest level of a
/// value changes.
///
/// When steps shrink from infinity, the number of steps of a magnitude a goes from k to k + 1 at
/// a / (k + ½). Between two such places the numbers q are fixed, and the best size is Σhaq / Σhq²,
/// with the squared error Σha² − (Σhaq)² / Σhq². The least over all places is the overall least,
/// whether or not the best size lies between its own two places. Once the largest magnitude alone,
/// cut off at the highest level, errs by more than that, no smaller size can do better.
struct LevelSweep {
  /// Magnitudes of a sign in descending order, then a zero; the other sign's likewise.
  private var magnitudes: [Float] = []
  /// Of each magnitude; empty if all weigh the same.
  private var weights: [Float] = []
  /// Of each level of a sign: the first magnitude that has not passed it, and where it will.
  private var places: [Int] = []
  private var heads: [Float] = []
  /// Of each level k: 1 / (k + ½), and by how much a square grows from k to k + 1.
  private var factors: [Float] = []
  private var growths: [Double] = []
  /// Squares of all values, weighted.
  private var total = 0.0
  private var tops: [Top] = []

  /// The largest magnitude of a sign.
  private struct Top {
    let magnitude: Double
    let weight: Double
    let levels: Double

    /// Its least squared error with steps of a size or smaller ones.
    func error(_ size: Double) -> Double {
      let rest = max(magnitude - levels * size, 0)
      return weight * rest * rest
    }
  }

  /// The best step size, with at most `down` steps below zero and `up` above it; 0 if no size is
  /// better than no steps.
  static func bestStep(_ group: ScaledGroup, down: Int, up: Int) -> Double {
    var sweep = LevelSweep()
    if down == up {
      sweep.add(group, levels: up) { $0.magnitude }
    } else {
      sweep.add(group, levels: up) { $0 }
      sweep.add(group, levels: down) { -$0 }
    }
    return sweep.run()
  }

  /// Adds the values that `magnitude` makes positive.
  private mutating func add(
    _ group: ScaledGroup, levels: Int, _ magnitude: (Float) -> Float
  ) {
    var keys: [UInt64] = []
    keys.reserveCapacity(group.count)
    for i in 0..<group.count {
      let value = magnitude(group.values[i])
      // Ascending keys are descending magnitudes.
      if value > 0 { keys.append(UInt64(~value.bitPattern) << 32 | UInt64(i)) }
    }
    keys.sort()
    let start = magnitudes.count
    for key in keys {
      magnitudes.append(Float(bitPattern: ~UInt32(truncatingIfNeeded: key >> 32)))
      if let all = group.weights { weights.append(all[Int(key & 0xffff_ffff)]) }
    }
    let hasWeights = group.weights != nil
    if start < magnitudes.count {
      tops.append(
        Top(
          magnitude: Double(magnitudes[start]),
          weight: hasWeights ? Double(weights[start]) : 1, levels: Double(levels)))
    }
    for i in start..<magnitudes.count {
      let square = Double(magnitudes[i]) * Double(magnitudes[i])
      total += hasWeights ? square * Double(weights[i]) : square
    }
    magnitudes.append(0)
    if group.weights != nil { weights.append(0) }
    for level in 0..<levels {
      places.append(start)
      factors.append(1 / (Float(level) + 0.5))
      growths.append(Double(2 * level + 1))
      heads.append(magnitudes[start] * factors[factors.count - 1])
    }
  }

  /// Merges the places at which levels change, the largest size first.
  private mutating func run() -> Double {
    var projection = 0.0
    var squares = 0.0
    var best = (gain: 0.0, step: 0.0)
    let hasWeights = !weights.isEmpty
    let (total, tops) = (total, tops)
    unsafe magnitudes.withUnsafeBufferPointer { magnitudes in
      unsafe weights.withUnsafeBufferPointer { weights in
        unsafe places.withUnsafeMutableBufferPointer { places in
          unsafe heads.withUnsafeMutableBufferPointer { heads in
            while let next = unsafe Self.largest(heads) {
              let size = unsafe Double(heads[next])
              if tops.contains(where: { $0.error(size) > total - best.gain }) { break }
              let place = unsafe places[next]
              let weight = unsafe hasWeights ? Double(weights[place]) : 1
              unsafe projection += weight * Double(magnitudes[place])
              squares += weight * growths[next]
              // Gains are compared without dividing: squares are not negative.
              if projection * projection > best.gain * squares {
                best = (projection * projection / squares, projection / squares)
              }
              unsafe places[next] = place + 1
              unsafe heads[next] = magnitudes[place + 1] * factors[next]
            }
          }
        }
      }
    }
    return best.step
  }

  /// The index of the largest head; nil if all are zero.
  @inline(__always)
  private static func largest(_ heads: UnsafeMutableBufferPointer<Float>) -> Int? {
    var index = 0
    var largest: Float = 0
    for i in heads.indices {
      index = unsafe heads[i] > largest ? i : index
      largest = unsafe heads[i] > largest ? heads[i] : largest
    }
    return largest > 0 ? index : nil
  }
}
