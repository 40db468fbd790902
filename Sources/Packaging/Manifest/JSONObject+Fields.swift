import StrictJSON
import Weights

/// Fields that manifests use over and over.
extension JSONObject {
  /// Largest file a ustar header can describe, in bytes.
  static let largestFile = 0o77777777777

  func size(_ key: String) throws(JSONError) -> Int {
    try integer(key, in: 0...JSONObject.largestFile)
  }

  func strings(_ key: String) throws(JSONError) -> [String] {
    var texts: [String] = []
    for node in try array(key) {
      guard let text = node.string else { throw mismatch(key, expected: "strings", node) }
      texts.append(text)
    }
    return texts
  }

  func objects(_ key: String) throws(JSONError) -> [JSONObject] {
    var objects: [JSONObject] = []
    for node in try array(key) {
      guard let object = node.object else { throw mismatch(key, expected: "objects", node) }
      objects.append(object)
    }
    return objects
  }

  func oneOf(_ words: [String], _ key: String) throws(JSONError) -> String {
    let word = try string(key)
    guard words.contains(where: { ExactString($0) == ExactString(word) }) else {
      throw error(
        "'\(key)' is '\(word.prefix(60))', expected \(words.joined(separator: " or "))",
        at: position)
    }
    return word
  }

  func version(_ key: String) throws(JSONError) -> SemanticVersion {
    let text = try string(key)
    guard let version = SemanticVersion(text) else {
      throw error(
        "'\(key)' is '\(text.prefix(60))', expected a version such as 1.4.0", at: position)
    }
    return version
  }

  /// A decimal number in a string, without exponent.
  func decimal(_ key: String) throws(JSONError) -> String {
    let text = try string(key)
    guard Identifiers.isDecimal(text) else {
      throw error(
        "'\(key)' is '\(text)', expected a decimal number", at: try required(key).position)
    }
    return text
  }

  func path(_ key: String) throws(JSONError) -> PackagePath {
    let text = try string(key)
    do throws(PackagingError) {
      return try PackagePath(text)
    } catch let failure {
      throw error("'\(key)': \(failure)", at: position)
    }
  }

  func digest(_ key: String) throws(JSONError) -> ContentDigest {
    let text = try string(key)
    guard let digest = ContentDigest(hex: text) else {
      throw error("'\(key)' is not 64 lower-case hexadecimal digits", at: position)
    }
    return digest
  }

  /// The digest of an object that holds nothing else.
  func onlyDigest() throws(JSONError) -> ContentDigest {
    try allowOnly(["sha256"])
    return try digest("sha256")
  }
}
