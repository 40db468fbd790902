import Testing

@testable import Signatures

@Suite struct PatternListTests {
  @Test(arguments: [
    ("a@x", "a@x", true), ("a@x", "A@x", false), ("a@x", "a@xy", false), ("*", "", true),
    ("*@x", "a@x", true), ("*@x", "@x", true), ("*@x", "a@xx", false), ("?@x", "a@x", true),
    ("?@x", "ab@x", false), ("?", "", false), ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXc", false),
    ("a**", "a", true), ("*a", "aaab", false), ("a,b", "b", true), ("a,b", "a,b", false),
    ("!a", "b", false), ("*,!a", "b", true), ("*,!a", "a", false), ("!a,*", "a", false),
    ("!*", "a", false), ("", "", true), ("", "a", false), ("a,,b", "", true), ("!", "a", false),
    ("*,!", "", false), ("!!a", "!a", false),
  ]) func matchesAsOpenSSH(_ list: String, _ text: String, _ expected: Bool) {
    #expect(PatternList(Array(list.utf8)).matches(text.utf8) == expected)
  }

  @Test(arguments: [
    ("a@x", "a@x"), ("!a,b", "b"), ("*,!a", "*"), ("!a", nil), ("*,!*", nil), ("a,!a", nil),
    ("a,!a,b", "b"),
  ]) func namesAnIdentityItLetsIn(_ list: String, _ expected: String?) {
    let identity = PatternList(Array(list.utf8)).firstIdentity
    #expect(identity.map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test func patternsBeyondTheLimitMatchNothing() {
    let long: [UInt8] = Array(repeating: 97, count: 1023)
    #expect(!PatternList(long).matches(long))
    #expect(PatternList(long.dropLast()).matches(long.dropLast()))
    #expect(!PatternList(Array("b,".utf8) + long).matches("b".utf8))
  }

  /// Many stars take time by the product of the lengths, not by a power of it.
  @Test(.timeLimit(.minutes(240))) func manyStarsEnd() {
    let list = PatternList(Array(String(repeating: "*a", count: 500).utf8))
    #expect(!list.matches(Array(repeating: UInt8(ascii: "a"), count: 20_000) + [98]))
  }
}
