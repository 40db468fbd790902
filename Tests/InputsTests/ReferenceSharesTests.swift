import Graph
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
    let search = try whole.share(.search), verdict = try whole.share(.verdict)
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

  @Test func theOrderOfLinesAndOtherLinesDoNotMatter() throws {
    let pairs = (0..<60).map { ("left \($0)", "right \($0)") }
    let verdict = Self.texts(try Self.set(pairs).share(.verdict))
    #expect(Self.texts(try Self.set(pairs.reversed()).share(.verdict)) == verdict)
    let more = try Self.set(pairs + (60..<90).map { ("left \($0)", "right \($0)") })
    #expect(Self.texts(try more.share(.verdict)).isSuperset(of: verdict))
    #expect((15...45).contains(verdict.count / 2))
  }

  /// By SHA-256 of the texts, as `sha256sum` prints it: of "three" it ends in f, of "five" in 0.
  @Test func theLastBitOfTheDigestDecides() throws {
    let set = try ReferenceSet(
      bytes: Array("{\"input\": {\"text\": \"three\"}}\n{\"input\": {\"text\": \"five\"}}\n".utf8),
      origin: "s.jsonl")
    #expect(Self.texts(try set.share(.verdict)) == ["three"])
    #expect(Self.texts(try set.share(.search)) == ["five"])
  }

  @Test func eachShareHasADigestOfItsOwn() throws {
    let whole = try Self.set((0..<40).map { ("a\($0)", "b\($0)") })
    let digests =
      try ReferenceSet.Share.allCases.map { try whole.share($0).digest } + [whole.digest]
    #expect(Set(digests).count == 3)
    #expect(try whole.share(.verdict).digest == whole.share(.verdict).digest)
  }

  @Test func aCutSaysHowManyLinesAreMissing() throws {
    let few = try Self.set((0..<9).map { ("left \($0)", "right \($0)") })
    let fault = #expect(throws: ShareFault.self) { try ReferenceShares(cutting: few) }
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
      throws: ShareFault.shared(
        verdict: "refs.jsonl", line: 2, input: "\"right 4\"", search: "refs.jsonl")
    ) { try ReferenceShares(search: first, verdict: other) }
    #expect(
      try ReferenceShares(search: first, verdict: try Self.set([("a", "b")])).verdict.cut == nil)
  }
}
