import Calibration
import Formats
import Graph
import ModelFixtures
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Search

/// A BERT of 592 tokens, and texts in which half of all words are of the first forty.
enum ManyWords {
  static let table: TensorName = "embeddings.word_embeddings.weight"

  static func model() throws -> Model {
    let words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + (0..<588).map { "w\($0)" }
    let config = TinyBert.config.replacing(#""vocab_size": 20"#, with: #""vocab_size": 592"#)
      .replacing(#""hidden_size": 8"#, with: #""hidden_size": 64"#)
    return try TinyBert.model(files: [
      "config.json": Array(config.utf8), "tokenizer.json": wordPieceFile(words),
    ])
  }

  /// - Parameter rare: words that every other one is of.
  static func texts(_ count: Int, rare: Int = 588, seed: UInt64 = 4) -> [String] {
    var numbers = SeededGenerator(seed: seed)
    return (0..<count).map { _ -> String in
      let words = (0..<6).map { place in
        "w\(Int.random(in: 0..<(place.isMultiple(of: 2) ? 40 : rare), using: &numbers))"
      }
      return "{\"text\": \"\(words.joined(separator: " "))\"}"
    }
  }

  static func sentences() throws -> CalibrationSet {
    try CalibrationSet(
      bytes: Array(texts(120).map { $0 + "\n" }.joined().utf8), origin: "sentences.jsonl")
  }
}

/// Which ways a search sees to store a table of tokens.
struct SplitTablesTests {

  private func choices(_ format: any Format) throws -> WeightChoices {
    let model = try ManyWords.model()
    let losses = try OutputLosses(of: model, on: try ManyWords.sentences(), jobs: 2)
    return try WeightChoices(
      of: model, as: format, losses: losses, calibrating: nil, jobs: 2
    ) { _ in }
  }

  /// Parts in different schemes are among the ways, the first rows in the better one. Of those of one
  /// kind each that is larger loses less. Bytes are those that are written.
  @Test func partsInOtherSchemesAreAmongTheWays() throws {
    let format = ModelFormat.usual.with(FormatChoices())
    let group = try #require(try choices(format).groups.first { $0.names == [ManyWords.table] })
    let splits = group.schemes.compactMap { scheme -> SplitScheme? in
      if case .split(let split)? = scheme { split } else { nil }
    }
    #expect(splits.count > 2)
    #expect(
      Set(splits.map(\.rows)).count == 1 && (splits.first.map { 24...130 ~= $0.rows } ?? false))
    #expect(splits.contains { bits($0.first) > bits($0.rest) })
    // The first way keeps the table.
    let ways = zip(group.schemes, group.choices).dropFirst()
    #expect(zip(ways, ways.dropFirst()).allSatisfy { $0.1.bytes <= $1.1.bytes })
    for kind in [true, false] {
      let losses = ways.filter { isSplit($0.0) == kind }.map(\.1.loss)
      #expect(losses.count > 1 && zip(losses, losses.dropFirst()).allSatisfy { $0 > $1 })
    }
    let model = try ManyWords.model()
    for (scheme, choice) in zip(group.schemes, group.choices) {
      let made = try WeightCompressor.compress(
        weights: try model.usedWeights().filter { $0.name == ManyWords.table }, from: model.weights,
        options: try CompressionOptions(scheme: scheme, floats: format.floats), jobs: 1)
      #expect(made.tensors.first?.byteCount == choice.bytes)
    }
  }

  private func isSplit(_ scheme: Scheme?) -> Bool {
    if case .split? = scheme { true } else { false }
  }

  private func bits(_ scheme: Scheme) -> Int { scheme.own.storedBits(.float16) }
}
