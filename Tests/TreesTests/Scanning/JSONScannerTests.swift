import Files
import Foundation
import StrictJSON
import Testing

@testable import Trees

struct JSONScannerTests {
  private func scanner(_ text: String) throws -> JSONScanner { try JSONScanner(inMemory(text)) }

  /// The fault of a text that is stepped over, without the file's name; nil if there is none.
  private func fault(_ text: String) throws -> String? { try fault(Array(text.utf8)) }

  private func fault(_ bytes: [UInt8]) throws -> String? {
    let file = try inMemory(bytes)
    do throws(ScanError) {
      var scanner = try JSONScanner(file)
      try scanner.skip()
      try scanner.finish()
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    "1", " [ 1 , 2.5e3, -0 , \"a\\u00e9\\ud83d\\ude00\\n\" ] ",
    "{\"a\":{},\"b\":[],\"c\":null,\"d\":[true,false]}",
    "[1,\"a\",2,[3],{\"a\":4},5]", "\"\"", "[NaN,Infinity,-Infinity,1]", "[0E0,1E-45,1.5E+3]",
  ])
  func whatIsSoundIsRead(_ text: String) throws {
    #expect(try fault(text) == nil)
  }

  @Test(arguments: [
    ("", "f:1:1: the text ends where a value is expected"),
    ("[1,2", "f:1:5: the text ends inside an object or array"),
    ("[1,]", "f:1:4: a value is expected here"), ("[,1]", "f:1:2: a value is expected here"),
    ("[1 2]", "f:1:4: ',' or ']' is expected here"), ("[1]]", "f:1:4: text after the value"),
    ("{\"a\":1,\n \"a\":2}", "f:2:2: the key 'a' appears twice in one object"),
    ("{\"a\" 1}", "f:1:6: ':' is expected after a key"),
    ("{\"a\":1,}", "f:1:8: a key in quotes is expected here"),
    ("{a:1}", "f:1:2: a key in quotes is expected here"),
    ("[1,\n\n 01]", "f:3:2: a number must not start with 0"),
    ("[-]", "f:1:3: a digit is expected here"),
    ("[1.]", "f:1:4: a digit is expected here"), ("[1e]", "f:1:4: a digit is expected here"),
    ("[+1]", "f:1:2: a value is expected here"), ("[nan]", "f:1:2: a value is expected here"),
    ("[Nan]", "f:1:2: a digit is expected here"), ("[tru]", "f:1:2: a value is expected here"),
    ("\"a", "f:1:3: the text ends inside a string"),
    ("\"\\x\"", "f:1:3: an unknown escape sequence"),
    ("\"\\ud800\"", "f:1:8: a lone surrogate in a \\u escape"),
    ("\"\\u12\"", "f:1:3: \\u needs four hexadecimal digits"),
    ("\"\t\"", "f:1:2: a control character (byte 9) is in a string; write it as \\u escape"),
    ("\u{FEFF}1", "f:1:1: the text starts with a byte order mark; save it as plain UTF-8"),
    (String(repeating: "[", count: 65), "f:1:65: values nest deeper than 64 levels"),
    (
      "[" + String(repeating: "1", count: 1001) + "]",
      "f:1:1003: a number has more than 1000 digits"
    ),
  ])
  func faultsAreNamedWithTheirPlace(_ text: String, _ words: String) throws {
    #expect(try fault(text) == words)
  }

  @Test func bytesThatAreNoTextAreAFault() throws {
    #expect(try fault([0x22, 0xFF, 0x22]) == "f:1:4: a string is not valid UTF-8")
    #expect(try fault([0x22, 0x00, 0x22])?.contains("control character (byte 0)") == true)
    #expect(try fault([0x31, 0x00])?.contains("text after the value") == true)
  }

  @Test func manyKeysAreAFault() throws {
    let keys = (0...ScanLimits.keys).map { "\"\($0)\":0" }.joined(separator: ",")
    #expect(try fault("{\(keys)}")?.hasSuffix("an object has more than 65536 keys") == true)
    #expect(try fault("{\(keys.dropLast(10))}") == nil)
  }

  @Test(arguments: [
    ("{}", "is an object, expected an array"),
    ("[\"1\"]", "is a string, expected a whole number of 32 bits"),
    ("[1.5]", "is 1.5, expected a whole number of 32 bits"),
    ("[1,1e3]", "is 1e3, expected a whole number of 32 bits"),
    ("[2147483648]", "is 2147483648, expected a whole number of 32 bits"),
    ("[NaN]", "is NaN, expected a whole number of 32 bits"),
    ("[99999999999999999999]", "is 99999999999999999999, expected a whole number of 32 bits"),
  ])
  func numbersOfAnotherKindAreNamed(_ text: String, _ words: String) throws {
    var scanner = try scanner(text)
    do throws(ScanError) {
      _ = try scanner.integers()
      Issue.record("no fault")
    } catch {
      #expect(error.fault == words)
    }
  }

  @Test func wholeNumbersReachTheirBounds() throws {
    var scanner = try scanner("[-2147483648, 2147483647,-0]")
    #expect(try scanner.integers() == [.min, .max, 0])
    var numbers = try self.scanner("[-9223372036854775808,9223372036854775807]")
    try numbers.beginArray()
    #expect(try numbers.nextElement())
    #expect(try numbers.integer() == .min)
    #expect(try numbers.nextElement())
    #expect(try numbers.integer() == .max)
    #expect(try !numbers.nextElement())
  }

  /// Decimals of all sizes, against the standard library's own reading; those XGBoost writes among them.
  @Test func decimalsAreTheNearestFloats() throws {
    var generator = TestGenerator(seed: 19)
    var texts = [
      // The middle of two floats, and next to it; the largest, the least, and beyond.
      "16777217", "16777217.0000000001", "16777216.9999999999", "1.00000005960464477539062500",
      "33554435",
      "3.4028235E38", "3.4028236E38", "3.5E38", "1E-45", "7E-46", "7.1E-46", "1.1754942E-38",
      "1E400", "1E-400", "-0",
      "9007199254740993", "9007199254740992E22", "0.000000000000000000000000000000000000000000001",
    ]
    for _ in 0..<20_000 {
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      if float.isFinite { texts.append("\(float)".replacingOccurrences(of: "e", with: "E")) }
      let digits = "\(generator.next() >> (generator.next() % 60))"
      texts.append("-\(digits.first ?? "1").\(digits)E\(Int(generator.next() % 90) - 45)")
      // Middles of floats, written in full.
      let even = Double(Float(generator.next() >> 40) + 1 / 2)
      texts.append("\(even)")
      texts.append("\(Double(float).nextUp)".contains("n") ? "1" : "\(Double(float))")
    }
    let text = "[\(texts.joined(separator: ","))]"
    var floats = try scanner(text)
    var doubles = try scanner(text)
    let found = (try floats.floats(), try doubles.doubles())
    try #require(found.0.count == texts.count && found.1.count == texts.count)
    for (place, text) in texts.enumerated() {
      #expect(found.0[place].bitPattern == Float(text)?.bitPattern, "\(text)")
      #expect(found.1[place].bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  /// Values that lie across the ends of the stretches in memory.
  @Test func longTextsAreReadWhole() throws {
    let numbers = (0..<120_000).map { Int32($0 * 17_891 % 1_000_003) }
    let long = String(repeating: "aé\\n\\ud83d\\ude00", count: 60_000)
    let text = numbers.map { $0 % 7 == 0 ? " \n\($0)\t" : "\($0)" }.joined(separator: ",")
    let whole = "{\"a\":[\(text)],\"b\":\"\(long)\",\"c\":[\(text)]}"
    var scanner = try scanner(whole)
    try scanner.beginObject()
    #expect(try scanner.nextKey() == "a")
    #expect(try scanner.integers() == numbers)
    #expect(try scanner.nextKey() == "b")
    #expect(try scanner.string() == String(repeating: "aé\n😀", count: 60_000))
    #expect(try scanner.nextKey() == "c")
    #expect(try scanner.floats() == numbers.map(Float.init))
    #expect(try scanner.nextKey() == nil)
    try scanner.finish()
    #expect(
      try fault("[\(text),\n  ?]")
        == "f:\(text.split(separator: "\n").count + 1):3: a value is expected here")
  }

  /// The scanner and the parser of whole texts take the same texts, and see the same faults.
  @Test func mutantsAreJudgedAsTheParserJudges() throws {
    let seeds = [
      "{\"a\":[1,2.5e3,-0.25],\"b\":\"x\\u00e9\\\\\",\"c\":{\"d\":null,\"e\":[true,false,[]]}}",
      "[ 1 ,\n\"a\", [2,3,\n{\"k\":4E-2}] ,\"\\ud83d\\ude00\"]",
    ].map { Array($0.utf8) }
    var mutator = TestMutator(seed: 3)
    for _ in 0..<4000 {
      let bytes = mutator.next(from: seeds)
      // Only the scanner takes numbers that are not finite, and only the parser bounds the count of values.
      guard !bytes.contains(UInt8(ascii: "N")), !bytes.contains(UInt8(ascii: "I")) else { continue }
      var expected: String?
      do throws(JSONError) { _ = try JSONParser.parse(bytes, origin: "f") } catch {
        expected = error.description
      }
      let found = try fault(bytes)
      #expect(
        (found == nil) == (expected == nil),
        "\(String(decoding: bytes, as: UTF8.self)): \(found ?? "")")
    }
  }
}
