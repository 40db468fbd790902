import StrictJSON

/// Names of categories, as the Python package of LightGBM keeps those of a data frame.
enum LightGBMCategories {
  /// Most values of the text.
  private static let limit = 2_000_000
  /// Whole numbers up to it are told apart as 64-bit floats.
  private static let wholeLimit = 9_007_199_254_740_992.0

  /// The names of a text of JSON: of each column an array of texts, numbers or truth values; or `null`.
  ///
  /// - Parameter path: the file, for messages.
  static func names(_ text: [UInt8], path: String) throws -> [[String]] {
    let limits = JSONParser.Limits(values: limit)
    let node = try JSONParser.parse(text, origin: "\(path): pandas_categorical", limits: limits)
    if case .null = node.content { return [] }
    return try elements(node, path).map { column in
      try elements(column, path).map { name in
        if let text = name.string { return text }
        if let value = name.bool { return "\(value)" }
        guard let number = name.double else { throw fault("is \(name.kind)", path) }
        return try self.name(number, path: path)
      }
    }
  }

  private static func elements(_ node: JSONNode, _ path: String) throws(TreeError) -> [JSONNode] {
    guard case .array(let elements) = node.content else {
      throw fault("is \(node.kind), expected an array", path)
    }
    return elements
  }

  private static func fault(_ words: String, _ path: String) -> TreeError {
    TreeError(path: path, fault: "a category in 'pandas_categorical' \(words)")
  }

  /// The name of a number: `2`, also of 2.0, and `0.5`.
  static func name(_ number: Double, path: String) throws(TreeError) -> String {
    guard number.magnitude <= wholeLimit else { throw fault("is \(number)", path) }
    return number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
