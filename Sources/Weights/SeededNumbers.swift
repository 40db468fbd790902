/// Numbers that are the same in every run (SplitMix64; Steele, Lea and Flood 2014).
package struct SeededNumbers: RandomNumberGenerator {
  private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// The numbers that begin at a place of the sequence of seed 0.
  package init(place: Int) { state = UInt64(place) &* SeededNumbers.step }

  package mutating func next() -> UInt64 {
    state &+= SeededNumbers.step
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number from 0 up to, not including, 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
