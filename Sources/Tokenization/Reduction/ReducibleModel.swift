import StrictJSON

/// The part `model` of a `tokenizer.json`, from which tokens can be dropped.
protocol ReducibleModel: Sendable {
  /// Every piece and its id.
  var ids: [ExactString: Int32] { get }
  /// The ids without which texts that use `ids` would be segmented in another way, or could not be.
  func needed(by ids: Set<Int32>) -> Set<Int32>
  /// The part without dropped tokens, ids renumbered.
  func reduced(_ part: JSONTree, keeping kept: KeptTokens) -> JSONTree
}

/// Reads the kinds of model from which tokens can be dropped.
enum ReducibleModels {
  static func model(
    _ type: String, _ part: JSONObject
  ) throws(PreprocessingError) -> any ReducibleModel {
    switch type {
    case "WordPiece", "WordLevel": return WholePieces(JSONTree(part))
    case "BPE": return MergedPieces(JSONTree(part))
    case "Unigram": return ScoredPieces(JSONTree(part))
    default:
      throw part.unsupported(
        "model whose tokens can be dropped", type, at: "type",
        known: ["BPE", "Unigram", "WordLevel", "WordPiece"])
    }
  }

  /// Pieces for one byte: `<0x0A>`.
  static func isByte(_ piece: String) -> Bool {
    let text = piece.utf8
    return text.count == 6 && text.starts(with: "<0x".utf8) && text.last == UInt8(ascii: ">")
      && UInt8(piece.dropFirst(3).prefix(2), radix: 16) != nil
  }
}

extension JSONTree {
  /// The ids of an object of pieces, by the pieces' bytes.
  var pieceIDs: [ExactString: Int32] {
    Dictionary(
      (members ?? []).compactMap { member in
        member.value.integer.flatMap { Int32(exactly: $0) }.map { (ExactString(member.key), $0) }
      }
    ) { first, _ in first }
  }

  /// An object of pieces without the dropped ones, in its order.
  func reducedPieces(keeping kept: KeptTokens) -> JSONTree {
    .object(
      (members ?? []).compactMap { member in
        guard let id = member.value.integer.flatMap({ Int32(exactly: $0) }),
          let new = kept.newID(of: id)
        else { return nil }
        return (member.key, .number("\(new)"))
      })
  }
}

/// WordPiece and WordLevel: the longest piece that fits, or the whole word. Other pieces never matter.
struct WholePieces: ReducibleModel {
  let ids: [ExactString: Int32]
  private let unknown: Int32?

  init(_ part: JSONTree) {
    ids = part["vocab"]?.pieceIDs ?? [:]
    unknown = part["unk_token"]?.string.flatMap { [ids] in ids[ExactString($0)] }
  }

  func needed(by ids: Set<Int32>) -> Set<Int32> { Set([unknown].compactMap(\.self)) }

  func reduced(_ part: JSONTree, keeping kept: KeptTokens) -> JSONTree {
    var part = part
    part["vocab"] = part["vocab"]?.reducedPieces(keeping: kept)
    return part
  }
}

/// Unigram: the segmentation of the highest score. The unknown piece's score follows from the lowest
/// one, which stays for that reason.
struct ScoredPieces: ReducibleModel {
  let ids: [ExactString: Int32]
  private let always: Set<Int32>

  init(_ part: JSONTree) {
    let pieces = (part["vocab"]?.array ?? []).map { $0.array ?? [] }
    var ids: [ExactString: Int32] = [:]
    var always: Set<Int32> = []
    var lowest: (score: Double, id: Int32)?
    for (index, entry) in pieces.enumerated() {
      guard entry.count == 2, let piece = entry[0].string, case .number(let digits) = entry[1],
        let score = Double(digits)
      else { continue }
      let id = Int32(index)
      ids[ExactString(piece)] = id
      if ReducibleModels.isByte(piece) { always.insert(id) }
      if score < lowest?.score ?? .infinity { lowest = (score, id) }
    }
    if let unknown = part["unk_id"]?.integer.flatMap({ Int32(exactly: $0) }) {
      always.insert(unknown)
    }
    if let lowest { always.insert(lowest.id) }
    self.ids = ids
    self.always = always
  }

  func needed(by ids: Set<Int32>) -> Set<Int32> { always }

  func reduced(_ part: JSONTree, keeping kept: KeptTokens) -> JSONTree {
    var part = part
    let pieces = part["vocab"]?.array ?? []
    part["vocab"] = .array(kept.ids.filter { $0 < pieces.count }.map { pieces[Int($0)] })
    if let unknown = part["unk_id"]?.integer.flatMap({ Int32(exactly: $0) }),
      let new = kept.newID(of: unknown)
    {
      part["unk_id"] = .number("\(new)")
    }
    return part
  }
}
