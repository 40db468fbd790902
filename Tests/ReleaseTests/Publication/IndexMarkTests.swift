import PackageNames
import Packaging
import Signatures
import TestSupport
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

  private func line(_ app: Int, madeFrom input: UInt8) throws -> ReleaseIndex.Entry {
    let id = "\(app)1111111-1111-4111-8111-111111111111"
    return ReleaseIndex.Entry(
      app: id, version: try #require(SemanticVersion("1.0.0")), path: "\(id)/\(id)-1.0.0.zip",
      sha256: ContentDigest(of: []), byteCount: 1, inputs: ContentDigest(of: [input]),
      terms: ContentDigest(of: []), models: [:], signer: nil, attestations: [:])
  }

  /// A list of the first app's archive would begin behind the second line; lines before it count as
  /// confirmed where the others are cut off.
  @Test(arguments: [true, false])
  func beginsBehindTheLineThatTakesAnotherBack(_ isDoubted: Bool) throws {
    let folder = try TemporaryFolder()
    var index = try ReleaseIndex(folder: folder.path)
    index.add(try line(1, madeFrom: 1))
    index.add(try line(2, madeFrom: 1).recovered)
    if isDoubted { index.doubt(behind: 0) }
    let right = try line(1, madeFrom: 2)
    index.add(right)
    #expect(index.lines.last == right)
    #expect(index.lines.map(\.isRecovered) == [false, true] + (isDoubted ? [true] : []) + [false])
    #expect(IndexCheck.start(of: [right], in: index).count == (isDoubted ? 3 : 2))
  }

  /// A line in doubt that says what the build found needs none.
  @Test func nothingIsTakenBackThatWasRight() throws {
    let folder = try TemporaryFolder()
    var index = try ReleaseIndex(folder: folder.path)
    index.add(try line(1, madeFrom: 1))
    index.doubt(behind: 0)
    index.add(try line(1, madeFrom: 1))
    index.recover()
    #expect(index.lines.count == 1)
  }
}
