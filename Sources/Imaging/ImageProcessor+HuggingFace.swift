package import StrictJSON

extension ImageProcessor {
  private static let kinds = [
    "CLIPImageProcessor", "CLIPImageProcessorFast", "CLIPFeatureExtractor",
  ]

  /// Reads a `preprocessor_config.json` as transformers' `CLIPImageProcessor` does.
  ///
  /// The fast processor's files are read, too; its own resampling differs from Pillow's by a level
  /// here and there.
  ///
  /// - Throws: if the file asks for an unsupported step, or if images would come out in different
  ///   sizes.
  package init(huggingFace json: [UInt8], origin: String) throws(PreprocessingError) {
    try self.init(
      huggingFace: try reading { () throws(JSONError) in
        try JSONParser.parseObject(json, origin: origin)
      })
  }

  /// Reads the root of such a file, or `image_processor` of a `processor_config.json`.
  package init(huggingFace root: JSONObject) throws(PreprocessingError) {
    try ImageProcessor.checkKind(root)
    try ImageProcessor.checkSteps(root)
    try reading { () throws(JSONError) in try PreprocessorKeys.check(huggingFace: root) }
    let filter = try ImageProcessor.filter(root)
    let resizing = try reading { () throws(JSONError) in try ImageProcessor.resizing(root) }
    let size = try reading { () throws(JSONError) in
      try ImageProcessor.keptSize(root, resizing)
    }
    self.init(
      geometry: ImageGeometry(
        resizing: resizing, centering: .before, width: size.width, height: size.height),
      filter: filter, convertsFirst: true)
  }

  private static func checkKind(_ root: JSONObject) throws(PreprocessingError) {
    // Files that transformers converted name both, and then the first one counts.
    let key = ["image_processor_type", "feature_extractor_type"].first { root.has($0) }
    guard let key else { return }
    let kind = try reading { () throws(JSONError) in try root.string(key) }
    guard kinds.contains(kind) else {
      throw root.unsupported(key, kind, at: key, known: kinds)
    }
  }

  /// Refuses unsupported steps that would change pixels.
  private static func checkSteps(_ root: JSONObject) throws(PreprocessingError) {
    let known = ["do_resize", "do_center_crop", "do_rescale", "do_normalize", "do_convert_rgb"]
    try reading { () throws(JSONError) in
      try require(root, "do_convert_rgb", true)
      try require(root, "use_square_size", false)
    }
    for (key, node) in root.members where key.hasPrefix("do_") && node.bool == true {
      guard known.contains(key) else {
        throw root.unsupported("step", key, at: key, known: known)
      }
    }
  }

  /// Refuses a key that has another value than the only one supported.
  private static func require(
    _ root: JSONObject, _ key: String, _ supported: Bool
  ) throws(JSONError) {
    guard root.has(key), try root.bool(key) != supported else { return }
    let position = root[key]?.position ?? root.position
    throw root.error("'\(key)' is \(!supported), only \(supported) is supported", at: position)
  }

  private static func flag(_ root: JSONObject, _ key: String) throws(JSONError) -> Bool {
    try root.has(key) ? root.bool(key) : true
  }

  private static func filter(_ root: JSONObject) throws(PreprocessingError) -> ResamplingFilter {
    guard root.has("resample") else { return .bicubic }
    let number = try reading { () throws(JSONError) in try root.integer("resample") }
    guard let filter = ResamplingFilter(rawValue: number) else {
      throw root.unsupported(
        "resample", "\(number)", at: "resample",
        known: ["1 (Lanczos)", "2 (bilinear)", "3 (bicubic)"])
    }
    return filter
  }

  private static func resizing(_ root: JSONObject) throws(JSONError) -> ImageGeometry.Resizing {
    guard try flag(root, "do_resize") else { return .none }
    guard root.has("size") else { return .shortestEdge(224) }
    let node = try root.required("size")
    if node.integer != nil {
      return .shortestEdge(try root.integer("size", in: 1...ImageLimits.modelEdge))
    }
    if let object = node.object, object.has("shortest_edge") {
      try object.allowOnly(["shortest_edge"])
      return .shortestEdge(try object.integer("shortest_edge", in: 1...ImageLimits.modelEdge))
    }
    let size = try self.size(root, "size", node)
    return .exactly(width: size.width, height: size.height)
  }

  /// The size that all images come out in.
  private static func keptSize(
    _ root: JSONObject, _ resizing: ImageGeometry.Resizing
  ) throws(JSONError) -> (width: Int, height: Int) {
    if try flag(root, "do_center_crop") {
      guard root.has("crop_size") else { return (224, 224) }
      let node = try root.required("crop_size")
      guard node.integer == nil else {
        let edge = try root.integer("crop_size", in: 1...ImageLimits.modelEdge)
        return (edge, edge)
      }
      return try size(root, "crop_size", node)
    }
    guard case .exactly(let width, let height) = resizing else {
      throw root.error(
        "'do_center_crop' is false and 'size' does not give 'height' and 'width', images would "
          + "come out in different sizes", at: root["do_center_crop"]?.position ?? root.position)
    }
    return (width, height)
  }

  /// A size as `{"height": h, "width": w}` or `[h, w]`.
  static func size(
    _ root: JSONObject, _ key: String, _ node: JSONNode
  ) throws(JSONError) -> (width: Int, height: Int) {
    let limit = 1...ImageLimits.modelEdge
    if let object = node.object {
      try object.allowOnly(["height", "width"])
      return (try object.integer("width", in: limit), try object.integer("height", in: limit))
    }
    let numbers = (node.array ?? []).compactMap(\.integer).filter { limit.contains($0) }
    guard numbers.count == 2, node.array?.count == 2 else {
      throw root.mismatch(
        key, expected: "one or two numbers in \(limit.lowerBound)...\(limit.upperBound)", node)
    }
    return (numbers[1], numbers[0])
  }
}
