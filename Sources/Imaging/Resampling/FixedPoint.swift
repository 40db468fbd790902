/// Sums of levels times weights, in units of 2^-22.
enum FixedPoint {
  /// The start of a sum, so that cutting it rounds it.
  static let half: Int32 = 1 << Int32(ResamplingTaps.precision - 1)

  /// Adds the first elements of a row, times its weight, to `sums`.
  static func add(_ row: [UInt8], _ weight: Int32, to sums: inout [Int32]) {
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      unsafe row.withUnsafeBufferPointer { row in
        precondition(row.count >= sums.count)
        for index in 0..<sums.count { unsafe sums[index] &+= Int32(row[index]) &* weight }
      }
    }
  }

  static func level(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: max(0, min(255, sum >> Int32(ResamplingTaps.precision))))
  }
}
