import TestSupport
import Testing

@testable import IngotTokenizers

struct CompressedModelHeaderTests {
  private func header(_ json: String, stated: UInt64? = nil) -> [UInt8] {
    littleEndian(stated ?? UInt64(json.utf8.count)) + Array(json.utf8)
  }

  private func fault(_ header: [UInt8]) -> String? {
    do {
      _ = try CompressedModelHeader.files(in: header)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func filesComeOutOfTheHeader() throws {
    let json =
      #"{"__metadata__":{"ingot.files":"{\"a/tokenizer.json\":\"{é}\",\"b\":{\"base64\":\"/w==\"}}"},"#
      + #""t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#
    let bytes = header(json)
    #expect(try CompressedModelHeader.byteCount(Array(bytes.prefix(8))) == bytes.count)
    let files = try CompressedModelHeader.files(in: bytes + [1, 2, 3, 4])
    #expect(files == ["a/tokenizer.json": Array("{é}".utf8), "b": [0xFF]])
  }

  @Test func aFaultIsNamed() {
    #expect(fault([1, 2]) == "the file has 2 bytes, a safetensors file has at least 8")
    #expect(
      fault(header("{}", stated: 1 << 40))
        == "the file's header is said to have \(1 << 40) bytes, the limit is \(64 << 20)")
    #expect(
      fault(header("{}", stated: .max))
        == "the file's header is said to have \(UInt64.max) bytes, the limit is \(64 << 20)")
    #expect(
      fault(header("{}", stated: 9))
        == "the file's header has 17 bytes, 10 were handed over")
    #expect(fault(header("{}")) == "header:1:1: the key '__metadata__' is missing")
    #expect(
      fault(header(#"{"__metadata__":{"ingot.files":"[]"}}"#))
        == "metadata 'ingot.files':1:1: is an array of 0, expected an object")
    #expect(
      fault(header(#"{"__metadata__":{"ingot.files":"{\"a\":1}"}}"#))
        == "metadata 'ingot.files':1:6: 'a' is the number 1, expected a string")
  }

  /// "é" as one scalar and as two is one key of a dictionary.
  @Test func twoSpellingsOfAPathAreRefused() {
    let text = "{\\\"\u{E9}\\\":\\\"\\\",\\\"e\u{301}\\\":\\\"\\\"}"
    let found = fault(header(#"{"__metadata__":{"ingot.files":"\#(text)"}}"#))
    #expect(found?.contains("differ in their Unicode form only") == true, "\(found ?? "")")
  }
}
