import Files
import Glibc
import TestSupport
import Testing

@testable import Weights

/// Values are lent piece by piece, in order and whole, from whatever they are stored in.
struct TensorPiecesTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  /// A little more than two pieces.
  private static let count = 2 * Tensor.pieceCount + 5
  private static let values = (0..<count).map { Float($0 % 1000) / 8 - 17 }

  private static func bytes(of values: [Float]) -> [UInt8] {
    values.flatMap { littleEndian($0.bitPattern) }
  }

  private static let plain = NpyBytes.array("<f4", "(\(count),)", data: bytes(of: values))
  private static let turned = NpyBytes.array(
    ">f4", "(\(count),)", data: values.flatMap { bigEndian($0.bitPattern) })

  private func tensor(_ name: String, _ bytes: [UInt8]) throws -> Tensor {
    let weights = try WeightCollection.open(scratch.write(name, bytes))
    return try #require(weights.tensors.first)
  }

  private func pieces(of tensor: Tensor, stoppingAfter maximum: Int = .max) throws -> [[Float]] {
    var pieces: [[Float]] = []
    try tensor.forEachPiece { piece in
      pieces.append(piece.withUnsafeBufferPointer { Array($0) })
      return pieces.count < maximum
    }
    return pieces
  }

  @Test(arguments: ["plain.npy", "turned.npy", "stored.npz", "deflated.npz"])
  func inOrder(_ name: String) throws {
    let bytes =
      switch name {
      case "plain.npy": Self.plain
      case "turned.npy": Self.turned
      default:
        ZipBytes([ZipBytes.Member("a.npy", Self.plain, deflated: name == "deflated.npz")])
          .bytes
      }
    let tensor = try tensor(name, bytes)
    let pieces = try pieces(of: tensor)
    #expect(pieces.map(\.count) == [Tensor.pieceCount, Tensor.pieceCount, 5])
    #expect(Array(pieces.joined()) == Self.values)
    #expect(try tensor.floats() == Self.values)
    #expect(try self.pieces(of: tensor, stoppingAfter: 1).count == 1)
    let end = Self.count - 3
    #expect(try tensor.floats(in: end..<Self.count) == Array(Self.values[end...]))
  }

  @Test func ofAnotherOrder() throws {
    let bytes = NpyBytes.array(
      "<f4", "(2, 3)", data: Self.bytes(of: [1, 4, 2, 5, 3, 6]), fortran: true)
    #expect(try pieces(of: tensor("a.npy", bytes)) == [[1, 2, 3, 4, 5, 6]])
  }

  @Test func ofNothing() throws {
    let bytes = NpyBytes.array("<f4", "(0, 3)", data: [])
    #expect(try pieces(of: tensor("a.npy", bytes)) == [])
  }

  @Test func ofATypeThatIsNoNumber() throws {
    let bytes = NpyBytes.array("<c8", "(1,)", data: [UInt8](repeating: 0, count: 8))
    let tensor = try tensor("a.npy", bytes)
    #expect(throws: WeightsError.self) { try pieces(of: tensor) }
  }

  /// More than any machine has, of a file that takes no space: an error with both numbers.
  @Test func moreThanThereIs() throws {
    let start = NpyBytes.array("<f4", "(68719476736, 4)", data: [])
    let path = try scratch.write("w.npy", start)
    try #require(truncate(path, start.count + 1 << 40) == 0)
    let tensor = try #require(try WeightCollection.open(path).tensors.first)
    for read in [
      { () throws in _ = try tensor.floats() }, { () throws in try tensor.requireCapacity() },
    ] {
      #expect {
        try read()
      } throws: { error in
        guard case WeightsError.file(.noMemory(path, "tensor 'w'", 1 << 40, _)) = error else {
          return false
        }
        return true
      }
    }
    #expect(try tensor.floats(in: 1 << 30..<1 << 30 + 2) == [0, 0])
  }

  /// A gigabyte of zeros in a file without any, and as much in an archive of one megabyte.
  @Test(arguments: [false, true]) func staysSmall(_ isDeflated: Bool) async throws {
    let start = NpyBytes.array("<f4", "(67108864,)", data: [])
    let path: String
    if isDeflated {
      let content = start + [UInt8](repeating: 0, count: 256 << 20)
      let zip = ZipBytes([ZipBytes.Member("w.npy", content, deflated: true)])
      path = try scratch.write("w.npz", zip.bytes)
    } else {
      path = try scratch.write("w.npy", start)
      try #require(truncate(path, start.count + 256 << 20) == 0)
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let tensor = try #require(try WeightCollection.open(path).tensors.first)
      var count = 0
      try tensor.forEachPiece { piece in
        count += piece.count
        return piece[0] == 0
      }
      try #require(count == 64 << 20)
      let peak = try #require(peakKilobytes())
      try #require(peak < 100_000)
    }
  }
}
