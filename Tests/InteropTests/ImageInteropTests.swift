import Foundation
import ImageDecoding
import Imaging
import TestSupport
import Testing

/// Our pixels against those of transformers' and OpenCLIP's own processors, which use Pillow.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct ImageInteropTests {
  /// How the pixels of one image differ.
  struct Difference {
    var image: String
    var differing = 0
    var largest = 0
    var count = 0
  }

  /// Every kind of file, and images of random kind and size, through every configuration.
  @Test func everyKind() throws {
    let folder = try TemporaryFolder()
    _ = try Oracle.run("images_pillow.py", [folder.path, "--count", "40"])
    let expected = try PixelFile(folder.path("expected.safetensors"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let images = names.filter { $0.hasSuffix(".png") || $0.hasSuffix(".jpg") }
    let configurations = names.filter { $0.hasSuffix(".json") }
    try #require(images.count >= 80 && configurations.count >= 10)

    var exact = 0
    var total = 0
    for configuration in configurations {
      let processor = try processor(folder.path(configuration), configuration)
      for image in images {
        let name = "\(configuration.dropLast(".json".count))/\(image)"
        let ours = try processor.pixels(of: bytes(folder.path(image)), origin: image)
        let theirs = try expected.pixels(name)
        #expect(theirs.shape == [3, processor.height, processor.width], "\(name)")
        let difference = compare(name, ours, theirs.levels)
        #expect(
          difference.largest <= 1 && difference.differing * 1000 <= difference.count,
          "\(difference)")
        total += 1
        exact += difference.differing == 0 ? 1 : 0
        if difference.differing > 0 { print(difference) }
      }
    }
    print("images: \(exact) of \(total) are bit exact")
  }

  private func processor(_ path: String, _ name: String) throws -> ImageProcessor {
    let json = try bytes(path)
    return name.hasPrefix("oc")
      ? try ImageProcessor(openCLIP: json, origin: name)
      : try ImageProcessor(huggingFace: json, origin: name)
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  private func compare(_ name: String, _ ours: [UInt8], _ theirs: ArraySlice<UInt8>) -> Difference {
    var difference = Difference(image: name, count: theirs.count)
    guard ours.count == theirs.count, !ours.isEmpty else {
      difference.largest = 255
      return difference
    }
    for (our, their) in zip(ours, theirs) where our != their {
      difference.differing += 1
      difference.largest = max(difference.largest, abs(Int(our) - Int(their)))
    }
    return difference
  }
}

/// The uint8 tensors of a safetensors file.
private struct PixelFile {
  private let bytes: [UInt8]
  private let head: [String: Any]
  private let start: Int

  init(_ path: String) throws {
    bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    start = 8 + bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    let json = try JSONSerialization.jsonObject(with: Data(bytes[8..<start]))
    head = try #require(json as? [String: Any])
  }

  func pixels(_ name: String) throws -> (shape: [Int], levels: ArraySlice<UInt8>) {
    let entry = try #require(head[name] as? [String: Any], "\(name)")
    let shape = try #require(entry["shape"] as? [Int])
    let offsets = try #require(entry["data_offsets"] as? [Int])
    return (shape, bytes[start + offsets[0]..<start + offsets[1]])
  }
}
