import ImageDecoding
import TestSupport
import Testing

@testable import Imaging

/// Levels that are scaled before they are resized.
struct ScaledResamplerTests {
  private func processor(_ size: Int) throws -> ImageProcessor {
    let json = #"{"image_processor_type": "DINOv3ViTImageProcessor", "size": \#(size)}"#
    return try ImageProcessor(huggingFace: Array(json.utf8), origin: "p.json")
  }

  /// torchvision 0.28's own numbers for one row of ten, made three: of more than four taps, the
  /// first ones round each product.
  @Test func sumsInTheOrderOfTorchvision() {
    let source = (0..<10).map { Float($0 * $0 * 3 % 256) * Float(1.0 / 255) }
    var resampler = ScaledResampler(
      columns: ScaledTaps(source: 10, resized: 3), rows: ScaledTaps(source: 1, resized: 1),
      channels: 1)
    resampler.add(source, at: 0)
    #expect(resampler.result.map(\.bitPattern) == [1_026_155_082, 1_048_901_975, 1_059_960_420])
  }

  /// Whole levels are those nearest to the library's numbers.
  @Test func roundsForADevice() throws {
    let file = PNGBytes.ramp(9, 7).bytes
    let processor = try processor(4)
    let exact = try processor.exactPixels(of: file, origin: "a.png")
    #expect(exact.count == 48 && exact.contains { $0 != $0.rounded() })
    #expect(
      try processor.pixels(of: file, origin: "a.png") == exact.map { UInt8($0.rounded()) })
  }

  /// An image that keeps its size keeps its levels.
  @Test func leavesLevelsOfAnImageOfTheSameSize() throws {
    let file = PNGBytes.ramp(4, 4).bytes
    let whole = try ImageProcessor.cropping(4).pixels(of: file, origin: "a.png")
    #expect(try processor(4).pixels(of: file, origin: "a.png") == whole)
  }
}
