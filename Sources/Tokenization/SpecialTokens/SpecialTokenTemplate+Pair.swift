import StrictJSON

extension SpecialTokenTemplate {
  private static let pairKeys = KeyRules(understood: ["id", "type_id"])

  /// The part `pair` of a template: special tokens around two sequences A and B.
  ///
  /// - Returns: nil where the file has no such part, or one that has not each of them once,
  ///   or a type above 1.
  static func pair(
    _ part: JSONObject, _ tokens: JSONObject, _ idOf: (String) -> Int32?
  ) throws(JSONError) -> PairTemplate? {
    guard part.has("pair") else { return nil }
    var parts: [PairTemplate.Part] = []
    for node in try part.array("pair") {
      let special = try piece(of: node, "SpecialToken", keys: pairKeys)
      let sequence = try piece(of: node, "Sequence", keys: pairKeys)
      guard let piece = special ?? sequence else {
        throw part.error(
          "'pair' holds \(node.kind) that is neither a SpecialToken nor a Sequence",
          at: node.position)
      }
      let name = try piece.string("id")
      let content: PairTemplate.Content =
        special == nil
        ? try place(ofSequence: name, part, at: node.position)
        : .special(try ids(tokens, name, at: node.position, idOf))
      parts.append(
        PairTemplate.Part(
          content: content, type: Int32(try piece.plainInteger("type_id", in: 0...1 << 16))))
    }
    let isWhole = [PairTemplate.Content.first, .second].allSatisfy { wanted in
      parts.filter { $0.content == wanted }.count == 1
    }
    // A model that reads types has two at least.
    return isWhole && parts.allSatisfy { $0.type < 2 } ? PairTemplate(parts: parts) : nil
  }

  private static func place(
    ofSequence name: String, _ part: JSONObject, at position: JSONPosition
  ) throws(JSONError) -> PairTemplate.Content {
    switch name {
    case "A": return .first
    case "B": return .second
    default:
      throw part.error(
        "'pair' holds Sequence '\(name.prefix(60))', expected A or B", at: position)
    }
  }
}
