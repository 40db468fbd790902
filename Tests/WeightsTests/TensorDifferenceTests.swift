import TestSupport
import Testing

@testable import Weights

/// The first byte in which two tensors differ, however they are stored.
struct TensorDifferenceTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  /// A little more than two pieces of the comparison.
  private static let count = (2 << 20) + 5

  private func tensor(_ name: String, _ bytes: [UInt8]) throws -> Tensor {
    let array = NpyBytes.array("|u1", "(\(bytes.count),)", data: bytes)
    let weights = try WeightCollection.open(scratch.write(name, array))
    return try #require(weights.tensors.first)
  }

  @Test(arguments: [0, 1 << 20, (1 << 20) + 1, count - 1])
  func findsTheFirstByte(_ place: Int) throws {
    let bytes = (0..<Self.count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var others = bytes
    for index in place..<min(place + 3, Self.count) { others[index] ^= 1 }
    let (left, right) = (try tensor("a.npy", bytes), try tensor("b.npy", others))
    #expect(try left.firstDifference(from: right) == place)
    #expect(try left.firstDifference(from: left) == nil)
  }

  @Test func anEndIsADifference() throws {
    let bytes = [UInt8](repeating: 7, count: Self.count)
    let (left, right) = (
      try tensor("a.npy", bytes), try tensor("b.npy", Array(bytes.dropLast()))
    )
    #expect(try left.firstDifference(from: right) == Self.count - 1)
    #expect(try right.firstDifference(from: left) == Self.count - 1)
  }
}
