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

  func model(_ vocabulary: Vocabulary) throws(JSONError) -> BytePairModel {
    if part.has("unk_token") {
      let unknown = try part.string("unk_token")
      guard vocabulary.id(of: unknown) != nil else {
        throw part.error(
          "unk_token '\(unknown.prefix(60))' is not in the vocabulary",
          at: try part.required("unk_token").position)
      }
    }
    return BytePairModel(
      vocabulary: vocabulary, merges: try merges(vocabulary),
      innerIDs: try byteIDs(vocabulary, suffix: ""),
      finalIDs: try byteIDs(vocabulary, suffix: BytePairModel.wordEnd))
  }

  /// The ids of all bytes; a missing one is an error, so that every word can be encoded.
  private func byteIDs(_ vocabulary: Vocabulary, suffix: String) throws(JSONError) -> [Int32] {
    var ids: [Int32] = []
    for (byte, scalar) in ByteAlphabet.scalars.enumerated() {
      let token = (Unicode.Scalar(scalar).map { String($0) } ?? "") + suffix
      guard let id = vocabulary.id(of: token) else {
        throw part.error(
          "byte \(byte) has no token: '\(token)' is not in the vocabulary",
          at: try part.required("vocab").position)
      }
      ids.append(id)
    }
    return ids
  }

  private func merges(_ vocabulary: Vocabulary) throws(JSONError) -> MergeTable {
    let nodes = try part.array("merges")
    var table = MergeTable(capacity: nodes.count)
    // The highest rank that makes each token.
    var makers: [Int32: Int] = [:]
    if isOrdered { makers.reserveCapacity(nodes.count) }
    for (rank, node) in nodes.enumerated() {
      let (text, cut) = try halves(of: node, rank)
      let ids = try ids(of: text, cut, node, rank, vocabulary)
      if let first = table.append(ids.left, ids.right, id: ids.whole) {
        throw fault(rank, text, cut, "appears twice, first as merge \(first)", node)
      }
      if isOrdered { makers[ids.whole] = rank }
    }
    if isOrdered { try checkOrder(nodes, makers, vocabulary) }
    return table
  }

  private func checkOrder(
    _ nodes: [JSONNode], _ makers: [Int32: Int], _ vocabulary: Vocabulary
  ) throws(JSONError) {
    for (rank, node) in nodes.enumerated() {
      let (text, cut) = try halves(of: node, rank)
      let ids = try ids(of: text, cut, node, rank, vocabulary)
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
    of text: [UInt32], _ cut: Int, _ node: JSONNode, _ rank: Int, _ vocabulary: Vocabulary
  ) throws(JSONError) -> (left: Int32, right: Int32, whole: Int32) {
    let id = { (range: Range<Int>) in
      let hash = text[range].reduce(Vocabulary.emptyHash, Vocabulary.extend)
      return vocabulary.id(hash: hash, prefix: [], text, range)
    }
    if let left = id(0..<cut), let right = id(cut..<text.count), let whole = id(text.indices) {
      return (left, right, whole)
    }
    let missing = [0..<cut, cut..<text.count, text.indices].first { id($0) == nil } ?? text.indices
    throw fault(
      rank, text, cut, "needs '\(string(text[missing]))', which is not in the vocabulary", node)
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

/// The characters that write bytes in byte-pair vocabularies.
///
/// Bytes that are visible characters of Latin-1 are written as themselves; the others, in order, as
/// the scalars from U+0100 on. Source: Radford et al., "Language models are unsupervised multitask
/// learners", 2019, section 2.2, as their released vocabularies have it.
enum ByteAlphabet {
  /// By byte.
  static let scalars: [UInt32] = {
    var scalars: [UInt32] = []
    var next: UInt32 = 0x100
    for byte: UInt32 in 0..<256 {
      switch byte {
      case 0x21...0x7E, 0xA1...0xAC, 0xAE...0xFF: scalars.append(byte)
      default:
        scalars.append(next)
        next += 1
      }
    }
    return scalars
  }()
}
