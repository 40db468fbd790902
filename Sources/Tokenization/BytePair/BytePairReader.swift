import StrictJSON

/// Reads the part `model` of a byte-pair tokenizer's file.
struct BytePairReader {
  private let part: JSONObject
  /// Whether a merge must come after those that make its halves.
  ///
  /// OpenCLIP applies one merge everywhere in a word before it looks for the next, Hugging Face's
  /// library always applies the first of all: the same if merges are in order, as learned ones are.
  private let isOrdered: Bool

  init(_ part: JSONObject, isOrdered: Bool) {
    self.part = part
    self.isOrdered = isOrdered
  }

  /// - Throws: what of the part is malformed, and a merge of tokens that the vocabulary lacks.
  func model(_ vocabulary: Vocabulary) throws(JSONError) -> BytePairModel {
    guard vocabulary.count > 0 else {
      throw part.error("'vocab' is empty", at: try part.required("vocab").position)
    }
    let settings = try settings(vocabulary)
    return BytePairModel(
      vocabulary: vocabulary, merges: try merges(vocabulary, settings.prefix), settings: settings)
  }

  private func settings(_ vocabulary: Vocabulary) throws(JSONError) -> BytePairModel.Settings {
    let flag = { (key: String) throws(JSONError) in part.has(key) ? try part.bool(key) : false }
    var settings = BytePairModel.Settings(
      prefix: try affix("continuing_subword_prefix"), suffix: try affix("end_of_word_suffix"),
      fusesUnknown: try flag("fuse_unk"), ignoresMerges: try flag("ignore_merges"))
    if part.has("unk_token") {
      let unknown = try part.string("unk_token")
      guard let id = vocabulary.id(of: unknown) else {
        throw part.error(
          "unk_token '\(unknown.prefix(60))' is not in the vocabulary",
          at: try part.required("unk_token").position)
      }
      settings.unknownID = id
    }
    if try flag("byte_fallback") { settings.byteIDs = vocabulary.byteIDs }
    return settings
  }

  private func affix(_ key: String) throws(JSONError) -> [UInt32] {
    part.has(key) ? try part.string(key).unicodeScalars.map(\.value) : []
  }

  private func merges(
    _ vocabulary: Vocabulary, _ prefix: [UInt32]
  ) throws(JSONError) -> MergeTable {
    let nodes = try part.array("merges").filter { !isVersion($0) }
    var table = MergeTable(capacity: nodes.count)
    // The highest rank that makes each token.
    var makers: [Int32: Int] = [:]
    if isOrdered { makers.reserveCapacity(nodes.count) }
    for (rank, node) in nodes.enumerated() {
      let (text, cut) = try halves(of: node, rank)
      let ids = try ids(of: text, cut, node, rank, vocabulary, prefix)
      if let first = table.append(ids.left, ids.right, id: ids.whole) {
        throw fault(rank, text, cut, "appears twice, first as merge \(first)", node)
      }
      if isOrdered { makers[ids.whole] = rank }
    }
    if isOrdered { try checkOrder(nodes, makers, vocabulary, prefix) }
    return table
  }

  /// Whether an entry is the first line of a file of merges, which the library leaves out.
  private func isVersion(_ node: JSONNode) -> Bool {
    node.string?.unicodeScalars.starts(with: "#version".unicodeScalars) ?? false
  }

  private func checkOrder(
    _ nodes: [JSONNode], _ makers: [Int32: Int], _ vocabulary: Vocabulary, _ prefix: [UInt32]
  ) throws(JSONError) {
    for (rank, node) in nodes.enumerated() {
      let (text, cut) = try halves(of: node, rank)
      let ids = try ids(of: text, cut, node, rank, vocabulary, prefix)
      for half in [ids.left, ids.right] {
        guard let maker = makers[half], maker >= rank else { continue }
        throw fault(rank, text, cut, "comes before merge \(maker), which makes a half of it", node)
      }
    }
  }

  /// The scalars of both halves, end to end, and where the second begins.
  private func halves(of node: JSONNode, _ rank: Int) throws(JSONError) -> ([UInt32], Int) {
    if let text = node.string {
      var scalars = text.unicodeScalars.map(\.value)
      if let space = scalars.firstIndex(of: 0x20), scalars.lastIndex(of: 0x20) == space {
        scalars.remove(at: space)
        return (scalars, space)
      }
      throw part.error(
        "merge \(rank) is '\(text.prefix(60))', expected two tokens with a space between",
        at: node.position)
    }
    if let pair = node.array, pair.count == 2, let left = pair[0].string, let right = pair[1].string
    {
      let scalars = left.unicodeScalars.map(\.value)
      return (scalars + right.unicodeScalars.map(\.value), scalars.count)
    }
    throw part.error(
      "merge \(rank) is \(node.kind), expected two tokens", at: node.position)
  }

  private func ids(
    of text: [UInt32], _ cut: Int, _ node: JSONNode, _ rank: Int, _ vocabulary: Vocabulary,
    _ prefix: [UInt32]
  ) throws(JSONError) -> (left: Int32, right: Int32, whole: Int32) {
    let (left, right) = (text[..<cut], text[cut...])
    guard right.starts(with: prefix) else {
      throw fault(rank, text, cut, "needs '\(string(prefix[...]))' before its second half", node)
    }
    var found: [Int32] = []
    for piece in [left, right, left + right.dropFirst(prefix.count)] {
      guard let id = vocabulary.id(of: piece) else {
        throw fault(
          rank, text, cut, "needs '\(string(piece))', which is not in the vocabulary", node)
      }
      found.append(id)
    }
    return (found[0], found[1], found[2])
  }

  private func fault(
    _ rank: Int, _ text: [UInt32], _ cut: Int, _ what: String, _ node: JSONNode
  ) -> JSONError {
    part.error(
      "merge \(rank), '\(string(text[..<cut])) \(string(text[cut...]))', \(what)",
      at: node.position)
  }

  private func string(_ scalars: ArraySlice<UInt32>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars.prefix(60).compactMap { Unicode.Scalar($0) })
    return String(text)
  }
}

extension Vocabulary {
  /// The ids of the pieces of all bytes for characters that are missing, as `<0x0A>`; -1 for a piece
  /// that is not there.
  var byteIDs: [Int32] {
    (0...UInt8.max).map { id(of: Vocabulary.piece(of: $0)) ?? -1 }
  }

  /// The scalars of the piece of a byte.
  static func piece(of byte: UInt8) -> [UInt32] {
    let digits = String(byte, radix: 16, uppercase: true)
    return ("<0x" + (digits.count < 2 ? "0" : "") + digits + ">").unicodeScalars.map(\.value)
  }
}
