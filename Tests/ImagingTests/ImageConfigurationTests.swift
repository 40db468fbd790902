import StrictJSON
import TestSupport
import Testing

@testable import Imaging

/// Settings that the files of models ask for.
struct ImageConfigurationTests {
  struct Accepted: CustomTestStringConvertible, Sendable {
    let json: String
    let resizing: ImageGeometry.Resizing
    let size: [Int]
    let filter: ResamplingFilter
    init(
      _ json: String, _ resizing: ImageGeometry.Resizing, _ size: [Int],
      _ filter: ResamplingFilter = .bicubic
    ) { (self.json, self.resizing, self.size, self.filter) = (json, resizing, size, filter) }
    var testDescription: String { json }
  }

  @Test(arguments: [
    Accepted("{}", .shortestEdge(224), [224, 224]),
    Accepted(
      #"{"feature_extractor_type": "CLIPFeatureExtractor", "size": 336, "crop_size": 336}"#,
      .shortestEdge(336), [336, 336]),
    Accepted(
      #"{"image_processor_type": "CLIPImageProcessorFast", "size": {"shortest_edge": 30}, "#
        + #""crop_size": {"height": 20, "width": 10}, "resample": 1, "do_pad": false, "#
        + #""do_convert_rgb": true, "image_mean": [0.5, 0.5, 0.5], "rescale_factor": 0.1}"#,
      .shortestEdge(30), [10, 20], .lanczos),
    Accepted(
      #"{"size": {"height": 4, "width": 6}, "do_center_crop": false, "resample": 2}"#,
      .exactly(width: 6, height: 4), [6, 4], .bilinear),
    Accepted(#"{"size": [4, 6], "crop_size": [3, 2]}"#, .exactly(width: 6, height: 4), [2, 3]),
    Accepted(#"{"do_resize": false, "size": null, "crop_size": 8}"#, .none, [8, 8]),
  ])
  func huggingFace(_ each: Accepted) throws {
    let processor = try ImageProcessor(huggingFace: Array(each.json.utf8), origin: "p.json")
    #expect(processor.geometry.resizing == each.resizing)
    #expect(processor.geometry.centering == .before)
    #expect([processor.width, processor.height] == each.size)
    #expect(processor.filter == each.filter && processor.convertsFirst)
  }

  @Test(arguments: [
    Accepted(#"{"model_cfg": {"vision_cfg": {}}}"#, .shortestEdge(224), [224, 224]),
    Accepted(
      #"{"model_cfg": {"vision_cfg": {"image_size": 64}}, "preprocess_cfg": {"size": 32, "#
        + #""mode": "RGB", "interpolation": "bilinear", "resize_mode": "shortest", "#
        + #""fill_color": 0, "mean": [0, 0, 0]}}"#, .shortestEdge(64), [64, 64], .bilinear),
    Accepted(
      #"{"model_cfg": {"vision_cfg": {"image_size": [48, 80]}}, "#
        + #""preprocess_cfg": {"interpolation": "bilinear"}}"#,
      .covering(width: 80, height: 48), [80, 48], .bicubic),
    Accepted(
      #"{"model_cfg": {"vision_cfg": {"image_size": [48, 80]}}, "preprocess_cfg": "#
        + #"{"interpolation": "random", "resize_mode": "squash"}}"#,
      .exactly(width: 80, height: 48), [80, 48], .bicubic),
  ])
  func openCLIP(_ each: Accepted) throws {
    let processor = try ImageProcessor(openCLIP: Array(each.json.utf8), origin: "o.json")
    #expect(processor.geometry.resizing == each.resizing)
    #expect(processor.geometry.centering == .even)
    #expect([processor.width, processor.height] == each.size)
    #expect(processor.filter == each.filter && !processor.convertsFirst)
  }

  struct Refused: CustomTestStringConvertible, Sendable {
    let json: String
    let message: String
    init(_ json: String, _ message: String) { (self.json, self.message) = (json, message) }
    var testDescription: String { json }
  }

  @Test(arguments: [
    Refused(
      #"{"resample": 0}"#,
      "1:14: resample '0' is not supported; known: 1 (Lanczos), 2 (bilinear), 3 (bicubic)"),
    Refused(
      #"{"image_processor_type": "Siglip2ImageProcessor"}"#,
      "1:26: image_processor_type 'Siglip2ImageProcessor' is not supported; known: "
        + "CLIPImageProcessor, CLIPImageProcessorFast, CLIPFeatureExtractor, BitImageProcessor, "
        + "BitImageProcessorFast, ViTImageProcessor, ViTImageProcessorFast, ViTFeatureExtractor, "
        + "SiglipImageProcessor, SiglipImageProcessorFast, DINOv3ViTImageProcessor, "
        + "DINOv3ViTImageProcessorFast"),
    Refused(
      #"{"do_pad": true}"#,
      "1:12: step 'do_pad' is not supported; known: do_resize, do_center_crop, do_rescale, "
        + "do_normalize, do_convert_rgb"),
    Refused(
      #"{"do_convert_rgb": false}"#, "1:20: 'do_convert_rgb' is false, only true is supported"),
    Refused(
      #"{"use_square_size": true}"#, "1:21: 'use_square_size' is true, only false is supported"),
    Refused(
      #"{"do_center_crop": false}"#,
      "1:20: 'do_center_crop' is false and 'size' does not give 'height' and 'width', images would "
        + "come out in different sizes"),
    Refused(
      #"{"size": {"longest_edge": 3}}"#,
      "1:27: unknown key 'longest_edge'; known here: height, width"),
    Refused(
      #"{"size": {"shortest_edge": 3, "longest_edge": 9}}"#,
      "1:47: unknown key 'longest_edge'; known here: shortest_edge"),
    Refused(#"{"size": 0}"#, "1:10: 'size' is the number 0, expected 1...4096"),
    Refused(#"{"crop_size": 4097}"#, "1:15: 'crop_size' is the number 4097, expected 1...4096"),
    Refused(
      #"{"crop_size": [1, 2, 3]}"#,
      "1:15: 'crop_size' is an array of 3, expected one or two numbers in 1...4096"),
    Refused(
      #"{"size": {"height": 9}, "do_center_crop": false}"#, "1:10: the key 'width' is missing"),
    Refused("[]", "1:1: is an array of 0, expected an object"),
  ])
  func huggingFaceRefuses(_ each: Refused) {
    #expect(
      message { () throws(PreprocessingError) in
        try ImageProcessor(huggingFace: Array(each.json.utf8), origin: "p.json")
      } == "p.json:\(each.message)")
  }

  @Test(arguments: [
    Refused("{}", "1:1: the key 'model_cfg' is missing"),
    Refused(
      #"{"model_cfg": {"vision_cfg": {"image_size": "7"}}}"#,
      "1:45: 'image_size' is the string \"7\", expected one or two integers"),
    Refused(
      #"{"model_cfg": {"vision_cfg": {"image_size": [7, 0]}}}"#,
      "1:45: 'image_size' is an array of 2, expected one or two numbers in 1...4096"),
    Refused(
      #"{"model_cfg": {"vision_cfg": {}}, "preprocess_cfg": {"resize_mode": "longest"}}"#,
      "1:69: resize_mode 'longest' is not supported; known: shortest, squash"),
    Refused(
      #"{"model_cfg": {"vision_cfg": {}}, "preprocess_cfg": {"mode": "L"}}"#,
      "1:62: mode 'L' is not supported; known: RGB"),
    Refused(
      #"{"model_cfg": {"vision_cfg": {}}, "preprocess_cfg": {"interpolation": "nearest"}}"#,
      "1:71: interpolation 'nearest' is not supported; known: bicubic, bilinear, random"),
  ])
  func openCLIPRefuses(_ each: Refused) {
    #expect(
      message { () throws(PreprocessingError) in
        try ImageProcessor(openCLIP: Array(each.json.utf8), origin: "o.json")
      } == "o.json:\(each.message)")
  }

  private func message(
    _ body: () throws(PreprocessingError) -> ImageProcessor
  ) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return error.description
    }
  }
}
