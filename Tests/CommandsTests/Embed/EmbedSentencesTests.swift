import Foundation
import TestSupport
import Testing

/// Sentences through the encoder of the quickstart.
struct EmbedSentencesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Words that are one token each.
  static let words = [
    "the", "house", "river", "music", "walk", "morning", "water", "people", "good", "time", "day",
    "run", "happy", "sleep", "book", "green", "light", "small", "work", "home", "friend", "dog",
    "road", "world", "food", "school", "year",
  ]

  /// A text of so many words, which depend on their position and on `seed`.
  private static func text(_ count: Int, seed: Int = 0) -> String {
    (0..<count).map { words[(seed + $0 * ($0 + 3)) % words.count] }.joined(separator: " ")
  }

  /// Forty texts of 0 to 150 words, the lengths mixed; one has no text at all.
  static let texts = (0..<40).map { text($0 * 37 % 151, seed: $0) }

  /// The rows that `embed` gives for texts.
  private func rows(_ texts: [String], jobs: Int = 2) throws -> [[Float]] {
    try folder.write("in.jsonl", texts.map { "{\"text\": \"\($0)\"}\n" }.joined())
    let model = "\(Program.repository)/specs/examples/quickstart/models/sentence-encoder"
    let run = try Program.run(
      ["embed", model, "--inputs", "in.jsonl", "--output", "o.npy", "--jobs", "\(jobs)"],
      in: folder.path)
    #expect(run.status == 0)
    let values = try #require(Npy(try folder.bytes("o.npy"))).values
    #expect(values.count == texts.count * 128)
    return stride(from: 0, to: values.count, by: 128).map { Array(values[$0..<$0 + 128]) }
  }

  private func difference(_ left: [Float], _ right: [Float]) -> Float {
    zip(left, right).map { ($0 - $1).magnitude }.max() ?? .infinity
  }

  @Test func rowsBelongToTheirLinesWhateverStandsBeside() throws {
    #expect(Self.texts.contains(""))
    #expect(Set(Self.texts).count == 40)
    let together = try rows(Self.texts)
    // Every row differs from every other by far more than what is tolerated below.
    for (index, row) in together.enumerated() {
      #expect(together[..<index].allSatisfy { difference(row, $0) > 1e-3 }, "row \(index)")
    }
    let single = try rows(Self.texts, jobs: 1)
    let reversed = Array(try rows(Self.texts.reversed()).reversed())
    for (index, text) in Self.texts.enumerated() {
      #expect(difference(together[index], single[index]) <= 1e-6, "row \(index)")
      #expect(difference(together[index], reversed[index]) <= 1e-6, "row \(index)")
      let alone = try rows([text])
      #expect(difference(together[index], alone[0]) <= 1e-6, "row \(index)")
    }
  }

  /// The encoder's own length is 128 tokens; two are special ones at the ends.
  @Test func textsAreCutAtTheModelsOwnLength() throws {
    let rows = try rows([250, 200, 127, 126, 125, 100].map { Self.text($0) })
    for longer in 0..<3 { #expect(difference(rows[longer], rows[3]) <= 1e-6, "row \(longer)") }
    for shorter in 4..<6 { #expect(difference(rows[shorter], rows[3]) > 1e-3, "row \(shorter)") }
  }
}
