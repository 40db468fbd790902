package import Imaging
import StrictJSON

/// How images become the tensor of one model.
public struct ImageConfiguration: Equatable, Sendable {
  /// Pixels of a row of the model's image.
  public var width: Int { processor.width }
  /// Rows of the model's image.
  public var height: Int { processor.height }
  /// Whether the model gets whole levels, as a device hands them over; else what the model's library
  /// makes of an image, which may lie between them.
  public let takesLevels: Bool

  /// Every step, as the model's own files say.
  package let processor: ImageProcessor

  package init(_ processor: ImageProcessor, takesLevels: Bool) {
    self.processor = processor
    self.takesLevels = takesLevels
  }

  /// Whether both make the same numbers of every image.
  public static func == (left: ImageConfiguration, right: ImageConfiguration) -> Bool {
    left.takesLevels == right.takesLevels && left.processor.isSame(as: right.processor)
  }
}

// MARK: JSON

extension ImageConfiguration {
  static let keys = [
    "centering", "colors", "filter", "height", "levels", "resizing", "scale", "width",
  ]

  private static let filters: [(filter: ResamplingFilter, word: String)] = [
    (.lanczos, "lanczos"), (.bilinear, "bilinear"), (.bicubic, "bicubic"),
  ]

  var members: [String: JSONValue] {
    let (geometry, filter) = (processor.geometry, processor.filter)
    var members: [String: JSONValue] = [
      "centering": geometry.centering == .before ? "before" : "even",
      "colors": processor.convertsFirst ? "first" : "last",
      "filter": .string(
        ImageConfiguration.filters.first { $0.filter == filter }?.word ?? "\(filter)"),
      "height": .integer(height), "levels": .bool(takesLevels), "width": .integer(width),
    ]
    switch geometry.resizing {
    case .none: break
    case .shortestEdge(let edge): members["resizing"] = ["shortest": .integer(edge)]
    case .exactly(let width, let height):
      members["resizing"] = ["exactly": [.integer(width), .integer(height)]]
    case .covering(let width, let height):
      members["resizing"] = ["covering": [.integer(width), .integer(height)]]
    }
    // The shortest text that reads back as the same 32-bit float.
    members["scale"] = processor.scale.map { .string("\($0)") }
    return members
  }

  init(_ root: JSONObject) throws(JSONError) {
    let sides = 1...ImageLimits.modelEdge
    let geometry = ImageGeometry(
      resizing: try ImageConfiguration.resizing(root),
      centering: try root.choice("centering", ["before": .before, "even": .even]),
      width: try root.plainInteger("width", in: sides),
      height: try root.plainInteger("height", in: sides))
    let words = Dictionary(ImageConfiguration.filters.map { ($0.word, $0.filter) }) { $1 }
    self.init(
      ImageProcessor(
        geometry: geometry, filter: try root.choice("filter", words),
        convertsFirst: try root.choice("colors", ["first": true, "last": false]),
        scale: try ImageConfiguration.scale(root, geometry)),
      takesLevels: try root.bool("levels"))
  }

  /// A model's files may ask for a resized image that is larger than the part kept of it, by a
  /// hundred at most.
  private static let resizedEdge = 100 * ImageLimits.modelEdge

  private static func resizing(_ root: JSONObject) throws(JSONError) -> ImageGeometry.Resizing {
    guard root["resizing"] != nil else { return .none }
    let object = try root.object("resizing")
    try object.allowOnly(["shortest", "exactly", "covering"])
    if object["shortest"] != nil {
      return .shortestEdge(try object.plainInteger("shortest", in: 1...resizedEdge))
    }
    let key = object["exactly"] == nil ? "covering" : "exactly"
    let sides = try object.array(key).compactMap(\.plainInteger)
    guard sides.count == 2, try object.array(key).count == 2,
      sides.allSatisfy({ (1...resizedEdge).contains($0) })
    else {
      throw object.mismatch(
        key, expected: "width and height in 1...\(resizedEdge)", try object.required(key))
    }
    return key == "exactly"
      ? .exactly(width: sides[0], height: sides[1]) : .covering(width: sides[0], height: sides[1])
  }

  /// Scaled levels are resized to exactly the size of the model.
  private static func scale(
    _ root: JSONObject, _ geometry: ImageGeometry
  ) throws(JSONError) -> Float? {
    guard root["scale"] != nil else { return nil }
    guard let scale = Float(try root.string("scale")), scale.isNormal, scale > 0, scale <= 1,
      geometry.resizing == .exactly(width: geometry.width, height: geometry.height)
    else {
      throw root.mismatch(
        "scale",
        expected: "the text of a number above 0 and at most 1, of an image that is resized "
          + "to its size exactly", try root.required("scale"))
    }
    return scale
  }
}

extension JSONObject {
  /// What one of some words means.
  func choice<Value>(_ key: String, _ values: [String: Value]) throws(JSONError) -> Value {
    guard let value = values[try string(key)] else {
      throw mismatch(
        key, expected: values.keys.sorted().map { "'\($0)'" }.joined(separator: " or "),
        try required(key))
    }
    return value
  }
}
