import StrictJSON

/// Byte pairs: the merge of the lowest rank first. A token stays with every merge that makes it and
/// their parts, so that each merge of a kept text still happens, in its order.
struct MergedPieces: ReducibleModel {
  let ids: [ExactString: Int32]
  /// The pairs that make a token, by its id.
  private var parts: [Int32: [(left: Int32, right: Int32)]] = [:]
  private let always: Set<Int32>

  init(_ part: JSONTree) {
    let ids = part["vocab"]?.pieceIDs ?? [:]
    let suffix = part["end_of_word_suffix"]?.string ?? ""
    var always = Set(
      ids.filter { ReducibleModels.isByte($0.key.string) || Self.isLetter($0.key.string, suffix) }
        .values)
    if let unknown = part["unk_token"]?.string.flatMap({ ids[ExactString($0)] }) {
      always.insert(unknown)
    }
    self.ids = ids
    self.always = always
    let prefix = part["continuing_subword_prefix"]?.string ?? ""
    for merge in part["merges"]?.array ?? [] {
      guard let (left, right) = Self.pair(merge), let made = id(joining: left, right, prefix),
        let first = id(of: left), let second = id(of: right)
      else { continue }
      parts[made, default: []].append((first, second))
    }
  }

  private func id(of piece: String) -> Int32? { ids[ExactString(piece)] }

  func needed(by ids: Set<Int32>) -> Set<Int32> {
    var needed = always
    var open = Array(ids.union(always))
    var seen = Set(open)
    while let id = open.popLast() {
      for (left, right) in parts[id] ?? [] {
        for part in [left, right] where seen.insert(part).inserted { open.append(part) }
      }
      needed.insert(id)
    }
    return needed
  }

  func reduced(_ part: JSONTree, keeping kept: KeptTokens) -> JSONTree {
    var part = part
    part["vocab"] = part["vocab"]?.reducedPieces(keeping: kept)
    let prefix = part["continuing_subword_prefix"]?.string ?? ""
    part["merges"] = .array(
      (part["merges"]?.array ?? []).filter { merge in
        guard let (left, right) = Self.pair(merge) else { return false }
        return [id(of: left), id(of: right), id(joining: left, right, prefix)].allSatisfy {
          $0.flatMap(kept.newID) != nil
        }
      })
    return part
  }

  /// The token that a merge makes; the right part loses the prefix of pieces that continue a word.
  private func id(joining left: String, _ right: String, _ prefix: String) -> Int32? {
    let tail =
      right.utf8.starts(with: prefix.utf8)
      ? right.utf8.dropFirst(prefix.utf8.count) : right.utf8[...]
    return id(of: left + String(decoding: tail, as: UTF8.self))
  }

  /// Both parts of a merge, which is written as one text with a space or as a list of two.
  private static func pair(_ merge: JSONTree) -> (left: String, right: String)? {
    if let both = merge.array {
      guard both.count == 2, let left = both[0].string, let right = both[1].string else {
        return nil
      }
      return (left, right)
    }
    guard let text = merge.string, let space = text.utf8.firstIndex(of: UInt8(ascii: " ")) else {
      return nil
    }
    let behind = text.utf8.index(after: space)
    return (
      String(decoding: text.utf8[..<space], as: UTF8.self),
      String(decoding: text.utf8[behind...], as: UTF8.self)
    )
  }

  /// Whether a piece is one letter of the alphabet for bytes, at the end of a word or not.
  ///
  /// Source: the table `bytes_to_unicode` of GPT-2.
  private static func isLetter(_ piece: String, _ suffix: String) -> Bool {
    let isEnd =
      !suffix.isEmpty && piece.utf8.count > suffix.utf8.count
      && piece.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    let bare = isEnd ? piece.utf8.dropLast(suffix.utf8.count) : piece.utf8[...]
    let scalars = String(decoding: bare, as: UTF8.self).unicodeScalars
    guard scalars.count == 1, let scalar = scalars.first?.value else { return false }
    return 0x21...0x7E ~= scalar || 0xA1...0xAC ~= scalar || 0xAE...0x143 ~= scalar
  }
}
