import Foundation
import TestSupport
import Testing

struct EmbedTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A model whose output is its input times 2 plus 1.
  func writeDoubler() throws {
    try folder.write("m/w.npy", Npy.bytes([2, 2], [2, 0, 0, 2]))
    try folder.write("m/b.npy", Npy.bytes([2], [1, 1]))
    try folder.write(
      "m/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "layers": [{"weight": "w.npy", "bias": "b.npy"}],
       "output": {"name": "twice", "kind": "regressor"}}
      """)
  }

  func embed(
    _ flags: [String] = [], environment: [String: String] = [:]
  ) throws -> Program {
    try Program.run(
      ["embed", "m", "--inputs", "in.jsonl", "-o", "o.npy"] + flags, environment: environment,
      in: folder.path)
  }

  @Test func givesOneRowPerLineInOrder() throws {
    try writeDoubler()
    let lines = (0..<1000).map { "{\"values\": [\($0), \(-$0)]}\n" }.joined()
    try folder.write("in.jsonl", lines)
    let run = try embed()
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output == "o.npy: float32 [1000, 2]\n")
    let npy = try #require(Npy(try folder.bytes("o.npy")))
    #expect(npy.header == "{'descr': '<f4', 'fortran_order': False, 'shape': (1000, 2), }")
    let expected: [Float] = (0..<1000).flatMap { (index: Int) -> [Float] in
      [Float(2 * index + 1), Float(1 - 2 * index)]
    }
    #expect(npy.values == expected)
  }

  /// Standardised first, then a weight of [in, out], worked out by hand.
  @Test func standardisesAndReadsWeightsOfEitherLayout() throws {
    try folder.write("m/mean.npy", Npy.bytes([2], [1, 1]))
    try folder.write("m/scale.npy", Npy.bytes([2], [2, 4]))
    try folder.write("m/b.npy", Npy.bytes([3], [0.5, 0, -1]))
    let description = { (layout: String) in
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "standardize": {"mean": "mean.npy", "scale": "scale.npy"},
       "layers": [{"weight": "w.npy", "bias": "b.npy", "layout": "\(layout)"}],
       "output": {"name": "y", "kind": "regressor"}}
      """
    }
    try folder.write(
      "in.jsonl", "{\"values\": [3, 5]}\n{\"values\": [1, 1]}\n{\"values\": [5, -3]}\n")
    for (layout, weight) in [
      ("in,out", Npy.bytes([2, 3], [1, 2, 3, 10, 20, 30])),
      ("out,in", Npy.bytes([3, 2], [1, 10, 2, 20, 3, 30])),
    ] {
      try folder.write("m/w.npy", weight)
      try folder.write("m/model.json", description(layout))
      #expect(try embed().status == 0)
      let found = try #require(Npy(try folder.bytes("o.npy"))).values
      // Standardised: [1, 1], [0, 0] and [2, -1].
      #expect(found == [11.5, 22, 32, 0.5, 0, -1, -7.5, -16, -25], "\(layout)")
    }
  }

  @Test func columnsThatAreNoFeaturesArePassedOver() throws {
    try writeDoubler()
    try folder.write("in.csv", "b,id,a,why\n2,u-1,1,\n4,u-2,3,x\n")
    func embed(_ flags: String...) throws -> Program {
      try Program.run(
        ["embed", "m", "--inputs", "in.csv", "-o", "o.npy"] + flags, in: folder.path)
    }
    #expect(try embed("--ignore", "id,why").status == 0)
    #expect(Npy(try folder.bytes("o.npy"))?.values == [3, 5, 7, 9])
    let refused = try embed("--ignore", "id")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("too many: 'why'"), "\(refused.errors)")
    #expect(refused.errors.contains("hint: leave out what is not a feature: --ignore why"))
  }

  @Test func lastLineNeedsNoNewline() throws {
    try writeDoubler()
    try folder.write("in.jsonl", "{\"values\": [1, 2]}")
    #expect(try embed().status == 0)
    #expect(Npy(try folder.bytes("o.npy"))?.values == [3, 5])
  }

  @Test(arguments: [(file: "in.jsonl", text: ""), (file: "in.csv", text: "a,b\n")])
  func aFileWithoutInputsIsAnError(_ inputs: (file: String, text: String)) throws {
    try writeDoubler()
    try folder.write(inputs.file, inputs.text)
    let run = try Program.run(
      ["embed", "m", "--inputs", inputs.file, "-o", "o.npy"], in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors.hasSuffix(
        """
        error: \(inputs.file): holds no inputs; nothing was written
        hint: give one input on each line, below the header of a table

        """), "\(run.errors)")
    #expect(!folder.exists("o.npy"))
  }

  @Test func bytesDoNotDependOnThreadsOrEnvironment() throws {
    try folder.writeModel("m")
    var numbers = SeededGenerator(seed: 3)
    let lines = (0..<700).map { _ in
      "{\"values\": \((0..<4).map { _ in numbers.float() })}\n"
    }
    try folder.write("in.jsonl", lines.joined())
    var all: Set<Data> = []
    for jobs in ["1", "2", "2", "7"] {
      #expect(try embed(["--jobs", jobs]).status == 0)
      all.insert(try folder.bytes("o.npy"))
    }
    for (variable, value) in [
      ("SOURCE_DATE_EPOCH", "86400"), ("TZ", "Asia/Kathmandu"), ("LC_ALL", "tr_TR.UTF-8"),
    ] {
      #expect(try embed(environment: [variable: value]).status == 0)
      all.insert(try folder.bytes("o.npy"))
    }
    #expect(all.count == 1)
  }

  @Test func jsonNamesTheShape() throws {
    try writeDoubler()
    try folder.write("in.jsonl", "{\"values\": [1, 2]}\n")
    let run = try embed(["--json"])
    #expect(run.status == 0)
    #expect(
      run.output == """
        {
          "columns": 2,
          "path": "o.npy",
          "rows": 1,
          "schemaVersion": 1
        }

        """)
  }

  @Test func compressedModelRunsLikeItsSource() throws {
    try folder.writeModel("m")
    var numbers = SeededGenerator(seed: 4)
    let lines = (0..<20).map { _ in "{\"values\": \((0..<4).map { _ in numbers.float() })}\n" }
    try folder.write("in.jsonl", lines.joined())
    #expect(try embed().status == 0)
    let expected = try #require(Npy(try folder.bytes("o.npy"))).values
    #expect(expected.count == 20 * 5)
    let made = try Program.run(["compress", "m", "-o", "small", "--quiet"], in: folder.path)
    #expect(made.status == 0)
    try FileManager.default.removeItem(atPath: folder.path("m"))
    try FileManager.default.moveItem(atPath: folder.path("small"), toPath: folder.path("m"))
    #expect(try embed().status == 0)
    let found = try #require(Npy(try folder.bytes("o.npy"))).values
    #expect(found.count == expected.count)
    // Each weight, of at most 1, is off by half a step of 1/127 at most: a hidden value by 4 of
    // them, an output by 6 for its own weights and by 6 times what a hidden one is off.
    let step: Float = 0.5 / 127
    let largest = zip(found, expected).map { ($0 - $1).magnitude }.max() ?? .infinity
    #expect(largest <= (6 + 6 * 4) * step)
    #expect(largest > 0)
  }
}
