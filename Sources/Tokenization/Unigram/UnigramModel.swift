/// Splits a word into the pieces whose scores have the largest sum.
///
/// Source: Kudo, "Subword regularization: improving neural network translation models with multiple
/// subword candidates", 2018, section 3.2, by dynamic programming from left to right, with the
/// choices of Hugging Face's library where sums are equal and where a character is unknown.
struct UnigramModel: WordModel {
  /// How far an unknown character's score is below the lowest of all.
  private static let unknownPenalty = 10.0

  let vocabulary: Vocabulary
  /// The score of each piece, by id.
  let scores: [Double]
  let unknownID: Int32
  /// The ids of the 256 bytes, where unknown characters are spelt in bytes; -1 for a byte that is no
  /// piece.
  let byteIDs: [Int32]?
  private let trie: PieceTrie
  private let unknownScore: Double

  /// - Parameters:
  ///   - vocabulary: has the place of each piece as its id.
  ///   - pieces: at least one, each once.
  init(
    _ pieces: [String], _ scores: [Double], _ vocabulary: Vocabulary, unknownID: Int32,
    byteIDs: [Int32]?
  ) {
    self.vocabulary = vocabulary
    self.scores = scores
    self.unknownID = unknownID
    self.byteIDs = byteIDs
    trie = PieceTrie(pieces)
    unknownScore = (scores.min() ?? 0) - UnigramModel.unknownPenalty
  }

  /// The best way to each place of a word, kept from word to word.
  struct Workspace {
    /// The largest sum of scores up to a place.
    fileprivate var sums: [Double] = []
    /// Where the last piece on the way begins; -1 for a place that no way has reached yet.
    fileprivate var starts: [Int32] = []
    /// The last piece on the way.
    fileprivate var ids: [Int32] = []
    /// The pieces of the best way to the end, from the last to the first.
    fileprivate var pieces: [Range<Int>] = []

    fileprivate mutating func begin(_ count: Int) {
      sums.removeAll(keepingCapacity: true)
      starts.removeAll(keepingCapacity: true)
      ids.removeAll(keepingCapacity: true)
      sums.append(contentsOf: repeatElement(0, count: count + 1))
      starts.append(contentsOf: repeatElement(-1, count: count + 1))
      ids.append(contentsOf: repeatElement(0, count: count + 1))
    }

    /// Takes a piece onto the way to its end if that has no way yet, or one of a smaller sum.
    fileprivate mutating func offer(_ id: Int32, _ piece: Range<Int>, _ score: Double) {
      let sum = score + sums[piece.lowerBound]
      guard starts[piece.upperBound] < 0 || sum > sums[piece.upperBound] else { return }
      sums[piece.upperBound] = sum
      starts[piece.upperBound] = Int32(piece.lowerBound)
      ids[piece.upperBound] = id
    }
  }

  func makeWorkspace() -> Workspace { Workspace() }

  func append(
    _ word: Range<Int>, of text: [UInt32], to ids: inout [Int32], _ work: inout Workspace
  ) {
    work.begin(word.count)
    for start in 0..<word.count { offerPieces(at: start, of: word, text, &work) }
    collect(word.count, &work)
    for piece in work.pieces.reversed() {
      let id = work.ids[piece.upperBound]
      if id == unknownID {
        let place = word.lowerBound + piece.lowerBound
        appendUnknown(text[place..<place + piece.count], to: &ids)
      } else {
        ids.append(id)
      }
    }
  }

  /// Offers every piece that a place of the word begins with, the shortest first, and the unknown
  /// token where the single character has no piece.
  private func offerPieces(
    at start: Int, of word: Range<Int>, _ text: [UInt32], _ work: inout Workspace
  ) {
    var node = PieceTrie.root
    var hasSingle = false
    for end in start + 1...word.count {
      guard let child = trie.child(of: node, text[word.lowerBound + end - 1]) else { break }
      node = child
      let id = trie.id(at: node)
      guard id >= 0 else { continue }
      work.offer(id, start..<end, scores[Int(id)])
      if end == start + 1 { hasSingle = true }
    }
    if !hasSingle { work.offer(unknownID, start..<start + 1, unknownScore) }
  }

  /// Follows the best way back from the end; neighbouring unknown pieces become one.
  private func collect(_ count: Int, _ work: inout Workspace) {
    work.pieces.removeAll(keepingCapacity: true)
    var end = count
    while end > 0 {
      var start = Int(work.starts[end])
      if work.ids[end] == unknownID {
        while start > 0, work.ids[start] == unknownID { start = Int(work.starts[start]) }
      }
      work.pieces.append(start..<end)
      end = start
    }
  }

  /// Appends the ids of unknown characters: the piece that they are together, else their bytes, else
  /// the unknown token once.
  private func appendUnknown(_ characters: ArraySlice<UInt32>, to ids: inout [Int32]) {
    let hash = characters.reduce(Vocabulary.emptyHash, Vocabulary.extend)
    let text = Array(characters)
    if let id = vocabulary.id(hash: hash, prefix: [], text, text.indices) {
      ids.append(id)
    } else if !appendBytes(of: text, to: &ids) {
      ids.append(unknownID)
    }
  }

  /// Appends the ids of a text's bytes, unless one of them has no piece.
  private func appendBytes(of text: [UInt32], to ids: inout [Int32]) -> Bool {
    guard let byteIDs else { return false }
    let count = ids.count
    for scalar in text {
      UTF8Bytes.forEach(of: scalar) { ids.append(byteIDs[Int($0)]) }
    }
    guard !ids[count...].contains(-1) else {
      ids.removeSubrange(count...)
      return false
    }
    return true
  }
}
