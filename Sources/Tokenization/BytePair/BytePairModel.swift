/// Merges the characters of a word into tokens, pair by pair in the order of the merges, as Hugging
/// Face's library does.
///
/// Source: Sennrich, Haddow and Birch, "Neural machine translation of rare words with subword
/// units", 2016. A queue of pairs keeps a word of n characters at n log n steps.
struct BytePairModel: WordModel {
  /// How a word becomes tokens before any is merged.
  struct Settings: Equatable, Sendable {
    /// Before every character of a word but the first, in the vocabulary.
    var prefix: [UInt32] = []
    /// Behind the last character of a word, in the vocabulary.
    var suffix: [UInt32] = []
    /// The id of a character that the vocabulary does not have; nil leaves it out.
    var unknownID: Int32?
    /// Whether such characters in a row are one token.
    var fusesUnknown = false
    /// The ids of all bytes, for characters that the vocabulary does not have; -1 is a missing one.
    var byteIDs: [Int32]?
    /// Whether a word that is a piece of the vocabulary is not put together from merges.
    var ignoresMerges = false
  }

  let vocabulary: Vocabulary
  let merges: MergeTable
  let settings: Settings
  /// The ids of the first scalars, within a word and at its end; -1 without an id. Empty if a prefix
  /// changes them.
  private let innerIDs: [Int32]
  private let finalIDs: [Int32]

  init(vocabulary: Vocabulary, merges: MergeTable, settings: Settings) {
    self.vocabulary = vocabulary
    self.merges = merges
    self.settings = settings
    // Beyond the alphabet of bytes.
    let scalars = settings.prefix.isEmpty ? Array(UInt32(0)..<0x180) : []
    innerIDs = scalars.map { vocabulary.id(of: [$0]) ?? -1 }
    finalIDs = scalars.map { vocabulary.id(of: [$0] + settings.suffix) ?? -1 }
  }

  /// Buffers, kept from word to word.
  struct Workspace {
    fileprivate var ids: [Int32] = []
    /// The places of the next and the previous token; -1 at the ends of the word.
    fileprivate var next: [Int32] = []
    fileprivate var previous: [Int32] = []
    fileprivate var queue = MergeQueue()

    init() {}
  }

  func makeWorkspace() -> Workspace { Workspace() }

  /// Appends the ids of a word.
  func append(
    _ word: Range<Int>, of text: [UInt32], to ids: inout [Int32], _ work: inout Workspace
  ) {
    if settings.ignoresMerges, let id = vocabulary.id(of: text[word]) {
      ids.append(id)
      return
    }
    work.ids.removeAll(keepingCapacity: true)
    fill(&work.ids, word, of: text)
    guard work.ids.count > 1 else {
      ids += work.ids
      return
    }
    link(&work)
    join(&work)
    ids += work.ids.lazy.filter { $0 >= 0 }
  }

  // MARK: Characters

  /// The characters of the word as tokens.
  private func fill(_ ids: inout [Int32], _ word: Range<Int>, of text: [UInt32]) {
    var unknown: Int32?
    for index in word {
      let isLast = index == word.upperBound - 1
      if let id = id(of: text[index], isFirst: index == word.lowerBound, isLast: isLast) {
        if let unknown { ids.append(unknown) }
        unknown = nil
        ids.append(id)
      } else if let bytes = bytes(of: text[index], index == word.lowerBound, isLast) {
        // An unknown one before them goes behind them, as in the library.
        ids += bytes
      } else if let id = settings.unknownID {
        if let unknown, !settings.fusesUnknown { ids.append(unknown) }
        unknown = id
      }
    }
    if let unknown { ids.append(unknown) }
  }

  private func id(of scalar: UInt32, isFirst: Bool, isLast: Bool) -> Int32? {
    guard scalar < innerIDs.count else {
      return vocabulary.id(of: spelling(of: scalar, isFirst, isLast))
    }
    let id = isLast ? finalIDs[Int(scalar)] : innerIDs[Int(scalar)]
    return id < 0 ? nil : id
  }

  private func spelling(of scalar: UInt32, _ isFirst: Bool, _ isLast: Bool) -> [UInt32] {
    (isFirst ? [] : settings.prefix) + [scalar] + (isLast ? settings.suffix : [])
  }

  /// The ids of all bytes of a character; nil if one is missing.
  private func bytes(of scalar: UInt32, _ isFirst: Bool, _ isLast: Bool) -> [Int32]? {
    guard let byteIDs = settings.byteIDs else { return nil }
    var ids: [Int32] = []
    for scalar in spelling(of: scalar, isFirst, isLast) {
      UTF8Bytes.forEach(of: scalar) { ids.append(byteIDs[Int($0)]) }
    }
    return ids.contains(-1) ? nil : ids
  }

  // MARK: Merges

  private func link(_ work: inout Workspace) {
    let count = Int32(work.ids.count)
    work.next.removeAll(keepingCapacity: true)
    work.previous.removeAll(keepingCapacity: true)
    work.next += 1..<count
    work.next.append(-1)
    work.previous += -1..<count - 1
  }

  private func join(_ work: inout Workspace) {
    for place in 0..<work.ids.count - 1 { enqueue(place, &work) }
    while let (rank, place) = work.queue.pop() {
      // Tokens that went into another have the id -1; then, or when a neighbour has changed since,
      // the pair no longer exists.
      guard work.ids[place] >= 0, work.next[place] >= 0 else { continue }
      let right = Int(work.next[place])
      let id = merges.id(ofRank: rank)
      guard merges.merge(work.ids[place], work.ids[right])?.id == id else { continue }
      work.ids[place] = id
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

extension BytePairModel {
  /// Whether every text can be spelt: each byte has a token, as a character or for characters that
  /// are missing.
  var spellsEveryByte: Bool {
    let hasBytes = settings.byteIDs.map { !$0.contains(-1) } ?? false
    return hasBytes
      || ByteAlphabet.scalars.allSatisfy {
        id(of: $0, isFirst: true, isLast: false) != nil
          && id(of: $0, isFirst: false, isLast: true) != nil
      }
  }
}

extension Vocabulary {
  /// The id of a piece of these scalars.
  func id(of scalars: some Collection<UInt32>) -> Int32? {
    let text = Array(scalars)
    return id(
      hash: text.reduce(Vocabulary.emptyHash, Vocabulary.extend), prefix: [], text, text.indices)
  }
}
