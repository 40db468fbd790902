import StrictJSON

/// The part `decoder` of a `tokenizer.json`: it turns ids into text and changes no id, so any known
/// one is fine. The library tokenizers does not read a file with an unknown one, and then there is
/// nothing to agree with.
enum TokenizerDecoder {
  /// The decoders of tokenizers 0.15 to 0.23, and the keys that each one needs.
  private static let needed: [(type: String, keys: [String])] = [
    ("BPEDecoder", ["suffix"]),
    ("ByteFallback", []),
    ("ByteLevel", ["add_prefix_space", "trim_offsets"]),
    ("CTC", ["pad_token", "word_delimiter_token", "cleanup"]),
    ("Fuse", []),
    ("Metaspace", ["replacement"]),
    ("Replace", ["pattern", "content"]),
    ("Sequence", ["decoders"]),
    ("Strip", ["content", "start", "stop"]),
    ("WordPiece", ["prefix", "cleanup"]),
  ]

  /// Refuses a decoder that the library fails on.
  ///
  /// - Parameter root: of the whole file.
  static func check(_ root: JSONObject) throws(PreprocessingError) {
    guard let decoder = try root.part("decoder") else { return }
    try check(decoder, depth: 0)
  }

  private static func check(_ decoder: JSONObject, depth: Int) throws(PreprocessingError) {
    // Files of the first years do not name the type.
    guard let node = decoder["type"] else { return try checkUntyped(decoder) }
    guard let type = node.string else {
      throw .file(decoder.mismatch("type", expected: "a string", node))
    }
    guard let keys = needed.first(where: { $0.type == type })?.keys else {
      throw decoder.unsupported("decoder", type, at: "type", known: needed.map(\.type))
    }
    try reading { () throws(JSONError) in
      for key in keys { _ = try decoder.required(key) }
    }
    if type == "Sequence" { try checkSequence(decoder, depth: depth) }
  }

  private static func checkUntyped(_ decoder: JSONObject) throws(PreprocessingError) {
    let isKnown = decoder.has("suffix") || decoder.has("prefix") && decoder.has("cleanup")
    guard !isKnown else { return }
    try reading { () throws(JSONError) in _ = try decoder.required("type") }
  }

  private static func checkSequence(
    _ decoder: JSONObject, depth: Int
  ) throws(PreprocessingError) {
    let parts = try reading { () throws(JSONError) in try decoder.array("decoders") }
    for node in parts {
      guard let part = node.object, depth < 16 else {
        throw .file(
          decoder.error(
            "'decoders' holds \(node.kind), expected decoders, in at most 16 lists",
            at: node.position))
      }
      try check(part, depth: depth + 1)
    }
  }
}
