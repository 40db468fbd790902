import Graph
import ModelFixtures
import TestSupport
import Testing

@testable import Inputs

struct ReferenceSharesTests {
  private static func set(_ pairs: [(String, String)]) throws -> ReferenceSet {
    let lines = pairs.map { "{\"a\": {\"text\": \"\($0.0)\"}, \"b\": {\"text\": \"\($0.1)\"}}\n" }
    return try ReferenceSet(bytes: Array(lines.joined().utf8), origin: "refs.jsonl")
  }

  private static func texts(_ set: ReferenceSet) -> Set<String> {
    Set(set.inputs.compactMap { if case .text(let text) = $0 { text } else { nil } })
  }

  @Test func noInputIsInBothAndNoLineIsLost() throws {
    var numbers = SeededGenerator(seed: 3)
    let pairs = (0..<200).map { _ in
      let side = { (numbers: inout SeededGenerator) in
        "t\(Int.random(in: 0..<260, using: &numbers))"
      }
      return (side(&numbers), side(&numbers))
    }
    let whole = try Self.set(pairs)
    let (search, verdict) = try whole.shares(seenBy: [], jobs: 1)
    #expect(Self.texts(search).isDisjoint(with: Self.texts(verdict)))
    #expect(Self.texts(search).union(Self.texts(verdict)) == Self.texts(whole))
    #expect(search.content.count + verdict.content.count == whole.content.count)
    for share in [search, verdict] {
      guard case .pairs(let lines) = share.content else { continue }
      for line in lines {
        let texts = (line.a + line.b).map { share.inputs[$0] }
        #expect(texts == [.text(pairs[line.line - 1].0), .text(pairs[line.line - 1].1)])
      }
    }
  }

  /// What the cut made of texts, both shares know.
  @Test func sharesAreTokenisedWithTheWholeSet() throws {
    let model = try TinyBert.model()
    let (search, verdict) = try Self.set((0..<40).map { ("one \($0)", "two \($0)") })
      .shares(seenBy: [model], jobs: 1)
    let reader = try ViewMemory.Reader(model)
    for share in [search, verdict] {
      #expect(share.views.tokens(of: share.inputs, by: reader)?.count == share.inputs.count)
    }
  }

  @Test func theOrderOfLinesAndOtherLinesDoNotMatter() throws {
    let pairs = (0..<60).map { ("left \($0)", "right \($0)") }
    let verdict = Self.texts(try Self.verdict(of: Self.set(pairs)))
    #expect(Self.texts(try Self.verdict(of: Self.set(pairs.reversed()))) == verdict)
    let more = try Self.set(pairs + (60..<90).map { ("left \($0)", "right \($0)") })
    #expect(Self.texts(try Self.verdict(of: more)).isSuperset(of: verdict))
    #expect((15...45).contains(verdict.count / 2))
  }

  /// By SHA-256 of the texts, as `sha256sum` prints it: of "three" it ends in f, of "five" in 0.
  @Test func theLastBitOfTheDigestDecides() throws {
    let set = try ReferenceSet(
      bytes: Array("{\"input\": {\"text\": \"three\"}}\n{\"input\": {\"text\": \"five\"}}\n".utf8),
      origin: "s.jsonl")
    let shares = try set.shares(seenBy: [], jobs: 1)
    #expect(Self.texts(shares.verdict) == ["three"])
    #expect(Self.texts(shares.search) == ["five"])
  }

  @Test func eachShareHasADigestOfItsOwn() throws {
    let whole = try Self.set((0..<40).map { ("a\($0)", "b\($0)") })
    let shares = try whole.shares(seenBy: [], jobs: 1)
    #expect(Set([shares.search.digest, shares.verdict.digest, whole.digest]).count == 3)
    #expect(try Self.verdict(of: whole).digest == shares.verdict.digest)
  }

  @Test func aCutSaysHowManyLinesAreMissing() throws {
    let few = try Self.set((0..<9).map { ("left \($0)", "right \($0)") })
    let fault = #expect(throws: ShareFault.self) {
      try ReferenceShares(cutting: few, seenBy: [], jobs: 1)
    }
    guard case .fewLines("refs.jsonl", _, let lines, 8) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(lines < 8)
  }

  @Test func aVerdictOnWhatTheSearchSawIsAFault() throws {
    let first = try Self.set((0..<9).map { ("left \($0)", "right \($0)") })
    let other = try Self.set([("new", "too"), ("right 4", "else")])
    #expect(
      message { _ = try Self.shares(first, verdict: other) }
        == "refs.jsonl:2: \"right 4\" is an input of refs.jsonl too (line 5)")
    #expect(try Self.shares(first, verdict: try Self.set([("a", "b")])).verdict.cut == nil)
  }

  private static func shares(
    _ search: ReferenceSet, verdict: ReferenceSet, seenBy models: [Model] = []
  ) throws -> ReferenceShares {
    try ReferenceShares(search: search, verdict: verdict, seenBy: models, jobs: 2)
  }

  /// Spellings of one text, to a model of lower-case words.
  private static let spellings = ["big dog", "Big dog", "big  dog", " big dog", "big\u{200B} dog"]

  /// Which share a text is in goes by its digest: of many texts, spellings would be in both.
  @Test func whatTheModelCannotTellApartIsInOneShare() throws {
    let model = try TinyBert.model()
    let texts = TinyBert.words.suffix(16).flatMap { word in
      Self.spellings.map { "\(word) \($0)" }
    }
    let whole = try ReferenceSet(
      bytes: Array(texts.map { "{\"input\": {\"text\": \"\($0)\"}}\n" }.joined().utf8),
      origin: "refs.jsonl")
    func split(seenBy models: [Model]) throws -> Int {
      let verdict = Self.texts(try whole.shares(seenBy: models, jobs: 2).verdict)
      return stride(from: 0, to: texts.count, by: Self.spellings.count).count { first in
        let inside = texts[first..<first + Self.spellings.count].count(where: verdict.contains)
        return inside > 0 && inside < Self.spellings.count
      }
    }
    #expect(try split(seenBy: []) > 10)
    #expect(try split(seenBy: [model]) == 0)
  }

  @Test(arguments: spellings.dropFirst())
  func aVerdictOnAnotherSpellingIsAFault(_ text: String) throws {
    let (first, other) = (try Self.set([("big dog", "cat")]), try Self.set([("runs", text)]))
    let model = try TinyBert.model()
    #expect(throws: Never.self) { try Self.shares(first, verdict: other) }
    #expect(
      message { _ = try Self.shares(first, verdict: other, seenBy: [model]) }
        == "refs.jsonl:1: \"\(text)\" is to the model what \"big dog\" is (refs.jsonl:1)")
  }

  private static func verdict(of whole: ReferenceSet) throws -> ReferenceSet {
    try whole.shares(seenBy: [], jobs: 1).verdict
  }
}
