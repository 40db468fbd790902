import TestSupport
import Testing

@testable import Weights

@Suite struct NpyHostileTests {
  @Test func enoughCases() { #expect(NpyHostileTests.cases.count >= 20) }

  @Test(arguments: cases) func refused(_ hostile: HostileCase) {
    do throws(WeightsError) {
      _ = try NpyHeader(
        prefix: hostile.bytes.span.bytes, byteCount: hostile.bytes.count, place: "m")
      Issue.record("accepted")
    } catch {
      #expect(error.description == hostile.message)
    }
  }

  private static func header(_ text: String) -> [UInt8] { NpyBytes.file(text) }

  static let cases: [HostileCase] = startCases + typeCases + textCases + shapeCases

  static let startCases: [HostileCase] = [
    HostileCase("empty file", [], "m: does not start as an npy file does"),
    HostileCase(
      "another file", Array("PK\u{3}\u{4}".utf8), "m: does not start as an npy file does"),
    HostileCase(
      "cut after the magic", Array(NpyBytes.file("").prefix(8)),
      "m: has 8 bytes, the start of an npy file has 10"),
    HostileCase(
      "version 2 cut in its length", Array(NpyBytes.file("", version: 2).prefix(10)),
      "m: has 10 bytes, the start of an npy file has 12"),
    HostileCase(
      "version 0", NpyBytes.file("{}", version: 0), "m: is npy version 0, known are 1, 2 and 3"),
    HostileCase(
      "version 4", NpyBytes.file("{}", version: 4), "m: is npy version 4, known are 1, 2 and 3"),
    HostileCase(
      "version 1.7", NpyBytes.file("{}", minor: 7),
      "m: is npy version 1.7, known are 1.0, 2.0 and 3.0"),
    HostileCase(
      "header beyond the file", NpyBytes.file("{}", stated: 3),
      "m: the header is said to have 3 bytes, the file has 2 left for it"),
    HostileCase(
      "header of 4 GiB", NpyBytes.file("{}", version: 3, stated: 0xFFFF_FFFF),
      "m: the header is said to have 4294967295 bytes, the file has 2 left for it"),
    HostileCase(
      "header beyond the limit",
      NpyBytes.file(String(repeating: " ", count: 65537), version: 2),
      "m: the header is said to have 65537 bytes, the limit is 65536"),
  ]

  static let typeCases: [HostileCase] = [
    HostileCase(
      "Python objects", NpyBytes.array("|O", "(1,)", data: [0]),
      "m: holds Python objects; save plain numbers"),
    HostileCase(
      "a structured array",
      header("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (), }"),
      "m: holds a structured array; save each field as an array of its own"),
    HostileCase("text", NpyBytes.array("<U5", "(1,)", data: []), typeMessage("<U5")),
    HostileCase("raw bytes", NpyBytes.array("|V2", "(1,)", data: [0, 0]), typeMessage("|V2")),
    HostileCase("dates", NpyBytes.array("<M8[ns]", "(1,)", data: []), typeMessage("<M8[ns]")),
    HostileCase("long double", NpyBytes.array("<f16", "(0,)", data: []), typeMessage("<f16")),
    HostileCase("complex of 16", NpyBytes.array("<c16", "(0,)", data: []), typeMessage("<c16")),
    HostileCase("no byte order", NpyBytes.array("|f4", "(0,)", data: []), typeMessage("|f4")),
    HostileCase("no order at all", NpyBytes.array("f4", "(0,)", data: []), typeMessage("f4")),
    HostileCase("no type", NpyBytes.array("", "(0,)", data: []), typeMessage("")),
  ]

  private static func typeMessage(_ descr: String) -> String {
    "m: has the element type '\(descr)'; read are floats of 2, 4 and 8 bytes, integers of 1, 2, 4"
      + " and 8 bytes, bool and complex numbers of 8 bytes"
  }

  static let textCases: [HostileCase] = [
    HostileCase("no dictionary", header("[]"), "m: header column 1: '{' is expected"),
    HostileCase("an empty header", header(""), "m: header column 1: '{' is expected"),
    HostileCase("not closed", header("{"), "m: header column 2: a key in quotes is expected"),
    HostileCase("empty", header("{}"), "m: the header lacks 'descr'"),
    HostileCase("only a type", header("{'descr': '<f4'}"), "m: the header lacks 'fortran_order'"),
    HostileCase(
      "no shape", header("{'descr': '<f4', 'fortran_order': False}"),
      "m: the header lacks 'shape'"),
    HostileCase(
      "an unknown key", header("{'descr': '<f4', 'x': 1}"), "m: header column 18: unknown key 'x'"),
    HostileCase(
      "a key twice", header("{'descr': '<f4', 'descr': '<f8'}"),
      "m: header column 18: the key 'descr' appears twice"),
    HostileCase(
      "no comma", header("{'descr': '<f4' 'shape': ()}"),
      "m: header column 17: ',' or '}' is expected"),
    HostileCase(
      "no colon", header("{'descr' '<f4'}"), "m: header column 10: ':' is expected after a key"),
    HostileCase("an open quote", header("{'descr"), "m: header column 2: a quote is not closed"),
    HostileCase(
      "code for a type", header("{'descr': __import__('os')}"),
      "m: header column 11: the element type in quotes is expected"),
    HostileCase(
      "a lie for an order", header("{'fortran_order': 0}"),
      "m: header column 19: True or False is expected"),
    HostileCase(
      "text after the dictionary",
      header("{'descr': '<f4', 'fortran_order': False, 'shape': (), } x"),
      "m: header column 57: text after the dictionary"),
    HostileCase(
      "an escape in a text", header(#"{'descr': '\x3cf4'}"#),
      "m: header column 11: a text with other than plain ASCII characters"),
    HostileCase(
      "two commas", header("{'descr': '<f4',, }"),
      "m: header column 17: a key in quotes is expected"),
  ]

  static let shapeCases: [HostileCase] = [
    HostileCase(
      "a list for a shape", header("{'shape': [1]}"), "m: header column 11: '(' is expected"),
    HostileCase(
      "parentheses only", header("{'shape': (3)}"),
      "m: header column 14: a shape of one dimension is written (n,)"),
    HostileCase(
      "a comma only", header("{'shape': (,)}"),
      "m: header column 12: a whole number from 0 is expected"),
    HostileCase(
      "a negative dimension", header("{'shape': (-1,)}"),
      "m: header column 12: a whole number from 0 is expected"),
    HostileCase(
      "a dimension beyond 64 bits", header("{'shape': (18446744073709551616,)}"),
      "m: header column 12: a number that is too large or starts with 0"),
    HostileCase(
      "a leading zero", header("{'shape': (01,)}"),
      "m: header column 12: a number that is too large or starts with 0"),
    HostileCase(
      "a fraction", header("{'shape': (1.5,)}"), "m: header column 13: ',' or ')' is expected"),
    HostileCase(
      "a shape that is cut off", header("{'shape': (1,"),
      "m: header column 14: a whole number from 0 is expected"),
    HostileCase(
      "size overflows", NpyBytes.array("<f4", "(4294967296, 4294967296)", data: []),
      "m: has the shape [4294967296, 4294967296], whose size overflows"),
    HostileCase(
      "65 dimensions",
      NpyBytes.array("<f4", "(" + String(repeating: "1, ", count: 65) + ")", data: []),
      "m: has 65 dimensions, the limit is 64"),
    HostileCase(
      "data cut off", NpyBytes.array("<f4", "(2, 2)", data: [0, 0, 0]),
      "m: has 3 bytes of data, F32 [2, 2] needs 16"),
    HostileCase(
      "data too long", NpyBytes.array("<f2", "()", data: [0, 0, 0]),
      "m: has 3 bytes of data, F16 [] needs 2"),
    HostileCase(
      "giant size", NpyBytes.array("|u1", "(1000000000000,)", data: []),
      "m: has 0 bytes of data, U8 [1000000000000] needs 1000000000000"),
  ]
}
