package import StrictJSON

extension ImageProcessor {
  /// Reads an `open_clip_config.json` as OpenCLIP does: the size from the model's own part, the
  /// rest from `preprocess_cfg`.
  ///
  /// - Throws: if the file asks for an unsupported step.
  package init(openCLIP json: [UInt8], origin: String) throws(PreprocessingError) {
    let root = try reading { () throws(JSONError) in
      try JSONParser.parseObject(json, origin: origin)
    }
    try reading { () throws(JSONError) in try PreprocessorKeys.check(openCLIP: root) }
    let size = try reading { () throws(JSONError) in try ImageProcessor.imageSize(root) }
    guard let options = try root.part("preprocess_cfg") else {
      self = ImageProcessor.openCLIP(size, filter: .bicubic, squashes: false)
      return
    }
    try ImageProcessor.check(options, "mode", among: ["RGB"])
    let filter = try ImageProcessor.check(
      options, "interpolation", among: ["bicubic", "bilinear", "random"])
    let mode = try ImageProcessor.check(options, "resize_mode", among: ["shortest", "squash"])
    self = ImageProcessor.openCLIP(
      size, filter: filter == "bilinear" ? .bilinear : .bicubic, squashes: mode == "squash")
  }

  private static func openCLIP(
    _ size: (width: Int, height: Int), filter: ResamplingFilter, squashes: Bool
  ) -> ImageProcessor {
    let isSquare = size.width == size.height
    let resizing: ImageGeometry.Resizing =
      if squashes {
        .exactly(width: size.width, height: size.height)
      } else if isSquare {
        .shortestEdge(size.width)
      } else {
        .covering(width: size.width, height: size.height)
      }
    // OpenCLIP does not hand the filter on where it keeps the proportions of an oblong image.
    return ImageProcessor(
      geometry: ImageGeometry(
        resizing: resizing, centering: .even, width: size.width, height: size.height),
      filter: squashes || isSquare ? filter : .bicubic, convertsFirst: false)
  }

  private static func imageSize(_ root: JSONObject) throws(JSONError) -> (width: Int, height: Int) {
    let vision = try root.object("model_cfg").object("vision_cfg")
    guard vision.has("image_size") else { return (224, 224) }
    let node = try vision.required("image_size")
    guard node.integer == nil else {
      let edge = try vision.integer("image_size", in: 1...ImageLimits.modelEdge)
      return (edge, edge)
    }
    guard node.array != nil else {
      throw vision.mismatch("image_size", expected: "one or two integers", node)
    }
    return try size(vision, "image_size", node)
  }

  /// The text under a key, which is one of those known here, or the first of them where it is not
  /// given.
  @discardableResult
  static func check(
    _ options: JSONObject, _ key: String, among known: [String]
  ) throws(PreprocessingError) -> String {
    guard options.has(key) else { return known[0] }
    let value = try reading { () throws(JSONError) in try options.string(key) }
    guard known.contains(value) else {
      throw options.unsupported(key, value, at: key, known: known)
    }
    return value
  }
}
