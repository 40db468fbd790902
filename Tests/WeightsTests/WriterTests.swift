import Files
import TestSupport
import Testing

@testable import Weights

@Suite struct WriterTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func bytes(_ path: String) throws -> [UInt8] {
    try MappedFile.contents(of: path, limit: 1 << 20)
  }

  private func write(
    _ tensors: [(name: TensorName, elementType: ElementType, shape: [Int], byteCount: Int)],
    metadata: [String: String] = [:]
  ) throws -> String {
    let path = Folder.join(scratch.path, "x.safetensors")
    var file = try StagedFile(path: path)
    let offsets = try SafetensorsWriter.reserve(tensors, metadata: metadata, in: &file)
    for (index, offset) in offsets.enumerated().reversed() {
      try file.overwrite(
        [UInt8](repeating: UInt8(index), count: tensors[index].byteCount), at: offset)
    }
    try file.commit()
    return path
  }

  @Test func safetensorsBytes() throws {
    let path = try write(
      [("b\"", .f32, [1], 4), ("a", .u8, [2, 1], 2)], metadata: ["y": "2", "x": "\n"])
    let header =
      #"{"__metadata__":{"x":"\n","y":"2"},"#
      + #""a":{"data_offsets":[4,6],"dtype":"U8","shape":[2,1]},"#
      + #""b\"":{"data_offsets":[0,4],"dtype":"F32","shape":[1]}}"#
    let padding = String(repeating: " ", count: (8 - header.utf8.count % 8) % 8)
    #expect(try bytes(path) == SafetensorsBytes.file(header + padding) + [0, 0, 0, 0, 1, 1])
  }

  @Test func readsBack() throws {
    let path = try write([("z", .f16, [2], 4), ("e", .f32, [0, 5], 0), ("\u{E9}", .i8, [], 1)])
    let weights = try WeightCollection.open(path)
    #expect(weights.tensors.map(\.name) == ["e", "z", "\u{E9}"])
    #expect(try weights["\u{E9}"]?.withBytes { Array($0.array(in: 0..<1)) } == [2])
    #expect(weights.metadata.isEmpty)
  }

  @Test func noTensors() throws {
    #expect(try bytes(write([])) == SafetensorsBytes.file("{}      "))
  }

  /// Compared with `numpy.save` itself in the interop tests.
  @Test func npyBytes() throws {
    let path = Folder.join(scratch.path, "x.npy")
    var file = try AtomicFile(path: path)
    try NpyWriter.write([1, 2, 3, 4, 5, 6], rows: 2, columns: 3, to: &file)
    try file.commit()
    let found = try bytes(path)
    #expect(found.count == 128 + 24)
    let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
    #expect(found[10..<128].starts(with: Array(text.utf8)))
    #expect(found[127] == UInt8(ascii: "\n"))
    let weights = try WeightCollection.open(path)
    #expect(weights["x"]?.shape == [2, 3])
    #expect(try weights["x"]?.floats() == [1, 2, 3, 4, 5, 6])
  }

  @Test func npyWithoutRows() {
    #expect(NpyWriter.header(rows: 0, columns: 384).count == 128)
  }
}
