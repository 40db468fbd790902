import Graph
import ModelFixtures
import Testing

@testable import Inputs

/// The cost of filling texts up, against products that were counted by hand.
///
/// The model has 2 layers of width 8 with 2 heads and 16 hidden numbers. For L tokens a layer takes
/// - 4 · L · 8 · 8 = 256 L products for queries, keys, values and what leaves the attention,
/// - 2 · L · 8 · 16 = 256 L for the two hidden matrices,
/// - 2 · (2 heads · L · L · 4) = 16 L² for scores and the sums they weigh.
/// Both layers: 1024 L + 32 L². Tables, norms and the mean take no matrix.
struct LengthAdviceTests {
  private static func products(_ length: Double) -> Double {
    1024 * length + 32 * length * length
  }

  /// The small model, for texts of at most so many tokens.
  private func encoder(_ maximum: Int = 256) throws -> any Architecture {
    let files = ModelFiles(
      carriedBy: "model",
      texts: [
        "config.json": Array(
          TinyBert.config.replacing(
            #""max_position_embeddings": 12"#, with: #""max_position_embeddings": 256"#
          ).utf8),
        "modules.json": Array(TinyBert.modules.utf8),
        "1_Pooling/config.json": Array(#"{"pooling_mode_mean_tokens": true}"#.utf8),
        "sentence_bert_config.json": Array(#"{"max_seq_length": \#(maximum)}"#.utf8),
        "tokenizer.json": TinyBert.tokenizer,
      ])
    return try Architectures.recognise(files, weights: MemoryWeights())
  }

  @Test(arguments: [(1, 1056.0), (8, 10_240), (40, 92_160), (256, 2_359_296)])
  func productsOfAGraph(_ length: Int, _ products: Double) throws {
    #expect(Self.products(Double(length)) == products)
    #expect(try encoder().graph(batch: 1, length: length).productCount == products)
    #expect(try encoder().graph(batch: 3, length: length).productCount == 3 * products)
  }

  @Test func oneLongLengthCostsWhatFillingUpTakes() throws {
    let counts = Array(repeating: 8, count: 19) + [40]
    let advice = try #require(
      try LengthAdvice(lengths: [256], counts: counts, of: encoder()))
    // 20 · 2,359,296 products where 19 · 10,240 + 92,160 would do.
    #expect(advice.cost == 47_185_920.0 / 286_720)
    #expect(advice.percentile95 == 8)
    #expect(advice.length == 256)
    #expect(advice.suggested == [16, 256])
  }

  @Test func eachTextTakesTheLeastLengthThatHoldsIt() throws {
    let counts = [8, 8, 40, 200]
    let needed = counts.map { Self.products(Double($0)) }.reduce(0, +)
    let advice = try #require(
      try LengthAdvice(lengths: [16, 48, 256], counts: counts, of: encoder()))
    let done = [16.0, 16, 48, 256].map(Self.products).reduce(0, +)
    #expect(advice.cost == done / needed)
    // The second of the four has 8 tokens, and 95 of 100 texts are all of them.
    #expect(advice.suggested == [16, 208, 256])
    let exact = try #require(
      try LengthAdvice(lengths: [8, 40, 200], counts: counts, of: encoder()))
    #expect(exact.cost == 1)
  }

  /// A text longer than the package is cut, and costs no more than its length.
  @Test func longerTextsAreCut() throws {
    let advice = try #require(
      try LengthAdvice(lengths: [32], counts: [8, 200], of: encoder()))
    #expect(
      advice.cost == 2 * Self.products(32) / (Self.products(8) + Self.products(32)))
    #expect(try LengthAdvice(lengths: [32], counts: [], of: encoder()) == nil)
  }

  /// Suggestions never pass what the model takes.
  @Test func suggestionsEndAtTheModelsOwnLength() throws {
    let advice = try #require(
      try LengthAdvice(lengths: [20], counts: [3, 19], of: encoder(20)))
    #expect(advice.suggested == [16, 20])
  }
}
