import Calibration
import Formats
import Graph
import ModelFixtures
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Search

/// Which ways a search sees to store a table of tokens.
struct SplitTablesTests {
  private static let table: TensorName = "embeddings.word_embeddings.weight"

  /// A BERT of 515 tokens, and sentences in which half of all words are of the first forty.
  private func model() throws -> Model {
    let words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + (0..<511).map { "w\($0)" }
    let config = TinyBert.config.replacing(#""vocab_size": 20"#, with: #""vocab_size": 515"#)
    return try TinyBert.model(files: [
      "config.json": Array(config.utf8), "tokenizer.json": wordPieceFile(words),
    ])
  }

  private func sentences() throws -> CalibrationSet {
    var numbers = SeededGenerator(seed: 4)
    let lines = (0..<120).map { _ -> String in
      let words = (0..<6).map { place in
        "w\(Int.random(in: 0..<(place.isMultiple(of: 2) ? 40 : 511), using: &numbers))"
      }
      return "{\"text\": \"\(words.joined(separator: " "))\"}\n"
    }
    return try CalibrationSet(bytes: Array(lines.joined().utf8), origin: "sentences.jsonl")
  }

  private func choices(_ format: any Format) throws -> WeightChoices {
    let model = try model()
    let losses = try OutputLosses(of: model, on: try sentences(), jobs: 2)
    return try WeightChoices(
      of: model, as: format, losses: losses, calibrating: nil, jobs: 2
    ) { _ in }
  }

  /// Parts in different schemes are among the ways, the first rows in the better one, and each way
  /// that is larger loses less. Bytes are those that are written.
  @Test func partsInOtherSchemesAreAmongTheWays() throws {
    let format = ModelFormat.usual.with(FormatChoices())
    let group = try #require(try choices(format).groups.first { $0.names == [Self.table] })
    let splits = group.schemes.compactMap { scheme -> SplitScheme? in
      if case .split(let split)? = scheme { split } else { nil }
    }
    #expect(splits.count > 4)
    #expect(
      Set(splits.map(\.rows)).count == 1 && (splits.first.map { 24...100 ~= $0.rows } ?? false))
    #expect(splits.contains { bits($0.first) > bits($0.rest) })
    let ways = group.choices.dropFirst()
    #expect(zip(ways, ways.dropFirst()).allSatisfy { $0.bytes <= $1.bytes && $0.loss > $1.loss })
    let model = try model()
    for (scheme, choice) in zip(group.schemes, group.choices) {
      let made = try WeightCompressor.compress(
        weights: try model.usedWeights().filter { $0.name == Self.table }, from: model.weights,
        options: try CompressionOptions(scheme: scheme, floats: format.floats), jobs: 1)
      #expect(made.tensors.first?.byteCount == choice.bytes)
    }
  }

  private func bits(_ scheme: Scheme) -> Int { scheme.own.storedBits(.float16) }
}
