import TestSupport
import Testing

@testable import Weights

/// A deflated member is known by its header until its values are asked for, and then checked as a whole.
struct DeflatedBytesTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private static let count = 1 << 20

  /// Numbers that deflate badly, so that a member is much longer than what is inflated for its header.
  private static let array: [UInt8] = {
    var state: UInt64 = 1
    let values = (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    return NpyBytes.array("|u1", "(\(count),)", data: values)
  }()

  private func tensor(_ change: (inout ZipBytes.Member) -> Void) throws -> Tensor {
    let member = ZipBytes.Member("a.npy", Self.array, deflated: true).with(change)
    let path = try scratch.write("m.npz", ZipBytes([member]).bytes)
    // It opens, whatever comes after the start.
    let weights = try WeightCollection.open(path)
    let tensor = try #require(weights["a"])
    #expect(tensor.shape == [Self.count])
    return tensor
  }

  private func damaged() throws -> Tensor {
    try tensor {
      var stored = ZipBytes.deflated(Self.array)
      stored.replaceSubrange(
        stored.count / 2..<stored.count / 2 + 4096, with: repeatElement(0xFF, count: 4096))
      $0.stored = stored
    }
  }

  private var place: String { "\(scratch.path("m.npz")): member 'a.npy': " }

  /// Every way to its values finds the damage, also one that wants only what comes before it.
  @Test func damageIsFoundBeforeAValueCounts() throws {
    let reads: [(Tensor) throws -> Void] = [
      { _ = try $0.floats() }, { _ = try $0.floats(in: 0..<1) }, { _ = try $0.doubles() },
      { _ = try $0.withBytes { $0.byteCount } }, { try $0.forEachPiece { _ in false } },
    ]
    for read in reads {
      let tensor = try damaged()
      #expect(refusal { try read(tensor) } == place + "its deflate stream is damaged")
      // And once more: a member that was damaged stays so.
      #expect(refusal { try read(tensor) } == place + "its deflate stream is damaged")
    }
  }

  @Test func anotherChecksumIsFound() throws {
    let tensor = try tensor { $0.crc = 1 }
    let found = String(ZipBytes.checksum(Self.array), radix: 16)
    for _ in 0..<2 {
      #expect(
        refusal { _ = try tensor.floats(in: 0..<1) }
          == place + "has CRC-32 \(found), 1 is stated")
    }
  }

  @Test func whatIsSoundIsLentInPart() throws {
    let tensor = try tensor { _ in }
    let values = Self.array.suffix(Self.count).map(Float.init)
    #expect(try tensor.floats(in: 5..<9) == Array(values[5..<9]))
    #expect(try tensor.floats(in: 5..<9) == Array(values[5..<9]))
    #expect(try tensor.floats() == values)
  }

  /// What a header says is compared with the size that the directory states before anything is inflated.
  @Test func aHeaderOfAnotherSizeIsRefusedAtOnce() throws {
    let lie = NpyBytes.array("|u1", "(7,)", data: []) + Self.array
    let member = ZipBytes.Member("a.npy", lie, deflated: true)
    let path = try scratch.write("m.npz", ZipBytes([member]).bytes)
    #expect(
      opening(path) == place + "has \(Self.array.count) bytes of data, U8 [7] needs 7")
  }
}
