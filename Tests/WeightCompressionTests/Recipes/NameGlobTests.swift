import TestSupport
import Testing

@testable import WeightCompression

struct NameGlobTests {
  struct Case: CustomTestStringConvertible {
    let pattern: String
    let name: String
    let matches: Bool
    var testDescription: String { "'\(pattern.prefix(40))' and '\(name.prefix(40))'" }

    init(_ pattern: String, _ name: String, _ matches: Bool) {
      self.pattern = pattern
      self.name = name
      self.matches = matches
    }
  }

  static let composed = "caf\u{E9}"
  static let decomposed = "cafe\u{301}"

  static let cases = [
    Case("", "", true), Case("", "a", false), Case("*", "", true), Case("*", "a.b", true),
    Case("a", "a", true), Case("a", "A", false), Case("a", "ab", false), Case("a", "", false),
    Case("?", "a", true), Case("?", "", false), Case("?", "ab", false), Case("?", "*", true),
    Case("a*", "a", true), Case("a*", "abc", true), Case("*c", "abc", true),
    Case("*c", "abcd", false), Case("a*c", "ac", true), Case("a*c", "abbc", true),
    Case("a*b*c", "axbxbxc", true), Case("a*b*c", "axcxb", false), Case("*a*", "bab", true),
    Case("*.query.weight", "encoder.layer.0.attention.self.query.weight", true),
    Case("encoder.layer.?.*", "encoder.layer.11.output", false),
    Case("encoder.layer.1?.*", "encoder.layer.11.output", true),
    Case("***", "", true), Case("**?**", "", false), Case("**?**", "x", true),
    Case("*?", "a", true), Case("?*?", "a", false), Case("?*?", "ab", true),
    Case("a*", "*", false), Case("[ab]", "a", false), Case("[ab]", "[ab]", true),
    Case("a\\*", "a*", false), Case("*", "*", true), Case("a/b*", "a/b/c", true),
    Case("[*]", "*", true), Case("[*]", "a", false), Case("[*]", "[*]", false),
    Case("a[?]b", "a?b", true), Case("a[?]b", "axb", false), Case("[[*]]", "[*]", true),
    Case("[*", "[ab", true), Case("[?x", "[ax", true), Case("[**]", "[ab]", true),
    Case("*[*]*", "a*b", true), Case("*[*]*", "ab", false),
    // Characters are scalars, compared by bytes.
    Case(composed, composed, true), Case(composed, decomposed, false),
    Case("caf?", composed, true), Case("caf?", decomposed, false),
    Case("caf??", decomposed, true), Case("caf*", decomposed, true),
    Case("?", "\u{1F469}\u{200D}\u{1F680}", false), Case("???", "\u{1F469}\u{200D}\u{1F680}", true),
    Case("a\0*", "a\0b", true), Case("a\r\nb", "a\r\nb", true), Case("a?b", "a\r\nb", false),
    Case("\u{212B}", "\u{C5}", false),
    // Large ones.
    Case(String(repeating: "*a", count: 50_000), String(repeating: "a", count: 300), false),
    Case(String(repeating: "*", count: 200_000), "anything", true),
    Case(String(repeating: "*a", count: 200) + "b", String(repeating: "a", count: 2000), false),
    Case(String(repeating: "?", count: 2000), String(repeating: "x", count: 2000), true),
  ]

  @Test(arguments: cases)
  func matchesWholeNames(_ item: Case) {
    let pattern = NameGlob(item.pattern)
    #expect(pattern.matches(item.name) == item.matches)
    #expect(NameGlob(pattern.text) == pattern)
  }

  /// What is written reads as the same pattern, so that recipes of different rules differ.
  @Test func everyPatternReadsBack() {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<4000 {
      let text = String(
        (0..<Int.random(in: 0...7, using: &generator)).map { _ in
          "[]*?a".randomElement(using: &generator) ?? "a"
        })
      let pattern = NameGlob(text)
      #expect(NameGlob(pattern.text) == pattern, "'\(text)' and '\(pattern.text)'")
    }
  }

  @Test func runsOfStarsAreOne() {
    #expect(NameGlob("a***b") == NameGlob("a*b"))
    #expect(NameGlob("a***b").text == "a*b")
    #expect(NameGlob(Self.composed) != NameGlob(Self.decomposed))
    #expect(Set([NameGlob(Self.composed), NameGlob(Self.decomposed)]).count == 2)
  }

  @Test(arguments: [
    "a", "*", "?", "[*]", "[[?]]", "a*?b", "**", "[*", "*]", "", "[]*[?", composed, "\r\n*",
    "e*\u{301}",
  ])
  func anExactPatternMatchesItsNameAlone(_ name: String) {
    let pattern = NameGlob(exactly: name)
    #expect(pattern.matches(name))
    for other in [name + "x", "x" + name, name + "*", "", "axxb", "x"]
    where !other.unicodeScalars.elementsEqual(name.unicodeScalars) {
      #expect(!pattern.matches(other), "\(other)")
    }
    let written = NameGlob(pattern.text)
    #expect(written == pattern && written.matches(name))
  }

  /// Against the definition, word by word.
  @Test func agreesWithTheDefinition() {
    func matches(_ pattern: Substring, _ name: Substring) -> Bool {
      guard let first = pattern.first else { return name.isEmpty }
      if first == "*" {
        return matches(pattern.dropFirst(), name)
          || (!name.isEmpty && matches(pattern, name.dropFirst()))
      }
      return !name.isEmpty && (first == "?" || first == name.first)
        && matches(pattern.dropFirst(), name.dropFirst())
    }
    var generator = SeededGenerator(seed: 6)
    var found = [0, 0]
    for _ in 0..<4000 {
      let pattern = String(
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in
          "ab*?".randomElement(using: &generator) ?? "a"
        })
      let name = String(
        (0..<Int.random(in: 0...7, using: &generator)).map { _ in
          "ab".randomElement(using: &generator) ?? "a"
        })
      let expected = matches(pattern[...], name[...])
      found[expected ? 1 : 0] += 1
      #expect(NameGlob(pattern).matches(name) == expected, "'\(pattern)' and '\(name)'")
    }
    #expect(found.allSatisfy { $0 > 500 })
  }
}
