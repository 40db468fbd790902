package import StrictJSON

/// Settings for image preparation in one object of transformers, key by key.
package struct ImageSettings {
  private let object: JSONObject

  package init(_ object: JSONObject) { self.object = object }

  /// Values of keys that are absent or null.
  private static func usual(_ kind: ProcessorKind) -> [(key: String, value: JSONValue)] {
    let edge = JSONValue.integer(kind.edge)
    return [
      ("do_resize", .bool(true)), ("do_center_crop", .bool(kind.crops)),
      ("do_rescale", .bool(true)), ("do_normalize", .bool(true)),
      ("do_convert_rgb", kind.crops ? .bool(true) : .null),
      ("size", kind.crops ? ["shortest_edge": edge] : ["height": edge, "width": edge]),
      ("crop_size", ["height": edge, "width": edge]),
      ("resample", .integer(kind.filter.rawValue)), ("rescale_factor", .double(1.0 / 255)),
      ("image_mean", .array(kind.mean.map(JSONValue.double))),
      ("image_std", .array(kind.deviation.map(JSONValue.double))),
    ]
  }

  /// The first key for which two objects have different values, and both values.
  package static func difference(
    _ left: ImageSettings, _ right: ImageSettings
  ) -> (key: String, left: String, right: String)? {
    let kinds = (ProcessorKind.named(in: left.object), ProcessorKind.named(in: right.object))
    guard kinds.0 == kinds.1 else {
      return ("image_processor_type", quoted(kinds.0.names[0]), quoted(kinds.1.names[0]))
    }
    for (key, usual) in usual(kinds.0) {
      let (mine, other) = (left.value(key, usual), right.value(key, usual))
      if mine != other { return (key, mine.compact, other.compact) }
    }
    return nil
  }

  /// The value of a key, sizes in today's form.
  private func value(_ key: String, _ usual: JSONValue) -> JSONValue {
    guard let node = object[key], !node.isNull else { return usual }
    switch (key, node.value) {
    case ("size", .integer(let edge)):
      return ProcessorKind.named(in: object).makesSquares
        ? ["height": .integer(edge), "width": .integer(edge)] : ["shortest_edge": .integer(edge)]
    case ("crop_size", .integer(let edge)):
      return ["height": .integer(edge), "width": .integer(edge)]
    case ("size", .array(let sides)) where sides.count == 2,
      ("crop_size", .array(let sides)) where sides.count == 2:
      return ["height": sides[0], "width": sides[1]]
    case (_, let value): return value
    }
  }
}
