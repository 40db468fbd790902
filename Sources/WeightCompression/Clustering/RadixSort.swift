/// Sorts finite floats by three passes over the digits of their bit patterns.
enum RadixSort {
  private static let digitBits = 11
  private static let digits = 1 << digitBits

  /// The values in ascending order; −0 becomes 0.
  static func ascending(_ values: [Float]) -> [Float] {
    let count = values.count
    var keys = unsafe [UInt32](unsafeUninitializedCapacity: count) { keys, initialized in
      unsafe values.withUnsafeBufferPointer { values in
        for i in 0..<count { unsafe keys[i] = key(values[i]) }
      }
      initialized = count
    }
    var counts = histogram(keys)
    var other = [UInt32](repeating: 0, count: count)
    for pass in 0..<3 where spread(&counts, pass: pass, of: count) {
      unsafe keys.withUnsafeBufferPointer { keys in
        unsafe other.withUnsafeMutableBufferPointer { other in
          unsafe counts.withUnsafeMutableBufferPointer {
            unsafe move(keys, to: other, pass: pass, $0)
          }
        }
      }
      swap(&keys, &other)
    }
    other = []
    return unsafe [Float](unsafeUninitializedCapacity: count) { sorted, initialized in
      unsafe keys.withUnsafeBufferPointer { keys in
        for i in 0..<count { unsafe sorted[i] = value(keys[i]) }
      }
      initialized = count
    }
  }

  /// The values that have a weight in ascending order, and their weights; −0 becomes 0.
  static func ascending(
    _ values: [Float], _ weights: [Float]
  ) -> (values: [Float], weights: [Float]) {
    // Value and weight travel together, the value's bits above.
    var pairs: [UInt64] = []
    pairs.reserveCapacity(values.count)
    for (value, weight) in zip(values, weights) where weight > 0 {
      pairs.append(UInt64(key(value)) << 32 | UInt64(weight.bitPattern))
    }
    var counts = histogram(pairs.lazy.map { UInt32(truncatingIfNeeded: $0 >> 32) })
    var other = [UInt64](repeating: 0, count: pairs.count)
    for pass in 0..<3 where spread(&counts, pass: pass, of: pairs.count) {
      unsafe pairs.withUnsafeBufferPointer { pairs in
        unsafe other.withUnsafeMutableBufferPointer { other in
          unsafe counts.withUnsafeMutableBufferPointer { places in
            let shift = UInt64(32 + pass * digitBits)
            for i in pairs.indices {
              let pair = unsafe pairs[i]
              let digit = pass * digits + Int(truncatingIfNeeded: pair >> shift & 0x7ff)
              unsafe other[places[digit]] = pair
              unsafe places[digit] += 1
            }
          }
        }
      }
      swap(&pairs, &other)
    }
    other = []
    return (
      pairs.map { value(UInt32(truncatingIfNeeded: $0 >> 32)) },
      pairs.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
    )
  }

  /// Bits whose unsigned order is the order of the values.
  static func key(_ value: Float) -> UInt32 {
    let bits = (value + 0).bitPattern  // −0 + 0 is 0
    return bits ^ (UInt32(bitPattern: Int32(bitPattern: bits) >> 31) | 0x8000_0000)
  }

  static func value(_ key: UInt32) -> Float {
    let mask = ~UInt32(bitPattern: Int32(bitPattern: key) >> 31) | 0x8000_0000
    return Float(bitPattern: key ^ mask)
  }

  /// The counts of each digit, pass after pass.
  private static func histogram(_ keys: some Sequence<UInt32>) -> [Int] {
    var counts = [Int](repeating: 0, count: 3 * digits)
    unsafe counts.withUnsafeMutableBufferPointer { counts in
      for key in keys {
        unsafe counts[Int(key & 0x7ff)] += 1
        unsafe counts[digits + Int(key >> 11 & 0x7ff)] += 1
        unsafe counts[2 * digits + Int(key >> 22)] += 1
      }
    }
    return counts
  }

  /// Turns counts of one pass into first places; false when all keys have the same digit.
  private static func spread(_ counts: inout [Int], pass: Int, of count: Int) -> Bool {
    var place = 0
    for i in pass * digits..<(pass + 1) * digits {
      let next = place + counts[i]
      if counts[i] == count { return false }
      counts[i] = place
      place = next
    }
    return true
  }

  private static func move(
    _ keys: UnsafeBufferPointer<UInt32>, to other: UnsafeMutableBufferPointer<UInt32>, pass: Int,
    _ places: UnsafeMutableBufferPointer<Int>
  ) {
    let shift = UInt32(pass * digitBits)
    let base = pass * digits
    for i in keys.indices {
      let key = unsafe keys[i]
      let place = base + Int(key >> shift & 0x7ff)
      unsafe other[places[place]] = key
      unsafe places[place] += 1
    }
  }
}
