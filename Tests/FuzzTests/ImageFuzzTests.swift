import ImageDecoding
import Imaging
import StrictJSON
import TestSupport
import Testing

/// Images, through both ways of preparing them, and the files that say how.
extension FuzzTests {
  private static let images: [[UInt8]] = [
    PNGBytes.ramp(9, 7).bytes,
    interlaced(PNGBytes(4, 2, rows: [0, 1, 0, 2, 0, 3, 4, 0, 5, 6, 7, 8])),
    PNGBytes(3, 2, color: 6, rows: [1] + [UInt8](0..<12) + [4] + [UInt8](0..<12)).bytes,
    PNGBytes(2, 2, depth: 16, rows: [2, 1, 2, 3, 4, 3, 5, 6, 7, 8]).bytes, palette,
    JPEGBytes.level100, JPEGBytes.color, JPEGBytes.progressive, JPEGBytes.inks,
  ]

  private static func interlaced(_ png: PNGBytes) -> [UInt8] {
    var png = png
    png.interlacing = 1
    return png.bytes
  }

  private static var palette: [UInt8] {
    var png = PNGBytes(8, 1, depth: 1, color: 3, rows: [0, 0b1011_0010])
    png.before = [PNGBytes.chunk("PLTE", [1, 2, 3, 250, 251, 252])]
    return png.bytes
  }

  private static let imageOptions = bytes([
    #"{"image_processor_type":"CLIPImageProcessor","do_resize":true,"size":{"shortest_edge":5},"#
      + #""resample":3,"do_center_crop":true,"crop_size":{"height":5,"width":6},"#
      + #""do_convert_rgb":true,"do_rescale":true,"image_mean":[0.5,0.5,0.5]}"#,
    #"{"feature_extractor_type":"CLIPFeatureExtractor","size":7,"crop_size":4,"resample":2}"#,
    #"{"size":[3,4],"do_center_crop":false,"resample":1}"#,
    #"{"model_cfg":{"vision_cfg":{"image_size":6}},"preprocess_cfg":{"mode":"RGB","#
      + #""interpolation":"bilinear","resize_mode":"shortest","fill_color":0}}"#,
    #"{"model_cfg":{"vision_cfg":{"image_size":[4,8]}},"preprocess_cfg":null}"#,
  ])

  @Test func images() throws {
    let processors = [
      try ImageProcessor(huggingFace: FuzzTests.imageOptions[0], origin: "f"),
      try ImageProcessor(openCLIP: FuzzTests.imageOptions[3], origin: "f"),
    ]
    run("images", FuzzTests.images, mend: mendChecksums) { bytes in
      parsing([ImageError.self]) {
        try processors.allSatisfy {
          try $0.pixels(of: bytes, origin: "f").count == 3 * $0.width * $0.height
        }
      }
    }
  }

  @Test func imageOptions() {
    run("image options", FuzzTests.imageOptions) { bytes in
      parsing([PreprocessingError.self]) {
        let isOpenCLIP = bytes.starts(with: Array("{\"m".utf8))
        let processor =
          isOpenCLIP
          ? try ImageProcessor(openCLIP: bytes, origin: "f")
          : try ImageProcessor(huggingFace: bytes, origin: "f")
        let pixels = try? processor.pixels(of: FuzzTests.images[0], origin: "f")
        return pixels?.count == 3 * processor.width * processor.height
      }
    }
  }

  /// Puts right the checksums of a PNG's chunks, as far as their lengths lead to them.
  private func mendChecksums(_ file: [UInt8]) -> [UInt8] {
    var file = file
    var offset = PNGBytes.signature.count
    guard file.starts(with: PNGBytes.signature) else { return file }
    while offset + 12 <= file.count {
      let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - offset - 12 else { break }
      let end = offset + 8 + length
      file.replaceSubrange(
        end..<end + 4, with: bigEndian(ZipBytes.checksum(Array(file[offset + 4..<end]))))
      offset = end + 4
    }
    return file
  }
}
