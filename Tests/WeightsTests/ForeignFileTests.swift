import Files
import TestSupport
import Testing

@testable import Weights

/// The first bytes of a safetensors file are the length of its header, which may look like anything.
@Suite struct ForeignFileTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  /// A file whose header is so long, padded with spaces.
  private func file(headerOf length: Int) -> [UInt8] {
    let header = Array(#"{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#.utf8)
    return SafetensorsBytes.file(
      header + [UInt8](repeating: 0x20, count: length - header.count), data: 1)
  }

  /// 0x?80 begins as pickles do, 0x4B50 as archives.
  @Test(arguments: [
    0x280, 0x380, 0x480, 0x580, 0x4B50, 0x10280, 0x20380, 0x30480, 0x40580, 0x14B50,
  ])
  func headersOfEveryLengthAreSafetensors(_ length: Int) throws {
    for name in ["x.safetensors", "x", "x.bin", "x.pkl", "x.onnx", "x.ubj"] {
      let weights = try WeightCollection.open(scratch.write(name, file(headerOf: length)))
      #expect(weights.format == "safetensors", "\(name)")
      #expect(weights.tensors.map(\.name) == ["a"])
    }
  }

  @Test func noLengthOfAHeaderIsTakenForAnotherKind() {
    let wrong = (8...70_000).filter { length in
      let start = littleEndian(UInt64(length)) + Array("{".utf8)
      return !SafetensorsHeader.begins(start, fileByteCount: 8 + length)
        || SafetensorsHeader.begins(start, fileByteCount: 7 + length)
    }
    #expect(wrong.isEmpty)
  }

  @Test func aFileThatIsCutOffIsNoPickle() throws {
    let path = try scratch.write("x.safetensors", Array(file(headerOf: 0x280).prefix(100)))
    #expect(
      opening(path)
        == "\(path): the header is said to have 640 bytes, the file has 92 left for it")
  }

  @Test(
    arguments: [
      ("x.bin", [0x80, 0x02, 0x8A, 0x0A, 0x6C, 0xFC, 0x9C, 0x46, 0xF9, 0x20, 0x6A], "a pickle"),
      ("x.pt", [0x80, 0x04, 0x95, 0x7B, 0x7B, 0, 0, 0, 0x7B, 0, 0, 0x2E], "a pickle"),
      ("x", Array("GGUF".utf8) + [3, 0, 0, 0, 0x7B, 0], "a GGUF file"),
      ("x", [0x1C, 0, 0, 0] + Array("TFL3{}".utf8), "a TensorFlow Lite model"),
      ("x", [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A, 0x7B], "an HDF5 file"),
      ("x.onnx", [0x08, 0x07, 0x12, 0x04, 0x70, 0x79, 0x74, 0x68, 0x7B], "an ONNX model"),
      ("x.onnx", Array("hi".utf8), "a file called .onnx that does not begin as an ONNX model does"),
    ] as [(String, [UInt8], String)])
  func otherKindsAreNamed(_ name: String, _ bytes: [UInt8], _ kind: String) throws {
    let path = try scratch.write(name, bytes)
    #expect(opening(path).hasPrefix("\(path): is \(kind)"))
  }
}
