/// Merges the bytes of a word into tokens, pair by pair in the order of the merges.
///
/// Source: Sennrich, Haddow and Birch, "Neural machine translation of rare words with subword
/// units", 2016, over bytes. A queue of pairs keeps a word of n bytes at n log n steps.
struct BytePairModel: Sendable {
  /// The suffix of a word's last byte in the vocabulary.
  static let wordEnd = "</w>"

  let vocabulary: Vocabulary
  let merges: MergeTable
  /// The id of each byte within a word.
  let innerIDs: [Int32]
  /// The id of each byte at the end of a word.
  let finalIDs: [Int32]

  /// Buffers, kept from word to word.
  struct Workspace {
    fileprivate var ids: [Int32] = []
    /// The places of the next and the previous token; -1 at the ends of the word.
    fileprivate var next: [Int32] = []
    fileprivate var previous: [Int32] = []
    fileprivate var queue = MergeQueue()

    init() {}
  }

  /// Appends the ids of a word that is not empty.
  func append(_ word: ArraySlice<UInt32>, to ids: inout [Int32], _ work: inout Workspace) {
    fill(&work, word)
    if work.ids.count > 1 { join(&work) }
    var place: Int32 = 0
    while place >= 0 {
      ids.append(work.ids[Int(place)])
      place = work.next[Int(place)]
    }
  }

  /// The bytes of the word in UTF-8 as tokens.
  private func fill(_ work: inout Workspace, _ word: ArraySlice<UInt32>) {
    work.ids.removeAll(keepingCapacity: true)
    var last: UInt8 = 0
    for scalar in word {
      UTF8Bytes.forEach(of: scalar) { byte in
        work.ids.append(innerIDs[Int(byte)])
        last = byte
      }
    }
    let count = work.ids.count
    work.ids[count - 1] = finalIDs[Int(last)]
    work.next.removeAll(keepingCapacity: true)
    work.previous.removeAll(keepingCapacity: true)
    for place in 0..<count {
      work.next.append(place + 1 < count ? Int32(place + 1) : -1)
      work.previous.append(Int32(place - 1))
    }
  }

  private func join(_ work: inout Workspace) {
    for place in 0..<work.ids.count - 1 { enqueue(place, &work) }
    while let (rank, place) = work.queue.pop() {
      // Tokens that went into another have the id -1; then, or when a neighbour has changed since,
      // the pair no longer exists.
      guard work.ids[place] >= 0, work.next[place] >= 0 else { continue }
      let right = Int(work.next[place])
      guard let merge = merges.merge(work.ids[place], work.ids[right]), merge.rank == rank else {
        continue
      }
      work.ids[place] = merge.id
      work.ids[right] = -1
      work.next[place] = work.next[right]
      if work.next[place] >= 0 {
        work.previous[Int(work.next[place])] = Int32(place)
        enqueue(place, &work)
      }
      if work.previous[place] >= 0 { enqueue(Int(work.previous[place]), &work) }
    }
  }

  private func enqueue(_ place: Int, _ work: inout Workspace) {
    let right = work.ids[Int(work.next[place])]
    guard let merge = merges.merge(work.ids[place], right) else { return }
    work.queue.push(rank: merge.rank, place: place)
  }
}
