package import StrictJSON

extension ImageProcessor {
  /// Reads a `preprocessor_config.json` as the class of transformers does that it names.
  ///
  /// The files of fast processors are read, too; their own resampling differs from Pillow's by a
  /// level here and there.
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
    let kind = try ProcessorKind.known(in: root)
    try ImageProcessor.checkSteps(root, kind)
    try reading { () throws(JSONError) in try PreprocessorKeys.check(huggingFace: root) }
    let filter = try ImageProcessor.filter(root, kind)
    let resizing = try reading { () throws(JSONError) in try ImageProcessor.resizing(root, kind) }
    let size = try reading { () throws(JSONError) in
      try ImageProcessor.keptSize(root, resizing, kind)
    }
    self.init(
      geometry: ImageGeometry(
        resizing: resizing, centering: .before, width: size.width, height: size.height),
      filter: filter, convertsFirst: true,
      scale: try reading { () throws(JSONError) in
        try ImageProcessor.scale(root, kind, width: size.width)
      })
  }

  /// What levels are multiplied by before they are resized.
  private static func scale(
    _ root: JSONObject, _ kind: ProcessorKind, width: Int
  ) throws(JSONError) -> Float? {
    guard kind.scalesFirst else { return nil }
    try require(root, "do_rescale", true)
    // torch 2.13 then fills the column with its first number.
    guard width > 1 else {
      throw root.error(
        "'size' has width 1, which torchvision does not resize to",
        at: root["size"]?.position ?? root.position)
    }
    guard root.has("rescale_factor") else { return Float(1.0 / 255) }
    let factor = Float(try root.double("rescale_factor"))
    guard factor.isNormal, factor > 0, factor <= 1 else {
      throw root.error(
        "'rescale_factor' is \(factor), expected a number above 0 and at most 1",
        at: root["rescale_factor"]?.position ?? root.position)
    }
    return factor
  }

  /// Refuses unsupported steps that would change pixels.
  private static func checkSteps(
    _ root: JSONObject, _ kind: ProcessorKind
  ) throws(PreprocessingError) {
    let known =
      ["do_resize"] + (kind.crops ? ["do_center_crop"] : [])
      + ["do_rescale", "do_normalize", "do_convert_rgb"]
    try reading { () throws(JSONError) in
      // The classes that do not crop leave it to who opens the image, who converts it.
      if kind.crops { try require(root, "do_convert_rgb", true) }
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

  private static func flag(
    _ root: JSONObject, _ key: String, _ usual: Bool = true
  ) throws(JSONError) -> Bool {
    try root.has(key) ? root.bool(key) : usual
  }

  private static func filter(
    _ root: JSONObject, _ kind: ProcessorKind
  ) throws(PreprocessingError) -> ResamplingFilter {
    guard root.has("resample") else { return kind.filter }
    let number = try reading { () throws(JSONError) in
      try root.plainInteger("resample", in: Int.min...Int.max)
    }
    guard let filter = ResamplingFilter(rawValue: number),
      !kind.scalesFirst || filter == .bilinear
    else {
      throw root.unsupported(
        "resample", "\(number)", at: "resample",
        known: kind.scalesFirst
          ? ["2 (bilinear)"] : ["1 (Lanczos)", "2 (bilinear)", "3 (bicubic)"])
    }
    return filter
  }

  private static func resizing(
    _ root: JSONObject, _ kind: ProcessorKind
  ) throws(JSONError) -> ImageGeometry.Resizing {
    guard try flag(root, "do_resize") else { return .none }
    guard root.has("size") else {
      return kind.crops
        ? .shortestEdge(kind.edge) : .exactly(width: kind.edge, height: kind.edge)
    }
    let node = try root.required("size")
    if node.integer != nil {
      let edge = try root.plainInteger("size", in: 1...ImageLimits.modelEdge)
      return kind.makesSquares ? .exactly(width: edge, height: edge) : .shortestEdge(edge)
    }
    if let object = node.object, object.has("shortest_edge") {
      try object.allowOnly(["shortest_edge"])
      return .shortestEdge(try object.plainInteger("shortest_edge", in: 1...ImageLimits.modelEdge))
    }
    let size = try self.size(root, "size", node)
    return .exactly(width: size.width, height: size.height)
  }

  /// The size that all images come out in.
  private static func keptSize(
    _ root: JSONObject, _ resizing: ImageGeometry.Resizing, _ kind: ProcessorKind
  ) throws(JSONError) -> (width: Int, height: Int) {
    if try flag(root, "do_center_crop", kind.crops) {
      guard root.has("crop_size") else { return (224, 224) }
      let node = try root.required("crop_size")
      guard node.integer == nil else {
        let edge = try root.plainInteger("crop_size", in: 1...ImageLimits.modelEdge)
        return (edge, edge)
      }
      return try size(root, "crop_size", node)
    }
    guard case .exactly(let width, let height) = resizing else {
      throw root.error(
        "\(kind.crops ? "'do_center_crop' is false and " : "")'size' does not give 'height' and "
          + "'width', images would come out in different sizes",
        at: root[kind.crops ? "do_center_crop" : "size"]?.position ?? root.position)
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
      return (
        try object.plainInteger("width", in: limit), try object.plainInteger("height", in: limit)
      )
    }
    let numbers = (node.array ?? []).compactMap(\.integer).filter { limit.contains($0) }
    guard numbers.count == 2, node.array?.count == 2 else {
      throw root.mismatch(
        key, expected: "one or two numbers in \(limit.lowerBound)...\(limit.upperBound)", node)
    }
    return (numbers[1], numbers[0])
  }
}
