import Testing

@testable import StrictJSON

@Suite struct JSONHostileTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let message: String

    init(_ name: String, _ text: String, _ message: String) {
      self.init(name, bytes: Array(text.utf8), message)
    }

    init(_ name: String, bytes: [UInt8], _ message: String) {
      self.name = name
      self.bytes = bytes
      self.message = message
    }

    var testDescription: String { name }
  }

  @Test func enoughCases() { #expect(JSONHostileTests.cases.count >= 20) }

  @Test(arguments: cases) func refused(_ test: Case) {
    do throws(JSONError) {
      _ = try JSONParser.parse(test.bytes, origin: "f")
      Issue.record("accepted")
    } catch {
      #expect(error.description == test.message)
    }
  }

  /// Every beginning of a sound text is refused, whatever it is cut in.
  @Test func truncatedEverywhere() {
    let text = Array(#"{"a":[1,-2.5e+3,true,null,"x\u00e9\ud83d\ude00"],"b":{"c":false}}"#.utf8)
    #expect(throws: Never.self) { try JSONParser.parse(text, origin: "f") }
    for count in 0..<text.count {
      #expect(throws: JSONError.self) { try JSONParser.parse(Array(text[..<count]), origin: "f") }
    }
  }

  static let cases: [Case] = syntaxCases + numberCases + stringCases + limitCases

  private static let value = "a value is expected here"

  static let syntaxCases: [Case] = [
    Case("nothing", "", "f:1:1: the text ends where a value is expected"),
    Case("only space", " \n\t ", "f:2:3: the text ends where a value is expected"),
    Case("a word", "hello", "f:1:1: \(value)"),
    Case("half a word", "[tru", "f:1:2: \(value)"),
    Case("a word in capitals", "True", "f:1:1: \(value)"),
    Case("a longer word", "nullx", "f:1:5: text after the value"),
    Case("not a number", "NaN", "f:1:1: \(value)"),
    Case("infinity", "[Infinity]", "f:1:2: \(value)"),
    Case("two values", "1 2", "f:1:3: text after the value"),
    Case("a comment", "{} // x", "f:1:4: text after the value"),
    Case("a zero byte at the end", "{}\0", "f:1:3: text after the value"),
    Case("a form feed as space", "\u{C}1", "f:1:1: \(value)"),
    Case("a non-breaking space", "\u{A0}1", "f:1:1: \(value)"),
    Case("comma at the end of an array", "[1,]", "f:1:4: \(value)"),
    Case("only a comma", "[,]", "f:1:2: \(value)"),
    Case("no comma", "[1 2]", "f:1:4: ',' or ']' is expected here"),
    Case("wrong bracket", "[1}", "f:1:3: ',' or ']' is expected here"),
    Case("open array", "[1,\n2", "f:2:2: the text ends inside an object or array"),
    Case("open array after a comma", "[1,", "f:1:4: the text ends where a value is expected"),
    Case("comma at the end of an object", #"{"a":1,}"#, "f:1:8: a key in quotes is expected here"),
    Case("a key without quotes", "{a:1}", "f:1:2: a key in quotes is expected here"),
    Case("a key in single quotes", "{'a':1}", "f:1:2: a key in quotes is expected here"),
    Case("a number for a key", "{1:1}", "f:1:2: a key in quotes is expected here"),
    Case("no colon", #"{"a" 1}"#, "f:1:6: ':' is expected after a key"),
    Case("no value", #"{"a":}"#, "f:1:6: \(value)"),
    Case("wrong brace", #"{"a":1]"#, "f:1:7: ',' or '}' is expected here"),
    Case("a key twice", #"{"a":1,"a":2}"#, "f:1:8: the key 'a' appears twice in one object"),
    Case(
      "a key twice, once escaped", #"{"a":1,"\u0061":2}"#,
      "f:1:8: the key 'a' appears twice in one object"),
    Case("an empty key twice", #"{"":1,"":2}"#, "f:1:7: the key '' appears twice in one object"),
    Case(
      "the first key again after many", #"{"k0":0,"# + many + #","k0":1}"#,
      "f:1:72: the key 'k0' appears twice in one object"),
    Case(
      "the last key again after many", #"{"k0":0,"# + many + #","k9":1}"#,
      "f:1:72: the key 'k9' appears twice in one object"),
    Case(
      "a key that would clear the terminal", #"{"\u001b[2J":1,"\u001b[2J":2}"#,
      #"f:1:16: the key '\u{1b}[2J' appears twice in one object"#),
  ]

  private static let many = (1...9).map { "\"k\($0)\":\($0)" }.joined(separator: ",")

  static let numberCases: [Case] = [
    Case("a plus sign", "+1", "f:1:1: \(value)"),
    Case("a leading zero", "01", "f:1:3: a number must not start with 0"),
    Case("a leading zero after a sign", "-01", "f:1:4: a number must not start with 0"),
    Case("a sign alone", "-", "f:1:2: a digit is expected here"),
    Case("a sign before a word", "-Infinity", "f:1:2: a digit is expected here"),
    Case("no digit before the point", ".5", "f:1:1: \(value)"),
    Case("no digit after the point", "1.", "f:1:3: a digit is expected here"),
    Case("no digit in the exponent", "1e", "f:1:3: a digit is expected here"),
    Case("a sign alone in the exponent", "1e+", "f:1:4: a digit is expected here"),
    Case("hexadecimal", "0x10", "f:1:2: text after the value"),
    Case("digits of another script", "\u{661}", "f:1:1: \(value)"),
    Case(
      "too many digits", String(repeating: "1", count: 1001),
      "f:1:1002: a number has more than 1000 digits"),
  ]

  static let stringCases: [Case] = [
    Case("open string", #""abc"#, "f:1:5: the text ends inside a string"),
    Case("open string after an escape", #""a\n"#, "f:1:5: the text ends inside a string"),
    Case("ends in a backslash", #""a\"#, "f:1:4: an unknown escape sequence"),
    Case("unknown escape", #""\x41""#, "f:1:3: an unknown escape sequence"),
    Case(
      "a line break in a string", "\"a\nb\"",
      "f:1:3: a control character (byte 10) is in a string; write it as \\u escape"),
    Case(
      "a zero byte in a string", "\"\0\"",
      "f:1:2: a control character (byte 0) is in a string; write it as \\u escape"),
    Case("half an escape", #""\u12"#, "f:1:3: \\u needs four hexadecimal digits"),
    Case("an escape with a sign", #""\u+123""#, "f:1:3: \\u needs four hexadecimal digits"),
    Case(
      "an escape in full-width digits", "\"\\u\u{FF11}234\"",
      "f:1:3: \\u needs four hexadecimal digits"),
    Case("a lone high surrogate", #""\ud800""#, "f:1:7: a lone surrogate in a \\u escape"),
    Case("a lone low surrogate", #""\udc00""#, "f:1:7: a lone surrogate in a \\u escape"),
    Case(
      "two high surrogates", #""\ud800\ud800""#, "f:1:13: a lone surrogate in a \\u escape"),
    Case(
      "a high surrogate before a letter", #""\ud800A""#, "f:1:7: a lone surrogate in a \\u escape"),
    Case(
      "a surrogate pair cut off", #""\ud83d\u"#, "f:1:9: \\u needs four hexadecimal digits"),
    Case(
      "invalid UTF-8", bytes: [0x22, 0xC3, 0x28, 0x22], "f:1:5: a string is not valid UTF-8"),
    Case(
      "overlong UTF-8", bytes: [0x22, 0xC0, 0xAF, 0x22], "f:1:5: a string is not valid UTF-8"),
    Case(
      "a surrogate in UTF-8", bytes: [0x22, 0xED, 0xA0, 0x80, 0x22],
      "f:1:6: a string is not valid UTF-8"),
    Case(
      "beyond Unicode", bytes: [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22],
      "f:1:7: a string is not valid UTF-8"),
    Case(
      "invalid UTF-8 after an escape", bytes: [0x22, 0x5C, 0x6E, 0xFF, 0x22],
      "f:1:6: a string is not valid UTF-8"),
    Case(
      "a byte order mark", bytes: [0xEF, 0xBB, 0xBF, 0x7B, 0x7D],
      "f:1:1: the text starts with a byte order mark; save it as plain UTF-8"),
    Case("UTF-16", bytes: [0xFF, 0xFE, 0x7B, 0x00], "f:1:1: \(value)"),
  ]

  static let limitCases: [Case] = [
    Case(
      "10,000 arrays deep", String(repeating: "[", count: 10_000),
      "f:1:66: values nest deeper than 64 levels"),
    Case(
      "10,000 objects deep", String(repeating: #"{"a":"#, count: 10_000),
      "f:1:326: values nest deeper than 64 levels"),
    Case(
      "too many values", "[" + String(repeating: "0,", count: 300_000) + "0]",
      "f:1:600000: the text holds more than 300000 values"),
    Case(
      "too many values over many lines", "[" + String(repeating: "[],\n", count: 300_000) + "0]",
      "f:300000:1: the text holds more than 300000 values"),
  ]
}
