import TestSupport
import Testing

@testable import Signatures

/// Of nothing.
private let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

@Suite struct SumsFileTests {
  @Test func readsWhatSha256sumWrites() throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    try Tool.succeed(
      "mkdir a && : >a/x-1.0.0.zip && echo >b_ && sha256sum a/x-1.0.0.zip b_ >S", in: scratch.path)
    let sums = try SumsFile(Array(scratch.bytes("S")), origin: "S")
    #expect(sums.entries.map(\.path) == ["a/x-1.0.0.zip", "b_"])
    #expect(sums.entries.first?.sha256 == empty)
    #expect(sums.faults(in: scratch.path).isEmpty)
  }

  @Test func namesEveryFileThatIsNotAsListed() throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    try scratch.writePrivate("good", "")
    try scratch.writePrivate("changed", "x")
    try Tool.succeed("mkdir folder", in: scratch.path)
    let text = ["good", "changed", "gone", "folder"].map { "\(empty)  \($0)\n" }.joined()
    #expect(
      try SumsFile(Array(text.utf8), origin: "S").faults(in: scratch.path) == [
        "\(scratch.path("changed")): has the sha256 "
          + "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881, expected \(empty)",
        "\(scratch.path("gone")): cannot open: no such file or directory",
        "\(scratch.path("folder")): is a folder, expected a regular file",
      ])
  }

  @Test(arguments: [
    "\(empty) a", "\(empty) *a", "\(empty)   a", "\(empty)  ", "\(empty)", "\(empty)  ../a",
    "\(empty)  /a", "\(empty)  a/../b", "\(empty)  a//b", "\(empty)  a/", "\(empty)  .a",
    "\(empty)  -a", "\(empty)  a\r", "\(empty)  a b", "\(empty)  a\\b", "\(empty)  é",
    "\(empty.uppercased())  a", "\(empty.dropLast())  a", "", "#",
  ]) func refusesOtherLines(_ line: String) {
    #expect(
      throws: SignatureError.malformed(
        origin: "S:1",
        fault: "expected 64 hexadecimal digits, two spaces and a path inside the folder")
    ) { try SumsFile(Array("\(line)\n".utf8), origin: "S") }
  }

  /// `sha256sum` passes over it; only the first line may be one.
  @Test func theFirstLineMaySaySomething() throws {
    let sums = try SumsFile(Array("# hello 1\n\(empty)  a\n".utf8), origin: "S")
    #expect(sums.note == "hello 1")
    #expect(sums.entries.map(\.path) == ["a"])
    #expect(try SumsFile(Array("\(empty)  a\n".utf8), origin: "S").note == nil)
    for text in ["\(empty)  a\n# b\n", "# a\n# b\n", "# \u{7}\n\(empty)  a\n", "#a\n"] {
      #expect(throws: SignatureError.self) { try SumsFile(Array(text.utf8), origin: "S") }
    }
    let long = "# " + String(repeating: "a", count: 201) + "\n\(empty)  a\n"
    #expect(throws: SignatureError.self) { try SumsFile(Array(long.utf8), origin: "S") }
  }

  @Test(arguments: [
    ("# a\n", "S: lists nothing"), ("", "S: lists nothing"),
    ("\(empty)  a", "S: its last line does not end in a newline"),
    ("\(empty)  a\n\(empty)  a\n", "S:2: lists 'a' again"),
  ]) func refusesWhatIsNoList(_ text: String, _ message: String) throws {
    let error = try #require(throws: SignatureError.self) {
      try SumsFile(Array(text.utf8), origin: "S")
    }
    #expect(error.description == message)
  }
}
