import Testing

@testable import TUF

/// What Python's `fnmatch` says, part by part of a path, as python-tuf does.
@Suite struct PathPatternTests {
  @Test(arguments: [
    ("a*c", "abbc", true), ("a*c", "abbd", false), ("*", "a/b", false), ("*/*", "a/b", true),
    ("foo-?.txt", "foo-1.txt", true), ("foo-?.txt", "foo-12.txt", false), ("[ab]", "b", true),
    ("[!ab]", "b", false), ("[!ab]", "c", true), ("[a-c]x", "bx", true), ("[]]", "]", true),
    ("[a", "[a", true), ("*a*b*c*", "xxaxxbxxcxx", true), ("*a*b*c*", "xxaxxcxxbxx", false),
    ("", "", true), ("a/", "a/", true), ("a/", "a", false), ("é?", "éa", true),
  ])
  func patternsMatchAsInAShell(_ pattern: String, _ path: String, _ isMatch: Bool) {
    #expect(PathPattern.matches(pattern, path) == isMatch)
  }

  @Test func manyStarsTakeNoLongerThanTheProductOfLengths() {
    let pattern = String(repeating: "a*", count: 2_000) + "b"
    #expect(!PathPattern.matches(pattern, String(repeating: "a", count: 5_000)))
  }
}
