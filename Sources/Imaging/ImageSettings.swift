package import StrictJSON

/// Settings for image preparation in one object of transformers, key by key.
package struct ImageSettings {
  private let object: JSONObject

  package init(_ object: JSONObject) { self.object = object }

  /// CLIP's training means, the default for files without any: subtracted from R, G and B in 0...1.
  package static let usualMean = [0.48145466, 0.4578275, 0.40821073]
  /// The divisors of R, G and B in the same case.
  package static let usualDeviation = [0.26862954, 0.26130258, 0.27577711]

  /// Default values of keys that are absent or null.
  private static let usual: [(key: String, value: JSONValue)] =
    ["do_resize", "do_center_crop", "do_rescale", "do_normalize", "do_convert_rgb"]
    .map { ($0, .bool(true)) } + [
      ("size", ["shortest_edge": 224]),
      ("crop_size", ["height": 224, "width": 224]),
      ("resample", 3),
      ("rescale_factor", .double(1.0 / 255)),
      ("image_mean", .array(usualMean.map(JSONValue.double))),
      ("image_std", .array(usualDeviation.map(JSONValue.double))),
    ]

  /// The first key for which two objects have different values, and both values.
  package static func difference(
    _ left: ImageSettings, _ right: ImageSettings
  ) -> (key: String, left: String, right: String)? {
    for (key, usual) in usual {
      let (mine, other) = (left.value(key, usual), right.value(key, usual))
      if mine != other { return (key, mine.compact, other.compact) }
    }
    return nil
  }

  /// The value of a key, sizes in today's form.
  private func value(_ key: String, _ usual: JSONValue) -> JSONValue {
    guard let node = object[key], !node.isNull else { return usual }
    switch (key, node.value) {
    case ("size", .integer(let edge)): return ["shortest_edge": .integer(edge)]
    case ("crop_size", .integer(let edge)):
      return ["height": .integer(edge), "width": .integer(edge)]
    case ("size", .array(let sides)) where sides.count == 2,
      ("crop_size", .array(let sides)) where sides.count == 2:
      return ["height": sides[0], "width": sides[1]]
    case (_, let value): return value
    }
  }
}
