import Foundation
import TestSupport
import Testing

/// Models whose files claim more than any machine holds, and take no space: every command says what it
/// needs and what there is.
struct SparseModelTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a model of four features with one weight of so many outputs, all zero, in a file that is
  /// nothing but a hole behind its header.
  ///
  /// - Parameter width: bytes of each number, 2 or 4.
  private func writeModel(_ name: String, outputs: Int, width: Int = 4) throws {
    let header = String(decoding: Npy.bytes([outputs, 4], []).dropFirst(), as: UTF8.self)
      .replacing("<f4", with: "<f\(width)")
    let start = Data([0x93]) + Data(header.utf8)
    try folder.write("\(name)/w.npy", start)
    try #require(truncate(folder.path("\(name)/w.npy"), start.count + outputs * 4 * width) == 0)
    try folder.write(
      "\(name)/model.json",
      """
      {"architecture": "dense",
       "inputs": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}],
       "layers": [{"weight": "w.npy"}], "output": {"name": "vector", "kind": "embedding"}}
      """)
  }

  struct Case: CustomTestStringConvertible {
    let arguments: [String]
    /// The step that needs memory, and its bytes, for a model of 2³⁶ outputs.
    let need: String
    var testDescription: String { arguments[0] }
  }

  static let cases = [
    Case(arguments: ["inspect", "model"], need: "tensor 'w' needs 1099511627776"),
    Case(arguments: ["plan", "model"], need: "tensor 'w' needs 1099511627776"),
    Case(
      arguments: ["compress", "model", "-o", "out"],
      need: "compressing tensor 'w' needs 1924145348608"),
    Case(
      arguments: ["compress", "model", "--scheme", "palettize", "--bits", "4", "-o", "out"],
      need: "compressing tensor 'w' needs 2748779069440"),
    Case(
      arguments: ["embed", "model", "--inputs", "in.jsonl", "-o", "out"],
      need: "running the model needs 1099511627776"),
    Case(
      arguments: ["check", "model", "model", "--references", "pairs.jsonl"],
      need: "running the model needs 1099511627776"),
  ]

  @Test(.timeLimit(.minutes(240)), arguments: cases)
  func isRefusedBeforeItIsRead(_ test: Case) throws {
    try writeModel("model", outputs: 1 << 36)
    try folder.write("in.jsonl", "{\"values\": [1, 2, 3, 4]}\n")
    try folder.writePairs()
    let names = try folder.names()
    let run = try Program.run(test.arguments + ["--quiet"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    let lines = run.errors.split(separator: "\n")
    let pattern = /error: model(\/w\.npy)?: (.+) bytes of memory, there are ([0-9]+); .+/
    let found = try #require(try pattern.wholeMatch(in: lines.last ?? ""), "\(run.errors)")
    #expect(found.2 == test.need)
    #expect((Int(found.3) ?? .max) < 1 << 40)
    #expect(try folder.names() == names)
  }

  /// Moments of a layer's inputs take the square of their number, whatever the file's size is.
  @Test(.timeLimit(.minutes(240))) func calibrationIsRefusedBeforeItBegins() throws {
    let width = 1 << 18
    var numbers = SeededGenerator(seed: 7)
    func array(_ shape: [Int]) -> Data {
      Npy.bytes(shape, (0..<shape[0] * shape[1]).map { _ in numbers.float() / 64 })
    }
    try folder.write("wide/a.npy", array([width, 4]))
    try folder.write("wide/b.npy", array([3, width]))
    try folder.write(
      "wide/model.json",
      """
      {"architecture": "dense",
       "inputs": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}],
       "layers": [{"weight": "a.npy", "activation": "tanh"}, {"weight": "b.npy"}],
       "output": {"name": "vector", "kind": "embedding"}}
      """)
    try folder.writePairs()
    let others = (0..<16).map { _ in "{\"values\": \((0..<4).map { _ in numbers.float() })}\n" }
    try folder.write("others.jsonl", others.joined())
    let run = try Program.run(
      [
        "compress", "wide", "-o", "out.safetensors", "--references", "pairs.jsonl",
        "--calibration", "others.jsonl", "--quiet",
      ], in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        "error: wide: calibrating tensor 'b' needs 1924176805888 bytes of memory, there are "),
      "\(run.errors)")
    #expect(!folder.exists("out.safetensors"))
  }

  /// Wherever a limit on addresses hits the gate, it says so.
  @Test(.timeLimit(.minutes(240))) func judgingUnderAnyLimitIsNoTrap() throws {
    let outputs = 1 << 20
    var numbers = SeededGenerator(seed: 3)
    try folder.write(
      "broad/w.npy", Npy.bytes([outputs, 4], (0..<outputs * 4).map { _ in numbers.float() }))
    try folder.write(
      "broad/model.json",
      """
      {"architecture": "dense",
       "inputs": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}],
       "layers": [{"weight": "w.npy"}], "output": {"name": "vector", "kind": "embedding"}}
      """)
    try folder.writePairs()
    for megabytes in stride(from: 400, through: 900, by: 50) {
      let run = try Program.shell(
        #"ulimit -v "$1"; exec "$0" check broad broad --references pairs.jsonl --jobs 1"#,
        ["\(megabytes * 1000)"], in: folder.path)
      #expect([0, 1].contains(run.status), "\(megabytes) MB: \(run.status)")
      #expect(run.status == 0 || run.errors.contains(" bytes of memory, there are "))
    }
  }

  /// A limit on the process counts as what the machine has.
  @Test func limitOnAddressesIsNoTrap() throws {
    // Enough for the program and for the file, which has 256 MB, but not for its values.
    try writeModel("model", outputs: 1 << 25, width: 2)
    try folder.write("in.jsonl", "{\"values\": [1, 2, 3, 4]}\n")
    for arguments in [
      ["compress", "model", "-o", "out"], ["embed", "model", "--inputs", "in.jsonl", "-o", "out"],
    ] {
      let run = try Program.shell(
        #"ulimit -v 900000; "$0" "$@" --jobs 1"#, arguments, in: folder.path)
      #expect(run.status == 1, "\(arguments)")
      #expect(run.errors.contains(" bytes of memory, there are "), "\(run.errors)")
      #expect(!folder.exists("out"))
    }
  }
}
