import TestSupport
import Testing
import Weights

@testable import Store

@Suite struct ActionResultTests {
  static let digest = ContentDigest(ofText: "x")

  private static func output(_ path: String, _ byteCount: Int = 1) -> ActionResult.Output {
    .init(path: path, digest: digest, byteCount: byteCount)
  }

  /// A message by hand, so that the reader is not judged by its own writer.
  private func message(
    _ outputs: [(path: String, hash: String, size: Int64)], exitCode: Int32 = 0
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for output in outputs {
      let digest =
        field(1, Array(output.hash.utf8)) + [0x10] + varint(UInt64(bitPattern: output.size))
      bytes += field(2, field(1, Array(output.path.utf8)) + field(2, digest))
    }
    return bytes + [0x20] + varint(UInt64(bitPattern: Int64(exitCode)))
  }

  private func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    [number << 3 | 2] + varint(UInt64(content.count)) + content
  }

  private func varint(_ value: UInt64) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + varint(value >> 7)
  }

  private func fault(_ bytes: [UInt8]) -> String? {
    do throws(BadResult) {
      _ = try ActionResult(encoded: bytes, for: .named("a"))
      return nil
    } catch { return error.description }
  }

  /// The bytes by hand, so that a server that reads `ActionResult` reads ours.
  @Test func isAnActionResultOfTheRemoteExecutionAPI() throws {
    let result = ActionResult(outputs: [Self.output("m", 300)], exitCode: 3)
    let hash = Array(Self.digest.hex.utf8)
    let digest = [0x0A, 64] + hash + [0x10, 0xAC, 0x02]
    let file = [0x0A, 1, UInt8(ascii: "m"), 0x12, UInt8(digest.count)] + digest
    let start = [0x12, UInt8(file.count)] + file + [0x20, 3, 0x2A, 76]
    let bytes = try result.encoded(for: .named("a"))
    #expect(Array(bytes.prefix(start.count)) == start)
    #expect(bytes.count == start.count + 76)
    #expect(bytes.suffix(76).starts(with: "ingot-seal ".utf8))
  }

  /// The field is the one of the protocol; a changed text is told by its digest.
  @Test func smallTextsStandInTheResult() throws {
    let text = Array("x".utf8)
    let output = try #require(ActionResult.Output(path: "m", text: text))
    #expect(output.digest == Self.digest && output.byteCount == 1)
    var bytes = try ActionResult(outputs: [output], exitCode: 0).encoded(for: .named("a"))
    #expect(try ActionResult(encoded: bytes, for: .named("a")).outputs == [output])
    let place = try #require(bytes.firstRange(of: [0x2A, 1] + text)).lowerBound
    bytes[place + 2] = UInt8(ascii: "y")
    #expect(
      fault(bytes) == "output 'm' has other contents than its digest \(Self.digest) says")
  }

  @Test func onlySmallTextsStandInAResult() {
    #expect(ActionResult.Output(path: "m", text: []) == nil)
    #expect(ActionResult.Output(path: "m", text: [0xFF]) == nil)
    let most = [UInt8](repeating: UInt8(ascii: "x"), count: 8192)
    #expect(ActionResult.Output(path: "m", text: most) != nil)
    #expect(ActionResult.Output(path: "m", text: most + [0x20]) == nil)
    let many = (0..<41).compactMap { ActionResult.Output(path: "m\($0)", text: most) }
    #expect(
      ActionResult.fault(of: many, exitCode: 0)
        == "holds 335872 bytes of outputs, the limit is 327680")
  }

  @Test func readsBackWhatWasWritten() throws {
    let result = ActionResult(outputs: [Self.output("b"), Self.output("a/é", 0)], exitCode: 255)
    #expect(result.outputs.map(\.path) == ["a/é", "b"])
    let bytes = try result.encoded(for: .named("a"))
    #expect(try ActionResult(encoded: bytes, for: .named("a")) == result)
    let empty = ActionResult(outputs: [], exitCode: 0)
    #expect(
      try ActionResult(encoded: empty.encoded(for: .named("a")), for: .named("a")) == empty)
  }

  @Test func theLargestResultFits() throws {
    let outputs = (0..<ActionResult.outputLimit).map { index in
      let name = "\(index)"
      let fill = String(repeating: "n", count: ActionResult.pathLimit - name.utf8.count)
      return Self.output(name + fill, .max)
    }
    let bytes = try ActionResult(outputs: outputs, exitCode: 0).encoded(for: .named("a"))
    #expect(bytes.count <= ActionResult.encodedLimit)
    #expect(try ActionResult(encoded: bytes, for: .named("a")).outputs.count == outputs.count)
  }

  /// Servers add fields such as `execution_metadata`.
  @Test func fieldsOfOthersArePassedOver() throws {
    let result = ActionResult(outputs: [Self.output("m")], exitCode: 0)
    let bytes = try result.encoded(for: .named("a")) + [0x4A, 3, 0x0A, 1, UInt8(ascii: "w")]
    #expect(try ActionResult(encoded: bytes, for: .named("a")) == result)
  }

  @Test func theSealHoldsTheKey() throws {
    let bytes = try ActionResult(outputs: [], exitCode: 0).encoded(for: .named("b"))
    #expect(fault(bytes) == "does not carry the seal of its key and content")
    #expect(fault([]) == "does not carry the seal of its key and content")
  }

  struct Case: CustomTestStringConvertible {
    let path: String
    var hash = digest.hex
    var size: Int64 = 1
    let fault: String
    var testDescription: String { fault }
  }

  static let bad = [
    Case(path: "", fault: "output '' has a path with an empty part, '.' or '..'"),
    Case(path: "/a", fault: "output '/a' has a path with an empty part, '.' or '..'"),
    Case(path: "a/../b", fault: "output 'a/../b' has a path with an empty part, '.' or '..'"),
    Case(path: "./a", fault: "output './a' has a path with an empty part, '.' or '..'"),
    Case(path: "a//b", fault: "output 'a//b' has a path with an empty part, '.' or '..'"),
    Case(path: "a/", fault: "output 'a/' has a path with an empty part, '.' or '..'"),
    Case(path: "a\nb", fault: "output 'a\\u{a}b' has a control character in its path"),
    Case(path: "a\0", fault: "output 'a\\u{0}' has a control character in its path"),
    Case(
      path: String(repeating: "n", count: 513),
      fault: "output '\(String(repeating: "n", count: 80))…' has a path of 513 bytes, "
        + "the limit is 512"),
    Case(path: "m", size: -1, fault: "output 'm' has -1 bytes"),
    Case(
      path: "m", hash: "abc",
      fault: "output 'm' has the digest 'abc', expected 64 lower-case hexadecimal digits"),
    Case(
      path: "m", hash: digest.hex.uppercased(),
      fault: "output 'm' has the digest '\(digest.hex.uppercased())', expected 64 lower-case "
        + "hexadecimal digits"),
  ]

  @Test(arguments: bad) func badOutputsAreRefused(_ test: Case) {
    #expect(fault(message([(test.path, test.hash, test.size)])) == test.fault)
  }

  @Test func absurdMessagesAreRefused() {
    let twice = [("m", Self.digest.hex, Int64(1)), ("m", Self.digest.hex, Int64(1))]
    #expect(fault(message(twice)) == "has two outputs 'm'")
    #expect(fault(message([], exitCode: -1)) == "has exit code -1, expected one in 0...255")
    #expect(fault(message([], exitCode: 256)) == "has exit code 256, expected one in 0...255")
    let many = [UInt8](repeating: 0, count: 1 << 20).indices.map { $0 % 2 == 0 ? 0x12 : UInt8(0) }
    #expect(fault(many) == "has 524288 outputs, the limit is 1024")
    #expect(fault(many + [0]) == "has 1048577 bytes, the limit is 1048576")
    #expect(fault([0x12, 5, 1]) == "is no ActionResult message")
    #expect(fault(Array("<html>".utf8)) == "is no ActionResult message")
  }

  @Test func truncatedResultsAreRefused() throws {
    let whole = try ActionResult(outputs: [Self.output("m")], exitCode: 3)
      .encoded(for: .named("a"))
    for count in 0..<whole.count { #expect(fault(Array(whole.prefix(count))) != nil) }
  }
}
