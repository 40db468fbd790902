package import StrictJSON

/// Values of images that timm takes where `pretrained_cfg` says none: those of ImageNet.
package enum TimmImages {
  package static let mean = [0.485, 0.456, 0.406]
  package static let deviation = [0.229, 0.224, 0.225]
}

extension ImageProcessor {
  /// Reads `pretrained_cfg` of timm's `config.json` as `timm.data.create_transform` does for a model
  /// that is not trained: resize, crop the middle.
  ///
  /// - Parameter root: the file's object.
  /// - Throws: if the file asks for an unsupported step.
  package init(timm root: JSONObject) throws(PreprocessingError) {
    let config = try reading { () throws(JSONError) in try root.object("pretrained_cfg") }
    try reading { () throws(JSONError) in try PreprocessorKeys.check(timm: config) }
    let size = try reading { () throws(JSONError) in try ImageProcessor.timmSize(config) }
    let share = try reading { () throws(JSONError) in try ImageProcessor.timmShare(config) }
    let mode = try ImageProcessor.check(config, "crop_mode", among: ["center", "squash"])
    let filter = try ImageProcessor.check(
      config, "interpolation", among: ["bicubic", "bilinear", "lanczos"])
    let whole = (
      width: Int(Double(size.width) / share), height: Int(Double(size.height) / share)
    )
    let resizing: ImageGeometry.Resizing =
      if mode == "squash" {
        .exactly(width: whole.width, height: whole.height)
      } else if whole.width == whole.height {
        .shortestEdge(whole.width)
      } else {
        .covering(width: whole.width, height: whole.height)
      }
    self.init(
      geometry: ImageGeometry(
        resizing: resizing, centering: .even, width: size.width, height: size.height),
      filter: filter == "bicubic" ? .bicubic : filter == "bilinear" ? .bilinear : .lanczos,
      convertsFirst: true)
  }

  /// `input_size`, [3, height, width].
  private static func timmSize(
    _ config: JSONObject
  ) throws(JSONError) -> (width: Int, height: Int) {
    guard config.has("input_size") else { return (224, 224) }
    let sizes = try config.array("input_size").compactMap(\.integer)
    guard sizes.count == 3, sizes[0] == 3,
      sizes[1...].allSatisfy({ (1...ImageLimits.modelEdge).contains($0) })
    else {
      throw config.mismatch(
        "input_size", expected: "3 planes and two sides", try config.required("input_size"))
    }
    return (sizes[2], sizes[1])
  }

  /// `crop_pct`: the part of the resized image that is kept; 0 means its default.
  private static func timmShare(_ config: JSONObject) throws(JSONError) -> Double {
    let share = config.has("crop_pct") ? try config.double("crop_pct") : 0
    guard share >= 0, share <= 1, share == 0 || share >= 0.01 else {
      throw config.mismatch(
        "crop_pct", expected: "a number from 0.01 to 1", try config.required("crop_pct"))
    }
    return share == 0 ? 0.875 : share
  }
}
