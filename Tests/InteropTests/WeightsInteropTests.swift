import Files
import Foundation
import TestSupport
import Testing
import Weights

/// Weight files written by numpy, safetensors and PyTorch hold for Ingot what they hold for them.
@Suite(
  .enabled(if: Oracle.isAvailable, "INGOT_ORACLE_PYTHON names no Python environment"),
  .serialized)
struct WeightsInteropTests {
  /// A line of an `.expected` file, about one tensor.
  private struct Expected<Bits: FixedWidthInteger> {
    let name: String
    let shape: [Int]
    /// Row-major, as bits of Float or Double.
    let bits: [Bits]

    init(_ line: Substring) throws {
      let words = line.split(separator: " ")
      name = String(words[0])
      shape = words[1] == "-" ? [] : words[1].split(separator: "x").compactMap { Int($0) }
      bits = words[2...].compactMap { Bits($0, radix: 16) }
      try #require(bits.count == words.count - 2)
    }
  }

  @Test func filesByPythonLibraries() throws {
    let folder = try TemporaryFolder()
    _ = try Oracle.run("make_weight_files.py", [folder.path])
    let names = try Folder.names(in: folder.path).filter { $0.hasSuffix(".expected") }
    // 24 arrays of npy in two orders, four more, two npz, three of safetensors.
    #expect(names.count == 57)
    for name in names { try compare(folder.path(String(name.dropLast(9)))) }
  }

  private func compare(_ path: String) throws {
    try compare(path, "expected") { try $0.floats().map(\.bitPattern) }
    // All digits of float64 and of whole numbers up to 2^53, in either order of axes and of bytes.
    try compare(path, "expected64") { try $0.doubles().map(\.bitPattern) }
  }

  private func compare<Bits: FixedWidthInteger>(
    _ path: String, _ ending: String, _ values: (Tensor) throws -> [Bits]
  ) throws {
    let lines = String(
      decoding: try MappedFile.contents(of: "\(path).\(ending)", limit: 1 << 24), as: UTF8.self
    ).split(separator: "\n")
    let weights = try WeightCollection.open(path)
    #expect(weights.tensors.count == lines.count, "\(path)")
    for (tensor, line) in zip(weights.tensors, lines) {
      let expected = try Expected<Bits>(line)
      #expect(tensor.name.text == expected.name, "\(path)")
      #expect(tensor.shape == expected.shape, "\(path): \(tensor.name)")
      #expect(try values(tensor) == expected.bits, "\(path): \(ending) of \(tensor.name)")
    }
  }

  @Test func headersOfNumpySave() throws {
    let folder = try TemporaryFolder()
    _ = try Oracle.run("make_weight_files.py", [folder.path])
    for (rows, columns) in [(0, 384), (1, 1), (2, 3), (1000, 384), (99999, 1024)] {
      let expected = try MappedFile.contents(
        of: folder.path("header-\(rows)x\(columns).bytes"), limit: 1 << 16)
      #expect(NpyWriter.header(rows: rows, columns: columns) == expected)
    }
  }

  /// The safetensors package reads Ingot's file and writes it again to the same content.
  @Test func safetensorsReadsOurs() throws {
    let folder = try TemporaryFolder()
    var file = try StagedFile(path: folder.path("ours.safetensors"))
    let offsets = try SafetensorsWriter.reserve(
      [("b", .f32, [2, 1], 8), ("a\n\u{E9}", .u8, [3], 3), ("e", .f16, [0], 0)],
      metadata: ["x": "\u{1F600}\"", "a": ""], in: &file)
    try file.overwrite([0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0], at: offsets[0])
    try file.overwrite([1, 2, 255], at: offsets[1])
    try file.commit()
    let said = try Oracle.run("read_safetensors.py", [folder.path("ours.safetensors")])
    #expect(
      said == """
        {"a": "", "x": "\\ud83d\\ude00\\""}
        ["a\\n\\u00e9", "uint8", [3], [1, 2, 255]]
        ["b", "float32", [2, 1], [[1.0], [-2.0]]]
        ["e", "float16", [0], []]

        """)
  }
}
