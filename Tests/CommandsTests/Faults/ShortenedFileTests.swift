import Foundation
import TestSupport
import Testing

/// A model that another program shortens while it is used.
struct ShortenedFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Case: CustomTestStringConvertible {
    let arguments: [String]
    /// Bytes that are left of the file.
    let left: Int
    var testDescription: String { "\(arguments[0]), \(left) bytes left" }
  }

  static let cases = [0, 100].flatMap { left in
    [
      Case(arguments: ["embed", "model", "--inputs", "-", "-o", "out"], left: left),
      Case(arguments: ["check", "model", "model", "--references", "-"], left: left),
      Case(arguments: ["compress", "model", "--references", "-", "-o", "out"], left: left),
    ]
  }

  /// The program has the model open and waits for its inputs, which come once the file is shorter.
  /// With nothing left, reading is a bus error; with a little, there are zeros behind it.
  @Test(.timeLimit(.minutes(240)), arguments: cases)
  func oneLineAndNothingWritten(_ test: Case) throws {
    try folder.writeModel()
    try lengthenHeader()
    try folder.writePairs()
    try folder.write("in.jsonl", String(repeating: "{\"values\": [1, 2, 3, 4]}\n", count: 12))
    let inputs = test.arguments.contains("--inputs") ? "in.jsonl" : "pairs.jsonl"
    let size = try folder.bytes("model/w0.npy").count
    let names = try folder.names()
    let run = try Program.shell(
      #"""
      mkfifo pipe
      left=$1; inputs=$2; shift 2
      "$0" "$@" --quiet <pipe &
      exec 3>pipe
      rm pipe
      until grep -q '/model/w0.npy$' /proc/$!/maps; do kill -0 $! || exit 99; sleep 0.01; done
      truncate -s "$left" model/w0.npy
      cat "$inputs" >&3
      exec 3>&-
      wait $!
      """#, ["\(test.left)", inputs] + test.arguments, in: folder.path)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    let lines = run.errors.split(separator: "\n").map(String.init)
    let errors = lines.filter { $0.hasPrefix("error: ") }
    let words =
      "error: model/w0.npy: was shortened from \(size) to \(test.left) bytes while it was read; "
      + "start again once the file is whole"
    #expect(errors == [words], "\(run.errors)")
    #expect(lines.last == words)
    #expect(try folder.names() == names)
  }

  /// A small file is copied when it is opened, and then nothing that happens to it matters: spaces make this
  /// one larger.
  private func lengthenHeader() throws {
    var bytes = [UInt8](try folder.bytes("model/w0.npy"))
    let length = Int(bytes[8]) + Int(bytes[9]) << 8
    let spaces = 9216
    let stated = UInt16(length + spaces)
    (bytes[8], bytes[9]) = (UInt8(truncatingIfNeeded: stated), UInt8(stated >> 8))
    bytes.insert(contentsOf: repeatElement(UInt8(ascii: " "), count: spaces), at: 10 + length - 1)
    try folder.write("model/w0.npy", bytes)
  }
}
