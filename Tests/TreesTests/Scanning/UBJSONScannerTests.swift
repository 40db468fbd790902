import Files
import TestSupport
import Testing

@testable import Trees

struct UBJSONScannerTests {
  private func fault(_ bytes: [UInt8]) throws -> String? {
    let file = try inMemory(bytes)
    do throws(ScanError) {
      var scanner = try UBJSONScanner(file)
      try scanner.skip()
      try scanner.finish()
      return nil
    } catch {
      return error.description
    }
  }

  /// Letters stand for themselves, numbers for bytes.
  private func bytes(_ parts: [Any]) -> [UInt8] {
    parts.flatMap { part -> [UInt8] in
      if let text = part as? String { return Array(text.utf8) }
      return (part as? Int).map { [UInt8($0)] } ?? []
    }
  }

  @Test func whatIsSoundIsRead() throws {
    for parts: [Any] in [
      ["Z"], ["i", 255], ["d", 0, 0, 0, 0], ["[", "]"], ["[#i", 2, "ZT"], ["[$l#U", 1, 0, 0, 0, 1],
      ["{", "}"],
      ["{i", 1, "aSI", 0, 2, "bc", "}"], ["[TF[]{}U", 7, "]"], ["[$U#i", 0],
    ] {
      #expect(try fault(bytes(parts)) == nil, "\(parts)")
    }
  }

  @Test func faultsAreNamedWithTheirPlace() throws {
    let cases: [([Any], String)] = [
      ([], "f: byte 0: the file ends where a value is expected"),
      (["[#i", 2, "Z"], "f: byte 2: an array of 2 values, 1 bytes are left"),
      (["?"], "f: byte 0: a value is expected here"),
      (["N"], "f: byte 0: a value of type 'N' is not one that is read here"),
      (["[Z"], "f: byte 2: the file ends where a value is expected"),
      (["l", 0, 0], "f: byte 1: the file ends inside a number"),
      (["[$Z#i", 9], "f: byte 2: an array of a type other than i, U, I, l, L, d and D"),
      (["[$i", 9], "f: byte 3: '#' is expected after a type"),
      (["[#d", 0, 0, 0, 0], "f: byte 2: a count of type i, U, I, l or L is expected here"),
      (["[#i", 255], "f: byte 2: an array of -1 values, 0 bytes are left"),
      (
        ["[$D#L", 127, 255, 255, 255, 255, 255, 255, 255, 0],
        "f: byte 4: an array of 9223372036854775807 values, 1 bytes are left"
      ),
      (["[$d#i", 2, 0, 0, 0, 0, 0, 0, 0], "f: byte 4: an array of 2 values, 7 bytes are left"),
      (
        ["SL", 0, 0, 1, 0, 0, 0, 0, 0, "a"],
        "f: byte 1: a text of 1099511627776 bytes, 1 bytes are left"
      ),
      (["Si", 255], "f: byte 1: a text of -1 bytes, 0 bytes are left"),
      (["Si", 1, 255], "f: byte 4: a text is not valid UTF-8"),
      (["{i", 1, "aZi", 1, "aZ}"], "f: byte 5: the key 'a' appears twice in one object"),
      (["{$i#i", 1, "}"], "f: byte 1: a count of type i, U, I, l or L is expected here"),
      (["ZZ"], "f: byte 1: bytes after the value"),
      ([String(repeating: "[", count: 65)], "f: byte 64: values nest deeper than 64 levels"),
    ]
    for (parts, words) in cases { #expect(try fault(bytes(parts)) == words) }
  }

  @Test func numbersOfAllTypesAreRead() throws {
    var scanner = try UBJSONScanner(
      inMemory(
        bytes([
          "[i", 254, "U", 254, "I", 255, 0, "l", 128, 0, 0, 0, "L", 0, 0, 0, 0, 0, 0, 0, 9, "]",
        ])))
    #expect(try scanner.integers() == [-2, 254, -256, .min, 9])
    var floats = try UBJSONScanner(
      inMemory(bytes(["[i", 254, "d", 0x3F, 0xC0, 0, 0, "D", 0x3F, 0xE0, 0, 0, 0, 0, 0, 0, "]"])))
    #expect(try floats.floats() == [-2, 1.5, 0.5])
    var flags = try UBJSONScanner(inMemory(bytes(["[$U#i", 2, 0, 1])))
    #expect(try flags.flags() == [false, true])
    var large = try UBJSONScanner(inMemory(bytes(["[$L#i", 1, 0, 0, 0, 1, 0, 0, 0, 0])))
    do throws(ScanError) {
      _ = try large.integers()
      Issue.record("no fault")
    } catch {
      #expect(error.fault == "holds 4294967296.0, expected a whole number of 32 bits")
    }
  }

  /// An array that is longer than the stretch in memory, of numbers that lie across its ends.
  @Test func longArraysAreReadWhole() throws {
    let numbers = (0..<100_000).map { "\($0).5" }.joined(separator: ",")
    let file = try inMemory(ubjson("{\"a\":[\(numbers)],\"bc\":[\(numbers)]}"))
    var scanner = try UBJSONScanner(file)
    try scanner.beginObject()
    #expect(try scanner.nextKey() == "a")
    #expect(try scanner.floats() == (0..<100_000).map { Float($0) + 0.5 })
    #expect(try scanner.nextKey() == "bc")
    try scanner.skip()
    #expect(try scanner.nextKey() == nil)
    try scanner.finish()
  }
}
