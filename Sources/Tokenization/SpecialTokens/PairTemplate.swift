/// The special tokens before, between and behind two texts, and the type of each token.
struct PairTemplate: Equatable, Sendable {
  /// What stands at a place.
  enum Content: Equatable, Sendable {
    case special([Int32])
    case first
    case second
  }

  /// A place and the type of its tokens.
  struct Part: Equatable, Sendable {
    let content: Content
    let type: Int32
  }

  let parts: [Part]

  /// BERT's: `[CLS] A [SEP] B [SEP]`, from B on of type 1.
  static func bert(_ classifier: Int32, _ separator: Int32) -> PairTemplate {
    PairTemplate(parts: [
      Part(content: .special([classifier]), type: 0), Part(content: .first, type: 0),
      Part(content: .special([separator]), type: 0), Part(content: .second, type: 1),
      Part(content: .special([separator]), type: 1),
    ])
  }

  /// RoBERTa's: `<s> A </s> </s> B </s>`, all of type 0.
  static func roberta(_ classifier: Int32, _ separator: Int32) -> PairTemplate {
    PairTemplate(parts: [
      Part(content: .special([classifier]), type: 0), Part(content: .first, type: 0),
      Part(content: .special([separator]), type: 0), Part(content: .special([separator]), type: 0),
      Part(content: .second, type: 0),
      Part(content: .special([separator]), type: 0),
    ])
  }

  /// One text behind the other.
  static let bare = PairTemplate(parts: [
    Part(content: .first, type: 0), Part(content: .second, type: 1),
  ])

  /// Number of special tokens.
  private var count: Int {
    parts.reduce(0) { sum, part in
      if case .special(let ids) = part.content { sum + ids.count } else { sum }
    }
  }

  /// Two texts with the special tokens, at most `maximumLength` ids; below the number of special
  /// tokens just these.
  ///
  /// - Parameter side: the end at which each text is cut.
  func tokens(
    around first: [Int32], _ second: [Int32], maximumLength: Int, cutting side: TextSide
  ) -> TextTokens {
    let room = max(0, maximumLength - count)
    let kept = Self.longestFirst(first.count, second.count, room: room)
    let cut = { (ids: [Int32], count: Int) in
      Array(side == .right ? ids.prefix(count) : ids.suffix(count))
    }
    var tokens = TextTokens([])
    for part in parts {
      let ids =
        switch part.content {
        case .special(let ids): ids
        case .first: cut(first, kept.first)
        case .second: cut(second, kept.second)
        }
      tokens.ids += ids
      tokens.types += Array(repeating: part.type, count: ids.count)
    }
    return tokens
  }

  /// The tokens that two texts keep: the longer one is cut to the length of the shorter; if both
  /// are still too long, they share the room, and of an odd number the longer one has one more. Of
  /// equally long ones it is the second.
  ///
  /// Source: `LongestFirst` in `truncate_encodings` of Hugging Face's library `tokenizers` 0.22. Where
  /// both texts are longer than the room, and that is odd, 0.23 may give the one more to the other
  /// text, because it stops reading a text once it fills the room.
  static func longestFirst(_ first: Int, _ second: Int, room: Int) -> (first: Int, second: Int) {
    guard first + second > room else { return (first, second) }
    var shorter = min(first, second)
    var longer = shorter > room ? shorter : max(shorter, room - shorter)
    if shorter + longer > room {
      shorter = room / 2
      longer = shorter + room % 2
    }
    return first > second ? (longer, shorter) : (shorter, longer)
  }
}
