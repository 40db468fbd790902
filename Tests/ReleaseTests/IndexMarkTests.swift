import Signatures
import Testing
import Weights

@testable import Release

/// The line of a list that says where the index ends.
@Suite struct IndexMarkTests {
  private static let zeros = String(repeating: "0", count: 64)

  private func mark(_ line: String) throws -> IndexMark? {
    try IndexMark(
      try SumsFile(Array("\(line)\(Self.zeros)  a\n".utf8), origin: "S"), origin: "S")
  }

  @Test func isReadAsItIsWritten() throws {
    let nothing = ContentDigest(of: [])
    let mark = IndexMark(
      before: IndexMark.End(count: 0, head: nothing),
      after: IndexMark.End(count: 12, head: ContentDigest(of: [1])))
    #expect(try self.mark(mark.line) == mark)
    #expect(mark.line.hasPrefix("# index.jsonl from 0 \(nothing) to 12 "))
    #expect(try self.mark("") == nil)
  }

  @Test(arguments: [
    "hello", "index.jsonl", "index.jsonl from 1 \(zeros) to 0 \(zeros)",
    "index.jsonl from 0 \(zeros) to 01 \(zeros)", "index.jsonl from -1 \(zeros) to 1 \(zeros)",
    "index.jsonl from 0 \(zeros) to 1 \(zeros.dropLast())",
    "index.jsonl from 0 \(zeros) to 1 \(zeros) ", "index.jsonl  from 0 \(zeros) to 1 \(zeros)",
    "index.jsonl from 0 \(zeros) to 99999999999999999999 \(zeros)",
  ])
  func anythingElseIsRefused(_ text: String) {
    #expect(
      throws: SignatureError.malformed(
        origin: "S:1", fault: "expected '# index.jsonl from LINES SHA256 to LINES SHA256'")
    ) { try mark("# \(text)\n") }
  }
}
