package import StrictJSON

// One byte form: what is read must give the same bytes when it is written again.
extension SelfTest {
  private static let schema = 1
  /// Largest file that is read, in bytes.
  package static let byteLimit = 16 << 20

  /// The file's bytes.
  package var bytes: [UInt8] {
    let cases = cases.map { item -> JSONValue in
      ["inputs": .array(item.inputs.map(\.json)), "output": item.output.json]
    }
    return CanonicalJSON.bytes(
      of: [
        "schema": .integer(Self.schema), "source": .string(source.rawValue),
        "tolerance": tolerance.json, "cases": .array(cases),
      ])
  }

  /// Reads a file.
  ///
  /// - Parameter origin: the file, for messages.
  /// - Throws: `JSONError` for what `bytes` would not have written.
  package init(_ bytes: [UInt8], origin: String) throws(JSONError) {
    let object = try JSONParser.parseObject(bytes, origin: origin)
    try object.allowOnly(["schema", "source", "tolerance", "cases"])
    _ = try object.plainInteger("schema", in: 1...Self.schema)
    guard let source = Source(rawValue: try object.string("source")) else {
      throw object.mismatch(
        "source", expected: Source.allCases.map(\.rawValue).joined(separator: " or "),
        try object.required("source"))
    }
    let cases = try object.objects("cases", in: 1...Self.mostCases).map {
      item throws(JSONError) in try Case(item)
    }
    self.init(source, try Tolerance(try object.object("tolerance")), cases)
    guard self.bytes == bytes else {
      throw object.error("it is not in the one byte form of self-tests", at: object.position)
    }
  }
}

extension SelfTest.Case {
  fileprivate init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly(["inputs", "output"])
    inputs = try object.objects("inputs", in: 1...16).map { item throws(JSONError) in
      try TensorValue(item)
    }
    output = try TensorValue(try object.object("output"))
    guard output.elements.floats.allSatisfy(\.isFinite) else {
      throw object.error("'output' has numbers that are not finite", at: object.position)
    }
  }
}

extension Tolerance {
  fileprivate var json: JSONValue {
    switch self {
    case .cosine(let limit): ["cosine": .string(Figures.plain(limit))]
    case .difference(let limit): ["difference": .string(Figures.plain(limit))]
    }
  }

  fileprivate init(_ object: JSONObject) throws(JSONError) {
    let key = object.has("cosine") ? "cosine" : "difference"
    try object.allowOnly([key])
    let text = try object.string(key)
    let range = key == "cosine" ? -1.0...1 : 0...2
    guard let limit = Double(text), range.contains(limit) else {
      throw object.mismatch(
        key,
        expected: "a number from \(Figures.plain(range.lowerBound)) to "
          + "\(Figures.plain(range.upperBound)) as text", try object.required(key))
    }
    self = key == "cosine" ? .cosine(limit) : .difference(limit)
  }
}

extension TensorValue {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "shape": .array(shape.map { .integer($0) }),
      "type": .string(elements.typeName), "data": .string(Base64.encode(elements.bytes)),
    ]
  }

  fileprivate init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly(["name", "shape", "type", "data"])
    let (name, type) = (try object.string("name"), try object.string("type"))
    var shape: [Int] = []
    for node in try object.array("shape") {
      guard let length = node.plainInteger, length > 0 else {
        throw object.mismatch("shape", expected: "lengths", node)
      }
      shape.append(length)
    }
    guard let bytes = Base64.decode(try object.string("data")),
      let elements = Elements(type, bytes),
      let tensor = TensorValue(name: name, shape: shape, elements)
    else {
      throw object.error(
        "'data' of '\(name.prefix(60))' is not base64 of numbers of the type "
          + "'\(type.prefix(20))' in the shape \(shape)", at: object.position)
    }
    self = tensor
  }
}

extension JSONObject {
  fileprivate func objects(
    _ key: String, in counts: ClosedRange<Int>
  ) throws(JSONError) -> [JSONObject] {
    let nodes = try array(key)
    let objects = nodes.compactMap(\.object)
    guard counts.contains(nodes.count), objects.count == nodes.count else {
      throw mismatch(
        key, expected: "\(counts.lowerBound) to \(counts.upperBound) objects", try required(key))
    }
    return objects
  }
}
