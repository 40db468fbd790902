package import StrictJSON

/// A tokenizer before tokens were dropped, as one text that is kept beside the smaller model.
///
/// The text is an object: the name of each file that dropping changes, and what the file was.
package struct WholeTokenizer: Sendable {
  /// The files that dropping tokens changes.
  private static let names: [TokenizerFiles.Name] = [.tokenizer, .addedTokens, .configuration]

  /// All files of the tokenizer.
  package let files: TokenizerFiles
  /// The tokens of it that the smaller one has.
  package let kept: KeptTokens

  /// The text for the files of a tokenizer from which tokens are dropped.
  ///
  /// - Throws: if a file is malformed.
  package static func text(of files: TokenizerFiles) throws(PreprocessingError) -> [UInt8] {
    var members: [(key: String, value: JSONTree)] = []
    for name in names {
      guard let file = files[name] else { continue }
      members.append((name.rawValue, try tree(file.bytes, file.origin)))
    }
    return JSONTree.object(members).bytes
  }

  /// Reads a text, and checks that dropping tokens from its tokenizer gives the smaller one.
  ///
  /// - Parameters:
  ///   - origin: where the text is, for messages.
  ///   - smaller: the files of the smaller tokenizer.
  ///   - rows: of the table before tokens were dropped.
  /// - Throws: if the text is not one of `text(of:)`, or is that of another tokenizer.
  package init(
    _ text: [UInt8], origin: String, besides smaller: TokenizerFiles, rows: Int
  ) throws(PreprocessingError) {
    let tree = try WholeTokenizer.tree(text, origin)
    var replaced: [TokenizerFiles.Name: TokenizerFiles.File] = [:]
    for name in WholeTokenizer.names {
      replaced[name] = tree[name.rawValue].map {
        TokenizerFiles.File(origin: "\(origin): '\(name.rawValue)'", bytes: $0.bytes)
      }
    }
    files = smaller.replacing(replaced)
    let whole = try TokenizerReduction(files)
    kept = try whole.kept(in: try TokenizerReduction(smaller), rows: rows)
    guard try whole.files(keeping: kept)[.tokenizer] == smaller[.tokenizer]?.bytes else {
      throw .file(
        JSONError(
          origin: origin, position: JSONPosition(line: 1, column: 1),
          fault: "is not the tokenizer that tokens were dropped from: without them it differs"))
    }
  }

  private static func tree(
    _ bytes: [UInt8], _ origin: String
  ) throws(PreprocessingError) -> JSONTree {
    JSONTree(
      try reading { () throws(JSONError) in
        try JSONParser.parseObject(bytes, origin: origin, limits: .tokenizer)
      })
  }
}
