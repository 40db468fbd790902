import Testing

@testable import Tokenization

/// Changes that sentence-transformers makes to a text by itself; the right answers are Python's.
@Suite struct TextPreparationTests {
  @Test func nothingIsDoneWithoutBeingAsked() {
    #expect(TextPreparation().apply(to: " [MASK] Ε\u{301}ΟΣ\u{1F} ") == " [MASK] Ε\u{301}ΟΣ\u{1F} ")
  }

  @Test func thePromptIsPartOfWhatIsStrippedAndLowered() {
    let preparation = TextPreparation(prompt: " Query: ", strips: true, lowercasing: .wholeText)
    #expect(preparation.apply(to: "Ä B \n") == "query: ä b")
    #expect(preparation.apply(to: "") == "query:")
    #expect(TextPreparation(prompt: "Q: ").apply(to: " B ") == "Q:  B ")
  }

  @Test func loweringByTheNormalizerLeavesTheTextAlone() {
    #expect(TextPreparation(lowercasing: .normalizer).apply(to: "[MASK] A") == "[MASK] A")
  }

  @Test(arguments: [
    ("\t\n\u{B}\u{C}\r\u{1C}\u{1D}\u{1E}\u{1F} a \u{85}\u{A0}\u{1680}\u{2000}\u{200A}", "a"),
    ("\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}a b", "a b"),
    // Neither of these is white space for Python.
    ("\u{200B}a\u{FEFF}", "\u{200B}a\u{FEFF}"), ("\u{180E}a\u{0}", "\u{180E}a\u{0}"),
    (" \n ", ""), ("", ""),
  ])
  func stripsAsPython(text: String, expected: String) {
    let stripped = TextPreparation(strips: true).apply(to: text)
    #expect(Array(stripped.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(arguments: [
    ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"), ("ΣΑΣ ΣΑΣ", "σας σας"), ("Σ", "σ"), ("ΑΣ'", "ας'"),
    ("ΑΣ'Α", "ασ'α"), ("Α\u{301}Σ\u{301}", "α\u{301}ς\u{301}"), ("'Σ", "'σ"), ("1Σ", "1σ"),
    ("İ I", "i\u{307} i"), ("ẞ Ω K", "ß ω k"), ("[MASK]", "[mask]"), ("ǅ ᾼ Ⅳ Ⓐ", "ǆ ᾳ ⅳ ⓐ"),
  ])
  func lowersAsPython(text: String, expected: String) {
    let lowered = TextPreparation(lowercasing: .wholeText).apply(to: text)
    #expect(Array(lowered.unicodeScalars) == Array(expected.unicodeScalars))
  }
}
