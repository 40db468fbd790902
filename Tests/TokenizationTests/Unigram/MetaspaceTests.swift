import Testing

@testable import Tokenization

struct MetaspaceTests {
  private static func words(
    _ text: String, _ prefix: Metaspace.Prefix, splits: Bool = true,
    before: [PreTokenizer.Step] = [], normalizer: [Normalizer.Step] = []
  ) -> [String] {
    var text = PreTokenizedText(scalars(text), leading: 1)
    Normalizer(steps: normalizer).apply(to: &text)
    let metaspace = Metaspace(replacement: 0x5F, prefix: prefix, splits: splits)
    PreTokenizer(steps: before + [.metaspace(metaspace)]).apply(to: &text)
    return text.words.map { spelled(text.scalars[$0]) }
  }

  @Test func cutsBeforeSpaces() {
    #expect(Self.words("a  b", .never) == ["a", "_", "_b"])
    #expect(Self.words("a b ", .always) == ["_a", "_b", "_"])
    #expect(Self.words(" a", .always) == ["_a"])
    #expect(Self.words("a b", .always, splits: false) == ["_a_b"])
    #expect(Self.words("", .always) == [])
  }

  /// Only a word that begins with the text's first character is the first.
  @Test func putsASpaceBeforeTheFirstWord() {
    #expect(Self.words("a b", .first, before: [.whitespaceSplit]) == ["_a", "b"])
    #expect(Self.words(" a b", .first, before: [.whitespaceSplit]) == ["a", "b"])
    #expect(
      Self.words(" a", .first, normalizer: [.strip(left: true, right: false)]) == ["a"])
    #expect(Self.words("a", .first, normalizer: [.prepend([0x62])]) == ["_ba"])
  }

  @Test func cutsAroundNumbers() {
    var text = PreTokenizedText(scalars("a12b\u{BD}"), leading: 1)
    var each = text
    PreTokenizer(steps: [.digits(individual: false)]).apply(to: &text)
    #expect(text.words == [0..<1, 1..<3, 3..<4, 4..<5])
    PreTokenizer(steps: [.digits(individual: true)]).apply(to: &each)
    #expect(each.words == [0..<1, 1..<2, 2..<3, 3..<4, 4..<5])
  }
}
