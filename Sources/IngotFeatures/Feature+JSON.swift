package import StrictJSON

// One form for `model.json`, manifests and input configurations; `specs/formats/features.md`.
extension Feature {
  private static let keys = [
    "name", "kind", "categories", "unknown", "encoding", "period", "missing", "absent",
  ]

  /// Reads a feature.
  ///
  /// - Parameter missing: what happens to missing values where the object does not say it.
  /// - Throws: `JSONError` for keys and values that are not known.
  package init(_ object: JSONObject, missing standard: Missing = .refused) throws(JSONError) {
    try object.allowOnly(Self.keys)
    let missing = try object["missing"] == nil ? standard : Self.missing(object)
    self.init(
      try object.string("name"), try Self.kind(object, missing), missing: missing,
      absent: try object["absent"] == nil ? [] : object.decimals("absent"))
  }

  private static func missing(_ object: JSONObject) throws(JSONError) -> Missing {
    let node = try object.required("missing")
    switch node.string {
    case "taken": return .taken
    case "refused": return .refused
    default:
      guard let number = node.decimal else {
        throw object.mismatch("missing", expected: "'taken', 'refused' or a number", node)
      }
      return .replaced(by: number)
    }
  }

  private static func kind(_ object: JSONObject, _ missing: Missing) throws(JSONError) -> Kind {
    let word = try object["kind"] == nil ? "number" : object.string("kind")
    let encoding = try object["encoding"] == nil ? nil : object.string("encoding")
    for key in ["categories", "unknown"] where word != "category" && object[key] != nil {
      throw object.error(
        "'\(key)' is for the kind 'category', the kind is \(quoted(word))",
        at: try object.required(key).position)
    }
    switch (word, encoding) {
    case ("number", "cyclic"): return .cyclic(period: try object.decimal("period"))
    case (_, _) where object["period"] != nil:
      throw object.error(
        "'period' is for numbers with the encoding 'cyclic'",
        at: try object.required("period").position)
    case ("number", nil): return .number
    case ("boolean", nil): return .boolean
    case ("category", nil), ("category", "ordinal"):
      return .category(try categories(object, .ordinal, missing))
    case ("category", "one-hot"): return .category(try categories(object, .oneHot, missing))
    case ("number", _), ("boolean", _), ("category", _):
      throw object.mismatch(
        "encoding", expected: "'cyclic' for a number, 'ordinal' or 'one-hot' for a category",
        try object.required("encoding"))
    default:
      throw object.error(
        "'kind' is \(quoted(word)), expected number, boolean or category",
        at: try object.required("kind").position)
    }
  }

  private static func categories(
    _ object: JSONObject, _ encoding: CategoryList.Encoding, _ missing: Missing
  ) throws(JSONError) -> CategoryList {
    let names = try object["categories"] == nil ? [] : object.categories("categories")
    let unknown: CategoryList.Unknown
    let node = object["unknown"]
    switch (node?.string, node?.plainInteger) {
    case (nil, nil) where node == nil: unknown = missing == .refused ? .refused : .missing
    case ("missing", _): unknown = .missing
    case ("refused", _): unknown = .refused
    case (_, let code?): unknown = .code(code)
    default:
      throw object.mismatch(
        "unknown", expected: "'missing', 'refused' or a code, a whole number",
        try object.required("unknown"))
    }
    return CategoryList(names, unknown: unknown, encoding: encoding)
  }

  /// What `init` reads, in one form: without what goes without saying.
  ///
  /// - Parameter standard: what happens to missing values where it is not said.
  package func json(missing standard: Missing = .refused) -> JSONValue {
    var object: [String: JSONValue] = ["name": .string(name)]
    switch missing {
    case standard: break
    case .taken: object["missing"] = "taken"
    case .refused: object["missing"] = "refused"
    case .replaced(let value): object["missing"] = .string(Figures.plain(value))
    }
    if !absent.isEmpty { object["absent"] = .array(absent.map { .string(Figures.plain($0)) }) }
    switch kind {
    case .number: break
    case .boolean: object["kind"] = "boolean"
    case .cyclic(let period):
      object["encoding"] = "cyclic"
      object["period"] = .string(Figures.plain(period))
    case .category(let list):
      object["kind"] = "category"
      if !list.names.isEmpty { object["categories"] = .array(list.names.map(JSONValue.string)) }
      if list.encoding == .oneHot { object["encoding"] = "one-hot" }
      switch list.unknown {
      case .missing: if missing == .refused { object["unknown"] = "missing" }
      case .refused: if missing != .refused { object["unknown"] = "refused" }
      case .code(let code): object["unknown"] = .integer(code)
      }
    }
    return .object(object)
  }
}

extension JSONNode {
  /// A finite number, or a text of one.
  fileprivate var decimal: Double? {
    if let double { return double }
    guard let string, string.utf8.allSatisfy(Set("+-.0123456789eE".utf8).contains),
      let value = Double(string), value.isFinite
    else { return nil }
    return value
  }
}

extension JSONObject {
  fileprivate func decimal(_ key: String) throws(JSONError) -> Double {
    let node = try required(key)
    guard let value = node.decimal else { throw mismatch(key, expected: "a number", node) }
    return value
  }

  fileprivate func decimals(_ key: String) throws(JSONError) -> [Double] {
    let values = try array(key).compactMap(\.decimal)
    guard !values.isEmpty, values.count == (try array(key)).count else {
      throw mismatch(key, expected: "numbers, at least one", try required(key))
    }
    return values
  }

  /// Distinct texts, or distinct whole numbers, which are written in digits.
  fileprivate func categories(_ key: String) throws(JSONError) -> [String] {
    let nodes = try array(key)
    guard let first = nodes.first else {
      throw error("there is no category", at: try required(key).position)
    }
    var names: [String] = []
    var known: Set<ExactString> = []
    for node in nodes {
      let name = first.string == nil ? node.integer.map(String.init) : node.string
      guard let name, known.insert(ExactString(name)).inserted else {
        throw error(
          "a category is \(node.kind), expected distinct texts or distinct whole numbers",
          at: node.position)
      }
      if first.string == nil, let number = node.integer, number.magnitude >= 1 << 53 {
        throw error(
          "the category \(number) is not below 2^53 (\(1 << 53)), where rows tell whole numbers apart; give "
            + "all categories as texts", at: node.position)
      }
      names.append(name)
    }
    return names
  }
}
