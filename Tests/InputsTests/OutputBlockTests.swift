import ModelFixtures
import Testing

@testable import Inputs

/// Outputs come in blocks of bounded size, each row once.
struct OutputBlockTests {
  private func batches(_ rows: [Int]) -> [Batch] {
    var start = 0
    return rows.map { count in
      defer { start += count }
      return Batch(rows: Array(start..<start + count), length: 1)
    }
  }

  @Test(
    arguments: [
      ([], 1, []), ([4], 1, [0..<1]),
      // Ten numbers are few: two batches of four outputs of one number, not three.
      ([4, 4, 4, 4, 4], 1, [0..<2, 2..<4, 4..<5]),
      // Each of two threads gets one, although these are more than few.
      ([9, 9, 9, 9, 9], 2, [0..<2, 2..<4, 4..<5]), ([100], 2, [0..<1]),
      ([1, 1, 1, 100, 1, 1], 1, [0..<3, 3..<4, 4..<6]),
    ] as [([Int], Int, [Range<Int>])])
  func batchesRunTogetherWhileOutputsAreFew(
    _ rows: [Int], _ jobs: Int, _ expected: [Range<Int>]
  ) {
    #expect(OutputBlock.groups(of: batches(rows), width: 1, jobs: jobs, count: 10) == expected)
    // With two numbers for each output, twice as many numbers are few.
    #expect(OutputBlock.groups(of: batches(rows), width: 2, jobs: jobs, count: 20) == expected)
  }

  @Test func rowsThatFollowOneAnotherAreLentTogether() {
    let block = OutputBlock(
      rows: [7, 8, 2, 9, 10, 11], width: 2, values: (0..<12).map { Float($0) })
    var runs: [Int: [Float]] = [:]
    block.forEachRun { first, values in
      runs[first] = values.withUnsafeBufferPointer { Array($0) }
    }
    #expect(runs == [7: [0, 1, 2, 3], 2: [4, 5], 9: [6, 7, 8, 9, 10, 11]])
  }

  /// So wide that no two batches run together: the same rows, each once.
  @Test func wideOutputsComeInSeveralBlocks() throws {
    let width = 70_000
    let model = try denseModel((0..<width).map { [Float($0 % 100)] })
    let text = (0..<300).map { "{\"values\": [\($0)]}\n" }.joined()
    let lines = try InputLines(bytes: Array(text.utf8), origin: "in.jsonl")
    var rows: [Int] = []
    var blocks = 0
    var faults = 0
    try ModelRunner(model: model, jobs: 1).forEachBlock(of: lines) { block in
      blocks += 1
      rows += block.rows
      for (place, row) in block.rows.enumerated() {
        for column in [0, 1, 99, width - 1]
        where block.values[place * width + column] != Float(row * (column % 100)) { faults += 1 }
      }
    }
    #expect(blocks == 2 && faults == 0)
    #expect(rows == Array(0..<300))
  }
}
