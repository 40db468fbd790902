/// Sorts many finite floats with little memory beside the values and the result.
///
/// The upper digit of a value's key says which bucket of the result it belongs to; each bucket is then
/// sorted by the two lower digits, through a copy of the bucket. `RadixSort` needs a copy of all.
enum BucketSort {
  /// The least number of values for which avoiding the copy pays.
  static let minCount = 1 << 22

  private static let lowerBits: UInt32 = 21
  private static let buckets = 1 << 11

  /// The values in ascending order; −0 becomes 0.
  static func ascending(_ values: [Float]) -> [Float] {
    var places = [Int](repeating: 0, count: buckets + 1)
    for value in values { places[Int(RadixSort.key(value) >> lowerBits) + 1] += 1 }
    for bucket in 0..<buckets { places[bucket + 1] += places[bucket] }
    return unsafe [Float](unsafeUninitializedCapacity: values.count) { sorted, initialized in
      unsafe sorted.withMemoryRebound(to: UInt32.self) { keys in
        var next = places
        for value in values {
          let key = RadixSort.key(value)
          let bucket = Int(key >> lowerBits)
          unsafe keys[next[bucket]] = key
          next[bucket] += 1
        }
        let largest = (0..<buckets).map { places[$0 + 1] - places[$0] }.max() ?? 0
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: largest) { scratch in
          for bucket in 0..<buckets {
            unsafe sort(
              UnsafeMutableBufferPointer(rebasing: keys[places[bucket]..<places[bucket + 1]]),
              by: scratch)
          }
        }
      }
      unsafe sorted.withMemoryRebound(to: UInt32.self) { keys in
        for i in keys.indices { unsafe keys[i] = RadixSort.value(keys[i]).bitPattern }
      }
      initialized = values.count
    }
  }

  /// Sorts keys that agree in their upper digit.
  private static func sort(
    _ keys: UnsafeMutableBufferPointer<UInt32>, by scratch: UnsafeMutableBufferPointer<UInt32>
  ) {
    guard keys.count > 256 else {
      var keys = unsafe keys
      return unsafe keys.sort()
    }
    let scratch = unsafe UnsafeMutableBufferPointer(rebasing: scratch[..<keys.count])
    unsafe distribute(keys, to: scratch, shift: 0)
    unsafe distribute(scratch, to: keys, shift: 11)
  }

  /// One pass over a digit of eleven bits, or over the bits left below the upper digit.
  private static func distribute(
    _ keys: UnsafeMutableBufferPointer<UInt32>, to other: UnsafeMutableBufferPointer<UInt32>,
    shift: UInt32
  ) {
    let mask = min(UInt32(buckets - 1), 1 << (lowerBits - shift) - 1)
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: buckets + 1) { next in
      unsafe next.initialize(repeating: 0)
      for i in keys.indices { unsafe next[Int(keys[i] >> shift & mask) + 1] += 1 }
      for digit in 0..<buckets { unsafe next[digit + 1] += next[digit] }
      for i in keys.indices {
        let key = unsafe keys[i]
        let digit = Int(key >> shift & mask)
        unsafe other[next[digit]] = key
        unsafe next[digit] += 1
      }
    }
  }
}
