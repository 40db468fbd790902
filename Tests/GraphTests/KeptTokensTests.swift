import Graph
import ModelFixtures
import TestSupport
import Testing
import Tokenization
import Weights

/// What a model with fewer tokens says of them, beside the tokens themselves.
struct KeptTokensTests {
  private static let corpus = ContentDigest(of: [7])

  /// A model with these of its tokens, and a record of such numbers.
  private func smaller(_ ids: [Int32], kept: Int, dropped: Int) throws -> Model {
    let tokens = try #require(KeptTokens(ids: ids, rowsBefore: TinyBert.words.count))
    return try TinyBert.model(origin: "small").keeping(
      tokens, record: VocabularyRecord(corpus: Self.corpus, kept: kept, dropped: dropped))
  }

  @Test func theRecordIsThatOfTheTokens() throws {
    let model = try TinyBert.model()
    let found = try model.keepingTokens(of: smaller([0, 1, 2, 3, 5], kept: 5, dropped: 15))
    #expect(found.keptTokens?.ids == [0, 1, 2, 3, 5])
  }

  @Test(arguments: [(5, 0), (4, 16), (20, 0)])
  func aRecordOfOtherNumbersIsRefused(kept: Int, dropped: Int) throws {
    let small = try smaller([0, 1, 2, 3, 5], kept: kept, dropped: dropped)
    #expect(
      refusal { _ = try TinyBert.model().keepingTokens(of: small) }
        == "small: states that it kept \(kept) of \(kept + dropped) tokens, but it has 5 of the 20 "
        + "tokens of the model that it is compared with")
  }

  /// Without the unknown token an app's texts would be segmented in no way that was judged.
  @Test func tokensThatStayInAnyCaseAreThere() throws {
    let small = try smaller([0, 2, 3, 5], kept: 4, dropped: 16)
    #expect(
      refusal { _ = try TinyBert.model().keepingTokens(of: small) }
        == "small: lacks 1 token that its other tokens are made of or that stay in any case: "
        + "special, added and unknown ones, and single bytes")
  }
}
