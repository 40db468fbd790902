import ModelFixtures
import StrictJSON
import TestSupport
import Testing

@testable import Inputs

struct TableTextTests {
  private func records(_ text: String, separator: Character = ",") throws -> [[String]] {
    var table = TableText(
      Array(text.utf8), origin: "t", separator: separator.asciiValue ?? 0)
    var records: [[String]] = []
    while let record = try table.next() { records.append(record.fields.map(\.text)) }
    return records
  }

  @Test(
    arguments: [
      ("", []), ("a", [["a"]]), ("a\n", [["a"]]), ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
      (",", [["", ""]]), ("a,\n", [["a", ""]]), ("\n", [[""]]), ("\"\"", [[""]]),
      ("\"a,b\",c", [["a,b", "c"]]), ("\"a\nb\"\nc", [["a\nb"], ["c"]]),
      ("\"say \"\"no\"\"\"", [["say \"no\""]]), ("5\" disk,x", [["5\" disk", "x"]]),
      ("\"a\r\nb\"\r\n", [["a\r\nb"]]), ("a\r", [["a"]]),
    ] as [(String, [[String]])])
  func takesRecordsApart(_ text: String, _ expected: [[String]]) throws {
    #expect(try records(text) == expected)
    #expect(
      try records(text.replacing(",", with: "\t"), separator: "\t")
        == expected.map { $0.map { $0.replacing(",", with: "\t") } })
  }

  @Test func placesAreLinesAndColumns() throws {
    var table = TableText(Array("a,b\n\"x\ny\",\"z\"\nc,d".utf8), origin: "t", separator: 0x2C)
    _ = try table.next()
    let second = try #require(try table.next())
    #expect(second.line == 2)
    #expect(second.fields[0].position == JSONPosition(line: 1, column: 1))
    #expect(second.fields[1].position == JSONPosition(line: 2, column: 4))
    #expect(try table.next()?.line == 4)
  }

  /// A table written by RFC 4180 reads back, whatever the fields hold.
  @Test func roundTrip() throws {
    var generator = SeededGenerator(seed: 7)
    let pieces = ["a", "\"", ",", "\n", "\r", " ", "é", "🙂", "\t", ""]
    for _ in 0..<200 {
      let rows = (0..<3).map { _ in
        (0..<3).map { _ in
          (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
          }.joined()
        }
      }
      let text = rows.map { row in
        row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",") + "\r\n"
      }.joined()
      #expect(try records(text) == rows)
    }
  }
}
