package import StrictJSON

/// A file that describes a model, within the metadata of a compressed one: its text, or, if it is no
/// text (a model of SentencePiece), an object with its bytes in base64.
package enum CarriedFile {
  private static let key = "base64"

  /// The value of a file.
  package static func value(of bytes: [UInt8]) -> JSONValue {
    guard let text = String(utf8: bytes) else {
      return [key: .string(Base64.encode(bytes))]
    }
    return .string(text)
  }

  /// The bytes of a file.
  ///
  /// - Throws: if the value is neither, or the bytes are a text, which is written as one.
  package static func bytes(of path: String, in files: JSONObject) throws(JSONError) -> [UInt8] {
    guard let part = files[path]?.object else { return Array(try files.string(path).utf8) }
    try part.allowOnly([key])
    guard let bytes = Base64.decode(try part.string(key)),
      String(utf8: bytes) == nil
    else {
      throw part.mismatch(
        key, expected: "base64 of a file that is not text", try part.required(key))
    }
    return bytes
  }
}
