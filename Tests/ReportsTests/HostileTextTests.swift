import Mustache
import Testing

@testable import Reports

struct HostileTextTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let escaped: String

    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "plain", text: "a b ü 猫 🐈", escaped: "a b ü 猫 🐈"),
    Case(
      name: "a script", text: "<script>alert('1')</script>",
      escaped: "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"),
    Case(
      name: "an attribute", text: "\" onload=\"x", escaped: "&quot; onload=&quot;x"),
    Case(
      name: "a quote under a combining mark", text: "\"\u{301} onload=x",
      escaped: "&quot;\u{301} onload=x"),
    Case(name: "an angle under a mark", text: "<\u{20D2}b>", escaped: "&lt;\u{20D2}b&gt;"),
    Case(name: "an entity", text: "&lt;", escaped: "&amp;lt;"),
    Case(name: "a turned direction", text: "a\u{202E}b\u{2066}", escaped: "a\\u{202E}b\\u{2066}"),
    Case(
      name: "controls", text: "a\u{0}\u{1B}[31m\r\u{85}", escaped: "a\\u{0}\\u{1B}[31m\\u{D}\\u{85}"
    ),
    Case(name: "lines", text: "a\n\tb", escaped: "a\n\tb"),
    Case(
      name: "no characters", text: "\u{FFFE}\u{FEFF}\u{1FFFF}",
      escaped: "\\u{FFFE}\\u{FEFF}\\u{1FFFF}"),
    Case(name: "invisible tags", text: "a\u{E0041}", escaped: "a\\u{E0041}"),
    Case(name: "a template", text: "{{style}}", escaped: "{{style}}"),
  ]

  @Test(arguments: cases)
  func everythingThatSteersIsWrittenOut(_ each: Case) {
    #expect(HostileText().escapeText(each.text) == each.escaped)
  }

  /// The library's escape misses the quote: if it ever does not, ours is still right.
  @Test func templatesUseIt() throws {
    MustacheContentTypes.register(HostileText(), named: HostileText.name)
    let text = "{{% CONTENT_TYPE:\(HostileText.name)}}<p title=\"{{a}}\">"
    let html = try MustacheTemplate(string: text).render(["a": "\"\u{301} onload=x"])
    #expect(html == "<p title=\"&quot;\u{301} onload=x\">")
  }

  @Test func longTextsAreCut() {
    #expect(HostileText.cut("abc", to: 3) == "abc")
    #expect(HostileText.cut("abcd", to: 3) == "abc…")
    #expect(HostileText.cut("", to: 0) == "")
    #expect(HostileText.cut(String(repeating: "\u{301}", count: 9), to: 2) == "\u{301}\u{301}…")
  }

  /// The vectors of RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func base64(_ text: String, _ expected: String) {
    #expect(Base64.text(Array(text.utf8)) == expected)
  }

  @Test func base64OfEveryDigit() {
    #expect(Base64.text([0xFB, 0xFF, 0xBF, 0x00, 0x10, 0x83]) == "+/+/ABCD")
  }
}
