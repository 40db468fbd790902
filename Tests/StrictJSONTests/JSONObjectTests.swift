import Testing

@testable import StrictJSON

@Suite struct JSONObjectTests {
  private static func object(_ text: String) throws(JSONError) -> JSONObject {
    try JSONParser.parseObject(Array(text.utf8), origin: "f")
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let read: @Sendable (JSONObject) throws(JSONError) -> Void
    let message: String
    var testDescription: String { name }

    init(
      _ name: String, _ message: String,
      _ read: @escaping @Sendable (JSONObject) throws(JSONError) -> Void
    ) {
      self.name = name
      self.read = read
      self.message = message
    }
  }

  private static let text =
    #"{"s":"text","n":2.5,"i":7,"b":true,"a":[1,2],"o":{"x":1},"z":null,"huge":1e999,"#
    + #""\u001b":"\u0007"}"#

  static let cases: [Case] = [
    Case("missing", "f:1:1: the key 'q' is missing") { o throws(JSONError) in
      _ = try o.required("q")
    },
    Case("no integer", "f:1:17: 'n' is the number 2.5, expected an integer") {
      o throws(JSONError) in _ = try o.integer("n")
    },
    Case("out of range", "f:1:25: 'i' is the number 7, expected 0...6") { o throws(JSONError) in
      _ = try o.integer("i", in: 0...6)
    },
    Case("no number", "f:1:6: 's' is the string \"text\", expected a number") {
      o throws(JSONError) in _ = try o.double("s")
    },
    Case("too large", "f:1:74: 'huge' is the number 1e999, too large for a 64-bit float") {
      o throws(JSONError) in _ = try o.double("huge")
    },
    Case("no string", "f:1:31: 'b' is true, expected a string") { o throws(JSONError) in
      _ = try o.string("b")
    },
    Case("no bool", "f:1:40: 'a' is an array of 2, expected true or false") {
      o throws(JSONError) in _ = try o.bool("a")
    },
    Case("no array", "f:1:50: 'o' is an object, expected an array") { o throws(JSONError) in
      _ = try o.array("o")
    },
    Case("no object", "f:1:62: 'z' is null, expected an object") { o throws(JSONError) in
      _ = try o.object("z")
    },
    Case("control characters", #"f:1:89: '\u{1b}' is the string "\u{7}", expected a number"#) {
      o throws(JSONError) in _ = try o.double("\u{1b}")
    },
  ]

  @Test(arguments: cases) func messages(_ test: Case) throws {
    let object = try JSONObjectTests.object(JSONObjectTests.text)
    do throws(JSONError) {
      try test.read(object)
      Issue.record("accepted")
    } catch {
      #expect(error.description == test.message)
    }
  }

  @Test func anIntegerHasToBeWrittenAsOne() throws {
    let text = #"{"i": 7, "point": 7.0, "power": 7e0, "half": 7.5}"#
    let object = try JSONParser.parseObject(Array(text.utf8), origin: "f")
    #expect(try object.plainInteger("i", in: 7...7) == 7)
    for key in ["point", "power", "half"] {
      #expect(throws: JSONError.self) { try object.plainInteger(key) }
    }
    #expect(throws: JSONError.self) { try object.plainInteger("i", in: 0...6) }
  }

  @Test func values() throws {
    let object = try JSONObjectTests.object(JSONObjectTests.text)
    #expect(try object.string("s") == "text")
    #expect(try object.double("n") == 2.5)
    #expect(try object.integer("i", in: 7...7) == 7)
    #expect(try object.bool("b"))
    #expect(try object.array("a").count == 2)
    #expect(try object.object("o").integer("x") == 1)
    #expect(object.has("s") && !object.has("z") && !object.has("q"))
  }

  @Test func notAnObject() {
    do throws(JSONError) {
      _ = try JSONObjectTests.object(" [1]")
      Issue.record("accepted")
    } catch {
      #expect(error.description == "f:1:2: is an array of 1, expected an object")
    }
  }

  @Test func unknownKeys() throws {
    #expect(throws: Never.self) {
      try JSONObjectTests.object(#"{"a":1}"#).allowOnly(["a", "b"])
    }
    // The Kelvin sign is canonically equivalent to K, yet another key.
    do throws(JSONError) {
      try JSONObjectTests.object("{\"a\":1,\"\u{212A}\":2}").allowOnly(["a", "K"])
      Issue.record("accepted")
    } catch {
      #expect(error.description == "f:1:14: unknown key '\u{212A}'; known here: a, K")
    }
  }

  @Test func longNamesAreCut() {
    let name = String(repeating: "x", count: 100)
    #expect(quoted(name) == "'\(name.prefix(80))…'")
    // One character of a thousand scalars must be cut as well.
    let marks = "e" + String(repeating: "\u{301}", count: 1000)
    #expect(quoted(marks).unicodeScalars.count == 83)
  }

  @Test func nothingInvisibleInNames() {
    #expect(
      quoted("a\u{202E}b\u{0}\u{9B}\u{2028}\u{E000}") == #"'a\u{202e}b\u{0}\u{9b}\u{2028}\u{e000}'"#
    )
  }
}
