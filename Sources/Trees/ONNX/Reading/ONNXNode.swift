import StrictJSON

/// An operator of a file and its attributes, each of which has the type that is asked for.
struct ONNXNode {
  /// The file.
  let path: String
  /// As messages call it: `Scaler 'N1'`, or `operator 3, Scaler` where it has no name.
  let place: String
  let kind: String
  let domain: String
  /// Of the operators of its domain.
  let version: Int
  private var attributes: [String: ONNXAttributeProto] = [:]

  /// - Parameter number: its place in the graph, from 0.
  /// - Throws: if an attribute is there twice, or refers to one of a function.
  init(_ node: ONNXNodeProto, number: Int, version: Int, path: String) throws(TreeError) {
    self.path = path
    self.version = version
    kind = node.opType
    domain = node.domain == "ai.onnx" ? "" : node.domain
    let name = String(node.name.prefix(60))
    place =
      name.isEmpty || name == kind
      ? "operator \(number), \(kind.prefix(60))" : "\(kind.prefix(60)) '\(name)'"
    for attribute in node.attribute {
      guard attribute.refAttrName.isEmpty else {
        throw fault("the attribute '\(attribute.name)' refers to one of a function")
      }
      guard attributes.updateValue(attribute, forKey: attribute.name) == nil else {
        throw fault("has the attribute '\(attribute.name)' twice")
      }
    }
  }

  func fault(_ text: String) -> TreeError { TreeError(path: path, fault: "\(place): \(text)") }

  /// Refuses attributes that are not known: what they change is not known either.
  func knows(_ names: Set<String>) throws(TreeError) {
    let unknown = attributes.keys.filter { !names.contains($0) }.sorted()
    guard let name = unknown.first else { return }
    throw fault("has the attribute '\(name)', which is not known in version \(version)")
  }

  func has(_ name: String) -> Bool { attributes[name] != nil }

  func integer(_ name: String) throws(TreeError) -> Int? {
    try attribute(name, .int).map { Int($0.i) }
  }

  /// A whole number that is 0 or 1.
  func flag(_ name: String, _ standard: Bool) throws(TreeError) -> Bool {
    guard let value = try integer(name) else { return standard }
    guard value == 0 || value == 1 else { throw fault("'\(name)' is \(value), expected 0 or 1") }
    return value == 1
  }

  func float(_ name: String) throws(TreeError) -> Float? {
    try attribute(name, .float).map(\.f)
  }

  func text(_ name: String) throws(TreeError) -> String? {
    guard let bytes = try attribute(name, .string)?.s else { return nil }
    guard let text = String(utf8: bytes) else {
      throw fault("'\(name)' is not UTF-8 text")
    }
    return text
  }

  func integers(_ name: String) throws(TreeError) -> [Int]? {
    try attribute(name, .ints).map { $0.ints.map(Int.init) }
  }

  func floats(_ name: String) throws(TreeError) -> [Float]? {
    try attribute(name, .floats).map(\.floats)
  }

  func texts(_ name: String) throws(TreeError) -> [String]? {
    guard let values = try attribute(name, .strings)?.strings else { return nil }
    var texts: [String] = []
    for value in values {
      guard let text = String(utf8: value) else {
        throw fault("'\(name)' has an element that is not UTF-8 text")
      }
      texts.append(text)
    }
    return texts
  }

  func tensor(_ name: String) throws(TreeError) -> TabularColumn? {
    guard let tensor = try attribute(name, .tensor)?.t else { return nil }
    return try ONNXTensor.column(tensor, path: path, place: "\(place): '\(name)'")
  }

  /// One of a few words.
  func choice<Word: RawRepresentable<String>>(
    _ name: String, _ standard: Word
  ) throws(TreeError) -> Word {
    guard let text = try text(name) else { return standard }
    guard let word = Word(rawValue: text) else {
      throw fault(
        "'\(name)' is '\(text.prefix(60))', which is not computed; convert the model without it, or save the estimator "
          + "alone in the form of its library")
    }
    return word
  }

  /// Names of classes from one of two attributes.
  func labels(texts: String, integers: String) throws(TreeError) -> TreeLabels? {
    let (texts, integers) = (try self.texts(texts) ?? [], try self.integers(integers) ?? [])
    guard texts.isEmpty || integers.isEmpty else {
      throw fault(
        "has \(texts.count) \(texts.count == 1 ? "class" : "classes") that are texts and \(Figures.count(integers.count, "integer"))"
      )
    }
    if !texts.isEmpty { return .texts(texts) }
    return integers.isEmpty ? nil : .integers(integers)
  }

  private func attribute(
    _ name: String, _ type: ONNXAttributeProto.AttributeType
  ) throws(TreeError) -> ONNXAttributeProto? {
    guard let attribute = attributes[name] else { return nil }
    guard attribute.type == type else {
      throw fault("'\(name)' is of the type \(attribute.type), expected \(type)")
    }
    return attribute
  }
}
