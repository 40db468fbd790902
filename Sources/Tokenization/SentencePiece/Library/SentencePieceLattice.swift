/// The pieces of a text whose scores have the largest sum, as the library SentencePiece (0.2.3) finds
/// them: sums are of `Float`, and of equal ones the first counts. SentencePiece up to 0.2.1 adds in
/// `Double` first, and may cut a run of one character elsewhere.
///
/// Source: Kudo, "Subword regularization", 2018, section 3.2; `EncodeOptimized` of SentencePiece's
/// Unigram model.
struct SentencePieceLattice: Sendable {
  /// How far an unknown character's score is below the lowest of all.
  private static let unknownPenalty: Float = 10

  private let trie: PieceTrie
  /// The score of each piece, by its place in the trie.
  private let scores: [Float]
  private let unknownScore: Float

  /// - Parameters:
  ///   - found: the pieces that a text can have.
  ///   - fixed: whether each is user-defined: then its own score does not count.
  init(_ found: [(text: String, score: Float, isFixed: Bool)]) {
    let usual = found.filter { !$0.isFixed }.map(\.score)
    // The library starts its search for the highest score at the smallest positive number.
    let highest = max(usual.max() ?? 0, Float.leastNormalMagnitude)
    trie = PieceTrie(found.map(\.text))
    scores = found.map { piece in
      piece.isFixed
        ? Float(Double(Float(piece.text.utf8.count) * highest) - 0.1) : piece.score
    }
    unknownScore =
      (usual.min() ?? Float.greatestFiniteMagnitude) - SentencePieceLattice.unknownPenalty
  }

  /// The best way to a place of a text.
  private struct Node {
    var sum: Float = 0
    /// Where the last piece on the way begins; -1 for a place that no way has reached yet.
    var start = -1
    var isKnown = false

    mutating func offer(_ candidate: Float, from start: Int, isKnown: Bool) {
      guard self.start < 0 || candidate > sum else { return }
      self = Node(sum: candidate, start: start, isKnown: isKnown)
    }
  }

  /// The pieces of a text in order; an unknown one is a single character.
  func pieces(of text: [UInt32]) -> [(range: Range<Int>, isKnown: Bool)] {
    var nodes = Array(repeating: Node(), count: text.count + 1)
    for start in text.indices { offerPieces(at: start, of: text, &nodes) }
    var pieces: [(range: Range<Int>, isKnown: Bool)] = []
    var end = text.count
    while end > 0 {
      pieces.append((nodes[end].start..<end, nodes[end].isKnown))
      end = nodes[end].start
    }
    return pieces.reversed()
  }

  private func offerPieces(at start: Int, of text: [UInt32], _ nodes: inout [Node]) {
    let sum = nodes[start].sum
    var place = PieceTrie.root
    var hasSingle = false
    for end in start + 1...text.count {
      guard let child = trie.child(of: place, text[end - 1]) else { break }
      place = child
      let piece = trie.id(at: place)
      guard piece >= 0 else { continue }
      nodes[end].offer(scores[Int(piece)] + sum, from: start, isKnown: true)
      if end == start + 1 { hasSingle = true }
    }
    if !hasSingle {
      nodes[start + 1].offer(unknownScore + sum, from: start, isKnown: false)
    }
  }
}
