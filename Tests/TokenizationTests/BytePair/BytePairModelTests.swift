import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

struct BytePairModelTests {
  @Test func alphabetIsThatOfReleasedVocabularies() {
    let scalars = ByteAlphabet.scalars
    #expect(scalars.count == 256 && Set(scalars).count == 256)
    #expect(scalars[0] == 0x100 && scalars[0x20] == 0x120 && scalars[0x21] == 0x21)
    #expect(scalars[0x7F] == 0x121 && scalars[0xA0] == 0x142 && scalars[0xAD] == 0x143)
    #expect(scalars[0xFF] == 0xFF)
  }

  @Test func queueGivesTheLowestFirst() {
    var generator = SeededGenerator(seed: 7)
    for count in [0, 1, 2, 3, 10, 1000] {
      var queue = MergeQueue()
      var entries: [[Int]] = []
      for _ in 0..<count {
        let rank = Int.random(in: 0..<20, using: &generator)
        let place = Int.random(in: 0..<1000, using: &generator)
        queue.push(rank: Int32(rank), place: place)
        entries.append([rank, place])
      }
      var popped: [[Int]] = []
      while let (rank, place) = queue.pop() { popped.append([Int(rank), place]) }
      #expect(popped == entries.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) })
    }
  }

  @Test func tableFindsWhatWasPutIn() {
    var generator = SeededGenerator(seed: 8)
    var table = MergeTable(capacity: 3000)
    var known: [[Int32]: MergeTable.Merge] = [:]
    for _ in 0..<3000 {
      let pair = [
        Int32.random(in: 0..<100, using: &generator), .random(in: 0..<100, using: &generator),
      ]
      let id = Int32.random(in: 0..<Int32.max, using: &generator)
      let first = table.append(pair[0], pair[1], id: id)
      #expect(first == known[pair]?.rank)
      if first == nil { known[pair] = MergeTable.Merge(rank: Int32(known.count), id: id) }
    }
    for left: Int32 in 0..<100 {
      for right: Int32 in 0..<100 { #expect(table.merge(left, right) == known[[left, right]]) }
    }
    #expect(MergeTable(capacity: 0).merge(0, 0) == nil)
  }

  /// Random merges over a few letters against the plain way: again and again the first of all pairs.
  @Test func joinsAsThePlainWay() throws {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<200 {
      let merges = SeededGenerator.merges(using: &generator)
      var small = SmallBytePairs()
      let vocabulary = SmallBytePairs.vocabulary(merges)
      small.model["vocab"] = SmallTokenizer.ids(of: vocabulary)
      small.model["merges"] = .array(merges.map { .string($0) })
      let (start, end) = (vocabulary.count - 2, vocabulary.count - 1)
      small.parts["post_processor"] = [
        "type": "RobertaProcessing", "sep": ["<|endoftext|>", .integer(end)],
        "cls": ["<|startoftext|>", .integer(start)],
      ]
      small.parts["added_tokens"] = []
      let tokenizers = try [small.tokenizer(), small.tokenizer(.openCLIP)]
      for length in 1...40 {
        let word = String((0..<length).map { _ in "abc".randomElement(using: &generator) ?? "a" })
        let expected = Self.plain(word, merges).map {
          vocabulary.firstIndex(of: $0).map(Int32.init)
        }
        for tokenizer in tokenizers {
          let ids = tokenizer.ids(of: word, maximumLength: 99)
          #expect(ids.dropFirst().dropLast().map { $0 } == expected, "\(word) by \(merges)")
        }
      }
    }
  }

  private static func plain(_ word: String, _ merges: [String]) -> [String] {
    var tokens = word.dropLast().map { String($0) } + [String(word.suffix(1)) + "</w>"]
    while true {
      let ranks = zip(tokens, tokens.dropFirst()).map { merges.firstIndex(of: "\($0) \($1)") }
      guard let rank = ranks.compactMap({ $0 }).min(), let place = ranks.firstIndex(of: rank) else {
        return tokens
      }
      tokens[place] += tokens.remove(at: place + 1)
    }
  }
}

extension SeededGenerator {
  /// Merges of a, b and c and what they give, in an order as learned ones have it: each behind those
  /// that make its halves, and each token made once.
  static func merges(using generator: inout SeededGenerator) -> [String] {
    var tokens = ["a", "b", "c", "a</w>", "b</w>", "c</w>"]
    var merges: [String] = []
    for _ in 0..<20 {
      let left = tokens.filter { !$0.hasSuffix("</w>") }.randomElement(using: &generator) ?? "a"
      let right = tokens.randomElement(using: &generator) ?? "a"
      guard !tokens.contains(left + right) else { continue }
      merges.append("\(left) \(right)")
      tokens.append(left + right)
    }
    return merges
  }
}
