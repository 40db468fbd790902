import Foundation
import TestSupport
import Testing

struct CompressTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func provenModelIsWrittenAndReported() throws {
    try folder.writeModel()
    try folder.writePairs()
    let run = try Program.run(
      ["compress", "model", "-o", "small.st", "--references", "pairs.jsonl", "--json"],
      in: folder.path)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let json = try run.json()
    #expect(json["schemaVersion"] as? Int == 1)
    #expect(json["sizeBytes"] as? Int == (try folder.bytes("small.st")).count)
    #expect((json["gate"] as? [String: Any])?["verdict"] as? String == "passed")
    let tensors = try #require(json["tensors"] as? [[String: Any]])
    #expect(tensors.map { $0["name"] as? String } == ["w0", "b0", "w1"])
    #expect(tensors.map { $0["bits"] as? Int } == [8, 32, 8])
    #expect(tensors.map { $0["bytes"] as? Int } == [24 + 6 * 4, 24, 30 + 5 * 4])
    let keys = run.output.matches(of: /(?m)^  "([A-Za-z0-9]+)":/).map { String($0.1) }
    #expect(
      keys == [
        "calibration", "format", "gate", "path", "schemaVersion", "sha256", "sizeBytes",
        "sourceCheck", "tensors", "unused", "vocabulary", "weightBytes",
      ]
    )
    #expect(try folder.names() == ["model", "pairs.jsonl", "small.st"])
  }

  @Test func weightsThatTheModelDoesNotUseAreListedAndLeftOut() throws {
    try folder.writeModel()
    try folder.write("model/spare.npy", Npy.bytes([2], [1, 2]))
    try folder.write("model/another.npy", Npy.bytes([1, 1], [3]))
    let arguments = ["compress", "model", "-o", "s.st"]
    let run = try Program.run(arguments, in: folder.path)
    #expect(run.status == 0)
    for name in ["another", "spare"] {
      #expect(run.output.contains("\nleft out, the model does not use it: \(name)\n"))
    }
    let json = try Program.run(arguments + ["--json"], in: folder.path)
    #expect(json.status == 0)
    #expect(try json.json()["unused"] as? [String] == ["another", "spare"])
    let kept = try Program.run(["inspect", "s.st", "--json"], in: folder.path).json()
    let names = try #require(kept["tensors"] as? [[String: Any]]).map { $0["name"] as? String }
    #expect(names == ["b0", "w0", "w0:scale", "w1", "w1:scale"])
  }

  @Test func withoutReferencesItSaysThatNothingIsProven() throws {
    try folder.writeModel()
    for flags in [[], ["--quiet"], ["--json"]] {
      let run = try Program.run(["compress", "model", "-o", "s.st"] + flags, in: folder.path)
      #expect(run.status == 0)
      #expect(
        run.errors
          == "warning: s.st is unproven: no reference pairs were given\n"
      )
    }
  }

  @Test func quietLeavesTheAnswerOnly() throws {
    try folder.writeModel()
    let run = try Program.run(["compress", "model", "-o", "s.st", "--quiet"], in: folder.path)
    let answer = /s\.st: safetensors, [0-9.]+ kB, 3 tensors, sha256 [0-9a-f]{64}\n/
    #expect(run.output.wholeMatch(of: answer) != nil)
  }

  @Test func theVerdictAndTheSizeComeFirst() throws {
    try folder.writeModel()
    try folder.writePairs()
    let arguments = ["compress", "model", "-o", "s.safetensors", "--references", "pairs.jsonl"]
    let run = try Program.run(arguments, in: folder.path)
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "gate: passed standard")
    #expect(lines.dropLast().last?.hasPrefix("s.safetensors: safetensors, ") == true)
    #expect(lines.last?.hasPrefix("source check: nobody checked") == true)
    #expect(!run.output.contains("int8 per channel"))
    let verbose = try Program.run(arguments + ["--verbose"], in: folder.path)
    #expect(verbose.status == 0)
    #expect(verbose.output.hasPrefix(run.output))
    let rows = verbose.output.dropFirst(run.output.count).split(separator: "\n")
    #expect(rows.count == 4)
    #expect(rows.last?.hasPrefix("w1 ") == true)
    #expect(rows.last?.contains("int8 per channel") == true)
  }

  @Test func verboseAndQuietExcludeEachOther() throws {
    try folder.writeModel()
    let run = try Program.run(
      ["compress", "model", "-o", "s.safetensors", "--verbose", "--quiet"], in: folder.path)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("Error: --verbose and --quiet exclude each other\n"))
    #expect(try folder.names() == ["model"])
  }

  @Test(arguments: [
    [], ["--granularity", "per-tensor"], ["--scheme", "palettize", "--bits", "4"],
    ["--scheme", "palettize", "--bits", "3", "--granularity", "per-group", "--group-size", "1"],
  ])
  func bytesDependOnNothingButTheInput(_ flags: [String]) throws {
    try folder.writeModel()
    var all: Set<Data> = []
    for (index, jobs) in ["1", "1", "2"].enumerated() {
      let run = try Program.run(
        ["compress", "model", "-o", "\(index).st", "--jobs", jobs] + flags, in: folder.path)
      #expect(run.status == 0)
      all.insert(try folder.bytes("\(index).st"))
    }
    #expect(all.count == 1)
  }

  @Test func moreBitsAreNoAdviceForAModelThatGivesZerosAsTrained() throws {
    try folder.write("model/w.npy", Npy.bytes([2, 2], [1, 0.5, -0.25, 1]))
    try folder.write(
      "model/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "layers": [{"weight": "w.npy"}], "output": {"kind": "embedding"}}
      """)
    try folder.write(
      "pairs.jsonl",
      #"{"a": {"values": [0, 0]}, "b": {"values": [1, 2]}}"# + "\n"
        + #"{"a": {"values": [2, 1]}, "b": {"values": [3, 2]}}"# + "\n")
    let run = try Program.run(
      ["compress", "model", "-o", "s.st", "--references", "pairs.jsonl", "--few-references"],
      in: folder.path)
    #expect(run.status == 3)
    #expect(
      run.errors.contains(
        "1 of 4 embeddings of the baseline is all zero, which has no cosine, first for [0.0, 0.0] "
          + "(line 1)"), "\(run.errors)")
    #expect(
      run.errors.hasSuffix(
        "hint: the model does this as it was trained, and no compression mends it: take such inputs "
          + "out of the references, or look at the model with 'ingot inspect'\n"))
  }

  @Test func refusedModelIsNotWritten() throws {
    try folder.writeModel()
    try folder.writePairs()
    let arguments = [
      "compress", "model", "-o", "s.st", "--references", "pairs.jsonl",
      "--scheme", "palettize", "--bits", "1",
    ]
    let run = try Program.run(arguments, in: folder.path)
    #expect(run.status == 3)
    #expect(run.output.isEmpty)
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.contains("error: model: refused, nothing was written to s.st"))
    #expect(
      lines.contains {
        $0.wholeMatch(of: #/  cosine mean 0\.\d+ is below 0\.99 \(standard\)/#) != nil
      })
    #expect(lines.last == "hint: use more bits, another granularity, or another scheme")
    #expect(lines.count { $0.hasPrefix("error: ") } == 1)
    #expect(try folder.names() == ["model", "pairs.jsonl"])

    let json = try Program.run(arguments + ["--json"], in: folder.path)
    #expect(json.status == 3)
    #expect(json.errors == run.errors)
    let object = try json.json()
    #expect(object["sizeBytes"] is NSNull)
    #expect((object["gate"] as? [String: Any])?["verdict"] as? String == "refused")
    #expect(try folder.names() == ["model", "pairs.jsonl"])
  }

  @Test func refusalKeepsWhatWasThere() throws {
    try folder.writeModel()
    try folder.writePairs()
    try folder.write("s.st", "precious")
    let run = try Program.run(
      [
        "compress", "model", "-o", "s.st", "--references", "pairs.jsonl", "--scheme", "palettize",
        "--bits", "1",
      ], in: folder.path)
    #expect(run.status == 3)
    #expect(try folder.bytes("s.st") == Data("precious".utf8))
    #expect(try folder.names() == ["model", "pairs.jsonl", "s.st"])
  }

  @Test func limitsWithoutReferencesAreWrongUsage() throws {
    let folder = try TemporaryFolder()
    let run = try Program.run([
      "compress", try folder.writeModel(), "--output", folder.path("out"), "--limits", "strict",
    ])
    #expect(run.status == 64)
    #expect(
      run.errors.hasPrefix(
        "Error: --limits and --threshold need --references to be judged against\n"))
    #expect(try folder.names() == ["model"])
  }

  @Test func weightsThatAreNotFiniteAreNamed() throws {
    try folder.writeModel(first: [0, 1, .nan, 0, -.infinity])
    let run = try Program.run(["compress", "model", "-o", "s.st"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: model: 1 tensor cannot be compressed as asked
          tensor 'w0': 2 values are not finite, the first at flat index 2

        """)
    #expect(try folder.names() == ["model"])
  }

  @Test func groupsThatDoNotDivideListEveryTensor() throws {
    try folder.writeModel()
    let run = try Program.run(
      [
        "compress", "model", "-o", "s.st", "--scheme", "palettize", "--bits", "2",
        "--granularity", "per-group", "--group-size", "4",
      ], in: folder.path)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: model: 2 tensors cannot be compressed as asked
          tensor 'w0': 6 channels are no multiple of the group size 4; use a group size of 3, \
        or per-tensor
          tensor 'w1': 5 channels are no multiple of the group size 4; use per-tensor

        """)
    #expect(try folder.names() == ["model"])
  }

  @Test func folderThatIsNoModelSaysWhatWasLookedFor() throws {
    try folder.write("thing/w.npy", Npy.bytes([2], [1, 2]))
    let run = try Program.run(["compress", "thing", "-o", "s.st"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("error: thing: "))
    #expect(run.errors.contains("model.json"))
    #expect(run.errors.contains("config.json"))
    #expect(run.errors.split(separator: "\n").count == 1)
  }
}
