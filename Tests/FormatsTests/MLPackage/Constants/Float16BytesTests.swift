import Formats
import Testing

@Suite struct Float16BytesTests {
  private func float16s(_ values: [Float]) -> [UInt16] {
    let bytes = Float16Bytes.bytes(of: values).bytes
    return stride(from: 0, to: bytes.count, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
  }

  @Test func everyHalfReadsBack() {
    let all = (0...UInt16.max).map { Float(Float16(bitPattern: $0)) }
    let found = float16s(all)
    #expect(found.count == 65536)
    for (bits, half) in zip(0...UInt16.max, found) {
      if Float16(bitPattern: bits).isNaN {
        // A signalling NaN comes back quiet.
        #expect(half == bits | 0x0200)
      } else {
        #expect(half == bits)
      }
    }
    #expect(Float16Bytes.bytes(of: all).nonFiniteCount == 2 * 1024)
    let values = Float16Bytes.floats(of: Float16Bytes.bytes(of: all).bytes)
    for (value, expected) in zip(values, all) where !expected.isNaN {
      #expect(value.bitPattern == expected.bitPattern)
    }
  }

  /// The halfway points between neighbours, and the floats next to them.
  @Test func tiesGoToEven() {
    for bits in 0..<UInt16(0x7C00) {
      let low = Float(Float16(bitPattern: bits))
      let high = bits == 0x7BFF ? 65536 : Float(Float16(bitPattern: bits + 1))
      let middle = (low + high) / 2
      let even = bits & 1 == 0 ? bits : bits + 1
      let expected = [bits, even, bits + 1]
      let values = [middle.nextDown, middle, middle.nextUp]
      #expect(float16s(values) == expected)
      #expect(float16s(values.map { -$0 }) == expected.map { $0 | 0x8000 })
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func agreesWithTheProcessor(_ seed: UInt64) {
    var state = seed
    let values = (0..<1_000_000).map { _ -> Float in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(bitPattern: UInt32(truncatingIfNeeded: state >> 32))
    }
    let converted = Float16Bytes.bytes(of: values)
    var nonFinite = 0
    for (value, half) in zip(values, float16s(values)) {
      let expected = Float16(value)
      if !expected.isFinite { nonFinite += 1 }
      let isSame =
        expected.isNaN ? Float16(bitPattern: half).isNaN : half == expected.bitPattern
      if !isSame { Issue.record("seed \(seed): \(value) gives \(half), not \(expected)") }
    }
    #expect(nonFinite > 0)
    #expect(converted.nonFiniteCount == nonFinite)
  }

  @Test func countsWhatHasNoHalf() {
    let values: [Float] = [65504, 65519.996, 65520, -65520, 1e30, .infinity, .nan, 0, 1e-30]
    let converted = Float16Bytes.bytes(of: values)
    #expect(converted.nonFiniteCount == 5)
    #expect(
      float16s(values) == [0x7BFF, 0x7BFF, 0x7C00, 0xFC00, 0x7C00, 0x7C00, 0x7E00, 0, 0])
  }

  @Test func nothing() {
    #expect(Float16Bytes.bytes(of: []).bytes == [])
    #expect(Float16Bytes.bytes(of: []).nonFiniteCount == 0)
    #expect(Float16Bytes.floats(of: []) == [])
  }
}
