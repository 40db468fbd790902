import Foundation
import TestSupport
import Testing

/// Outputs of `embed` go to their file as they come: it may be larger than memory.
@Suite(
  .enabled(if: Oracle.isAvailable, "INGOT_ORACLE_PYTHON names no Python environment"),
  .serialized)
struct EmbedMemoryTests {
  private static let script = """
    import json, os, sys
    import numpy
    os.chdir(sys.argv[1])
    weights = numpy.arange(20_000, dtype="<f4").reshape(-1, 1) % 251
    os.mkdir("model")
    numpy.save("model/w.npy", weights)
    model = {"architecture": "dense", "inputs": [{"name": "a"}], "layers": [{"weight": "w.npy"}],
             "output": {"name": "v", "kind": "embedding"}}
    with open("model/model.json", "w") as file:
        json.dump(model, file)
    with open("in.jsonl", "w") as file:
        for row in range(5000):
            file.write(json.dumps({"values": [row]}) + "\\n")
    """

  private static let judge = """
    import os, sys
    import numpy
    os.chdir(sys.argv[1])
    found = numpy.load("out.npy", mmap_mode="r")
    weights = numpy.arange(20_000, dtype="<f4") % 251
    same = all(numpy.array_equal(found[row], numpy.float32(row) * weights) for row in range(5000))
    print(found.shape, found.dtype, same)
    """

  private func python(_ script: String, _ folder: TemporaryFolder) throws -> String {
    try Oracle.run(
      program: "/usr/bin/env", [Oracle.python ?? "python3", "-c", script, folder.path])
  }

  /// 400 MB of outputs; with all of them in memory, once as they were computed and once in their order, the
  /// peak was twice as much.
  @Test func outputsAreNotHeld() throws {
    let folder = try TemporaryFolder()
    _ = try python(Self.script, folder)
    let measured = try Oracle.measure([
      Program.path, "embed", folder.path("model"), "--inputs", folder.path("in.jsonl"), "--output",
      folder.path("out.npy"), "--jobs", "2",
    ])
    #expect(measured["status"] as? Int == 0, "\(measured["errors"] ?? "")")
    #expect(measured["peakMB"] as? Double ?? .infinity < 300)
    #expect(try python(Self.judge, folder) == "(5000, 20000) float32 True\n")
    #expect(try folder.names() == ["in.jsonl", "model", "out.npy"])
  }
}
