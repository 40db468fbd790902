import Foundation
import TestSupport
import Testing

/// A weight without a scheme whose values calibration changes is not listed as 'kept'.
struct RefittedTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeModel()
    var numbers = SeededGenerator(seed: 5)
    let lines = (0..<64).map { _ in "{\"values\": \((0..<4).map { _ in numbers.float() })}\n" }
    try folder.write("calibration.jsonl", lines.joined())
  }

  private func schemes(_ arguments: [String]) throws -> [String?] {
    let run = try Program.run(
      arguments + ["--scheme", "palettize", "--bits", "2", "--json"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let tensors = try #require(try run.json()["tensors"] as? [[String: Any]])
    #expect(tensors.map { $0["name"] as? String } == ["w0", "b0", "w1"])
    return tensors.map { $0["scheme"] as? String }
  }

  @Test(arguments: [["plan", "model"], ["compress", "model", "-o", "s.st"]])
  func biasesThatCalibrationMovesAreNotKept(_ command: [String]) throws {
    let palette = "palette 2 bits per tensor"
    #expect(try schemes(command) == [palette, "kept", palette])
    #expect(
      try schemes(command + ["--calibration", "calibration.jsonl"])
        == [palette, "refitted", palette])
  }

  @Test func theTablesSayIt() throws {
    for command in [["plan", "model"], ["compress", "model", "-o", "s.st", "--verbose"]] {
      let run = try Program.run(
        command + ["--scheme", "palettize", "--bits", "2", "--calibration", "calibration.jsonl"],
        in: folder.path)
      let row = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("b0 ") })
      #expect(row.contains(" refitted "), "\(run.output)")
    }
  }
}
