import StrictJSON
import TestSupport
import Testing

@testable import Imaging

/// The classes of transformers that prepare images.
struct ProcessorKindTests {
  private func processor(_ json: String) throws -> ImageProcessor {
    try ImageProcessor(huggingFace: Array(json.utf8), origin: "p.json")
  }

  @Test(
    arguments: [
      ("BitImageProcessor", .shortestEdge(224), .bicubic),
      ("BitImageProcessorFast", .shortestEdge(224), .bicubic),
      ("ViTImageProcessor", .exactly(width: 224, height: 224), .bilinear),
      ("ViTFeatureExtractor", .exactly(width: 224, height: 224), .bilinear),
      ("SiglipImageProcessor", .exactly(width: 224, height: 224), .bicubic),
      ("DINOv3ViTImageProcessorFast", .exactly(width: 224, height: 224), .bilinear),
    ] as [(String, ImageGeometry.Resizing, ResamplingFilter)])
  func takesTheClassesOwnValues(
    name: String, resizing: ImageGeometry.Resizing, filter: ResamplingFilter
  ) throws {
    let found = try processor(#"{"image_processor_type": "\#(name)"}"#)
    #expect(found.geometry.resizing == resizing && found.filter == filter)
    #expect([found.width, found.height] == [224, 224])
  }

  /// One number is both sides for ViT, and the shorter one for SigLIP, which does not crop.
  @Test func oneNumberMeansWhatTheClassSays() throws {
    let vit = try processor(#"{"image_processor_type": "ViTImageProcessor", "size": 32}"#)
    #expect(vit.geometry.resizing == .exactly(width: 32, height: 32))
    let error = #expect(throws: PreprocessingError.self) {
      _ = try processor(#"{"image_processor_type": "SiglipImageProcessor", "size": 32}"#)
    }
    #expect(
      error?.description
        == "p.json:1:58: 'size' does not give 'height' and 'width', images would come out in "
        + "different sizes")
  }

  /// What fast processors write of the steps that their class never takes.
  @Test func stepsThatAClassNeverTakesMayBeNull() throws {
    let found = try processor(
      """
      {"image_processor_type": "DINOv3ViTImageProcessorFast", "crop_size": null,
       "do_center_crop": null, "do_convert_rgb": null, "default_to_square": true,
       "size": {"height": 8, "width": 6}}
      """)
    #expect([found.width, found.height] == [6, 8])
  }

  /// The class scales levels first: what depends on that is refused where Ingot does not know it.
  @Test(arguments: [
    (#""resample": 3"#, #"1:65: resample '3' is not supported; known: 2 (bilinear)"#),
    (#""do_rescale": false"#, "1:67: 'do_rescale' is false, only true is supported"),
    (
      #""rescale_factor": 1e38"#,
      "1:71: 'rescale_factor' is 1e+38, expected a number above 0 and at most 1"
    ),
    (
      #""rescale_factor": 0"#,
      "1:71: 'rescale_factor' is 0.0, expected a number above 0 and at most 1"
    ),
    (#""size": 1"#, "1:61: 'size' has width 1, which torchvision does not resize to"),
  ])
  func refusesOtherStepsOfAClassThatScalesFirst(setting: String, message: String) {
    let error = #expect(throws: PreprocessingError.self) {
      _ = try processor(#"{"image_processor_type": "DINOv3ViTImageProcessor", \#(setting)}"#)
    }
    #expect(error?.description == "p.json:\(message)")
  }

  /// The library takes another filter for 3.0, and no size for 32.0.
  @Test(arguments: [#""resample": 3.0"#, #""size": {"height": 32.0, "width": 32}"#])
  func refusesIntegersThatAreWrittenAsFloats(setting: String) {
    let error = #expect(throws: PreprocessingError.self) {
      _ = try processor(#"{"image_processor_type": "SiglipImageProcessor", \#(setting)}"#)
    }
    #expect(error?.description.contains("expected an integer") == true)
  }

  @Test func refusesACropThatTheClassDoesNotMake() throws {
    let error = #expect(throws: PreprocessingError.self) {
      _ = try processor(#"{"image_processor_type": "ViTImageProcessor", "do_center_crop": true}"#)
    }
    #expect(
      error?.description
        == "p.json:1:65: step 'do_center_crop' is not supported; known: do_resize, do_rescale, "
        + "do_normalize, do_convert_rgb")
  }

  @Test func tellsTwoClassesApart() throws {
    func settings(_ name: String) throws -> ImageSettings {
      let json = Array(#"{"image_processor_type": "\#(name)"}"#.utf8)
      return ImageSettings(try JSONParser.parseObject(json, origin: "p.json"))
    }
    let bit = try settings("BitImageProcessor"), vit = try settings("ViTImageProcessor")
    let found = ImageSettings.difference(bit, vit)
    #expect(found?.key == "image_processor_type")
    #expect(found?.left == "'BitImageProcessor'" && found?.right == "'ViTImageProcessor'")
    #expect(ImageSettings.difference(bit, bit) == nil)
  }
}
