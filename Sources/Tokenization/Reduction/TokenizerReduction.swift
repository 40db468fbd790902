package import StrictJSON

/// Makes the files of a tokenizer that has fewer tokens.
///
/// Texts that use kept tokens only are segmented as before: a step of a segmentation takes the best of
/// the tokens that fit, and the best one is among those that stay. `needed(by:)` says what else must
/// stay for that.
package struct TokenizerReduction: Sendable {
  private let files: TokenizerFiles
  private let root: JSONTree
  private let model: any ReducibleModel

  /// - Throws: if the files hold no `tokenizer.json`, or its model is of a kind that cannot be made
  ///   smaller.
  package init(_ files: TokenizerFiles) throws(PreprocessingError) {
    guard let file = files[.tokenizer] else {
      let origin = files.pieces?.origin ?? TokenizerFiles.Name.tokenizer.rawValue
      throw .file(
        JSONError(
          origin: origin, position: JSONPosition(line: 1, column: 1),
          fault: "tokens can be dropped from a tokenizer.json only; save the model again with the "
            + "version of transformers in use, which writes one"))
    }
    let parsed = try reading { () throws(JSONError) in
      try JSONParser.parseObject(file.bytes, origin: file.origin, limits: .tokenizer)
    }
    let (part, type) = try TokenizerFile(parsed).model()
    self.files = files
    root = JSONTree(parsed)
    model = try ReducibleModels.model(type, part)
  }

  /// The tokens that stay: the given ones, all that lead to them, single bytes, special and added
  /// tokens, and the unknown one.
  ///
  /// - Parameters:
  ///   - used: ids that texts use.
  ///   - rows: of the model's table.
  /// - Throws: if an id lies outside the table.
  package func kept(
    using used: Set<Int32>, rows: Int
  ) throws(PreprocessingError) -> KeptTokens {
    var ids = used.union(addedIDs)
    for name in namedTokens { if let id = model.ids[ExactString(name)] { ids.insert(id) } }
    ids.formUnion(model.needed(by: ids))
    guard let kept = KeptTokens(ids: ids.sorted(), rowsBefore: rows) else {
      throw .file(
        JSONError(
          origin: files[.tokenizer]?.origin ?? "", position: JSONPosition(line: 1, column: 1),
          fault: "a token has the id \(ids.max() ?? 0), and the model's table has \(rows) rows"))
    }
    return kept
  }

  /// The tokens that a smaller tokenizer has, found by their texts.
  ///
  /// - Throws: if it has one that this has not, or in another order.
  package func kept(
    in smaller: TokenizerReduction, rows: Int
  ) throws(PreprocessingError) -> KeptTokens {
    let ours = pieces
    var ids: [Int32] = []
    for (piece, id) in smaller.pieces.sorted(by: { $0.value < $1.value }) {
      guard let old = ours[piece], Int(id) == ids.count else {
        throw .file(
          JSONError(
            origin: smaller.files[.tokenizer]?.origin ?? "",
            position: JSONPosition(line: 1, column: 1),
            fault:
              "the token '\(piece.string.prefix(60))' has the id \(id), which is not one of the "
              + "vocabulary that tokens were dropped from, in its order"))
      }
      ids.append(old)
    }
    guard let kept = KeptTokens(ids: ids, rowsBefore: rows) else {
      throw .file(
        JSONError(
          origin: smaller.files[.tokenizer]?.origin ?? "",
          position: JSONPosition(line: 1, column: 1),
          fault: "its tokens are in another order than in the vocabulary they were taken from"))
    }
    return kept
  }

  /// The files that change, without the dropped tokens.
  package func files(
    keeping kept: KeptTokens
  ) throws(PreprocessingError) -> [TokenizerFiles.Name: [UInt8]] {
    var changed: [TokenizerFiles.Name: [UInt8]] = [.tokenizer: tokenizer(keeping: kept).bytes]
    if let tree = try tree(.addedTokens) {
      changed[.addedTokens] = TokenizerReduction.renumbered(values: tree, kept).bytes
    }
    if var tree = try tree(.configuration), let listed = tree["added_tokens_decoder"]?.members {
      tree["added_tokens_decoder"] = .object(
        listed.compactMap { member in
          guard let id = Int32(member.key) else { return member }
          return kept.newID(of: id).map { ("\($0)", member.value) }
        })
      changed[.configuration] = tree.bytes
    }
    return changed
  }

  private func tree(_ name: TokenizerFiles.Name) throws(PreprocessingError) -> JSONTree? {
    guard let file = files[name] else { return nil }
    return JSONTree(
      try reading { () throws(JSONError) in
        try JSONParser.parseObject(file.bytes, origin: file.origin, limits: .tokenizer)
      })
  }

  private func tokenizer(keeping kept: KeptTokens) -> JSONTree {
    var tree = root
    if let part = tree["model"] { tree["model"] = model.reduced(part, keeping: kept) }
    if let added = tree["added_tokens"]?.array {
      tree["added_tokens"] = .array(added.map { TokenizerReduction.renumbered($0, "id", kept) })
    }
    if let part = tree["post_processor"] {
      tree["post_processor"] = TokenizerReduction.renumbered(template: part, kept)
    }
    if let part = tree["padding"] {
      tree["padding"] = TokenizerReduction.renumbered(part, "pad_id", kept)
    }
    return tree
  }
}

extension TokenizerReduction {
  /// Every token and its id.
  private var pieces: [ExactString: Int32] {
    var pieces = model.ids
    for token in root["added_tokens"]?.array ?? [] {
      guard let content = token["content"]?.string,
        let id = token["id"]?.integer.flatMap({ Int32(exactly: $0) })
      else { continue }
      pieces[ExactString(content)] = id
    }
    return pieces
  }

  /// Ids of tokens that a file adds to the vocabulary.
  private var addedIDs: [Int32] {
    let listed = (root["added_tokens"]?.array ?? []).compactMap { $0["id"]?.integer }
    return listed.compactMap { Int32(exactly: $0) }
  }

  /// Texts of tokens that a file names: `unk_token` and the like.
  private var namedTokens: [String] {
    let trees = [TokenizerFiles.Name.configuration, .specialTokens].compactMap { try? tree($0) }
    return trees.flatMap { tree in
      (tree.members ?? []).filter { $0.key.hasSuffix("_token") }.compactMap {
        $0.value.string ?? $0.value["content"]?.string
      }
    }
  }

  /// An object with one id changed.
  private static func renumbered(_ tree: JSONTree, _ key: String, _ kept: KeptTokens) -> JSONTree {
    var tree = tree
    if let id = newID(tree[key], kept) { tree[key] = id }
    return tree
  }

  /// An object whose values are ids.
  private static func renumbered(values tree: JSONTree, _ kept: KeptTokens) -> JSONTree {
    .object(
      (tree.members ?? []).compactMap { member in
        newID(member.value, kept).map { (member.key, $0) }
      })
  }

  private static func newID(_ tree: JSONTree?, _ kept: KeptTokens) -> JSONTree? {
    guard let id = tree?.integer.flatMap({ Int32(exactly: $0) }), let new = kept.newID(of: id)
    else { return nil }
    return .number("\(new)")
  }

  /// The part `post_processor`: ids in templates and in the pairs `sep` and `cls`.
  private static func renumbered(template: JSONTree, _ kept: KeptTokens) -> JSONTree {
    var tree = template
    if let parts = tree["processors"]?.array {
      tree["processors"] = .array(parts.map { renumbered(template: $0, kept) })
    }
    for key in ["sep", "cls"] {
      guard let pair = tree[key]?.array, pair.count == 2, let id = newID(pair[1], kept) else {
        continue
      }
      tree[key] = .array([pair[0], id])
    }
    if let tokens = tree["special_tokens"]?.members {
      tree["special_tokens"] = .object(
        tokens.map { member in
          var entry = member.value
          let ids = entry["ids"]?.array ?? []
          entry["ids"] = .array(ids.map { newID($0, kept) ?? $0 })
          return (member.key, entry)
        })
    }
    return tree
  }
}
