import Foundation
import TestSupport
import Testing

/// What `inspect` says is odd about weights, and what it says Ingot will do.
struct InspectFindingsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func inspect(_ path: String, _ flags: String...) throws -> Program {
    try Program.run(["inspect", path] + flags, in: folder.path)
  }

  private func findings(_ path: String) throws -> [[String: Any]] {
    let run = try inspect(path, "--json")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    return try #require(try run.json()["findings"] as? [[String: Any]])
  }

  /// A model of two layers that has something of everything.
  private func writeOddModel() throws {
    var first = (0..<24).map { Float($0 % 7) - 3.25 }
    for row in 0..<6 { first[4 * row + 2] = 0 }
    for column in 0..<4 { first[4 * 5 + column] = 0 }
    first[3] = 70000
    try folder.writeModel("odd", first: first)
    try folder.write("odd/b0.npy", Npy.bytes([6], [1, .nan, 1, 1, 1, .nan]))
    try folder.write(
      "odd/mask.npy", Npy.bytes([3, 3], [0, -1e4, -1e4, 0, 0, -1e4, 0, 0, 0]))
  }

  @Test func findingsWithOneRemedyStandTogether() throws {
    try writeOddModel()
    let run = try inspect("odd")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let section = run.output.split(separator: "\n\n").last ?? ""
    #expect(
      section == """
        findings: 2 refused, 2 warnings, 1 note
        refused nan: nothing is compressed until it is mended; Ingot replaces no value
          b0: 2 of 6 values are NaN, the first at flat index 1
        refused half-overflow: not stored in an mlpackage, whose float16 ends at 65504; safetensors \
        keeps float32
          w0: 1 of 24 values does not fit float16, the largest is 70000 at flat index 3
        warning dead-channels: compressed as asked; int8 keeps zeros exactly, a palette shared with \
        other channels may not
          w0: 1 of 6 output channels is all zero, the first is 5
        warning dead-inputs: compressed as asked; int8 without calibration keeps zeros exactly, a \
        palette may not
          w0: 1 of 4 input channels is all zero, the first is 2
        note mask: left out: the model does not use it
          mask: a causal mask, 3 places of it are -10000

        """)
  }

  @Test func findingsForScriptsAreInOneOrder() throws {
    try writeOddModel()
    let found = try findings("odd")
    #expect(
      found.compactMap { $0["id"] as? String }
        == ["nan", "half-overflow", "dead-channels", "dead-inputs", "mask"])
    #expect(
      found.compactMap { $0["severity"] as? String }
        == ["refused", "refused", "warning", "warning", "note"])
    #expect(found.compactMap { $0["tensor"] as? String } == ["b0", "w0", "w0", "w0", "mask"])
    #expect(
      Set(found[0].keys) == ["id", "severity", "tensor", "others", "fact", "action", "figures"])
    #expect(found[0]["figures"] as? [String: Int] == ["count": 2, "firstIndex": 1])
    #expect(found[0]["fact"] as? String == "2 of 6 values are NaN, the first at flat index 1")
    #expect(found[1]["figures"] as? [String: Double] == ["count": 1, "index": 3, "largest": 70000])
    #expect(
      found[2]["figures"] as? [String: Int] == ["count": 1, "first": 5, "of": 6])
    let again = try inspect("odd", "--json")
    #expect(try inspect("odd", "--json").output == again.output)
  }

  /// What is refused in a listing is refused when it comes to it.
  @Test func compressRefusesWhatInspectSaysItWill() throws {
    try writeOddModel()
    let flags = ["--output", "o.mlpackage", "--format", "mlpackage"]
    let both = try Program.run(["compress", "odd"] + flags, in: folder.path)
    #expect(both.status == 1)
    #expect(both.errors.contains("tensor 'b0': 2 values are not finite"))
    #expect(both.errors.contains("tensor 'w0': 1 value does not fit float16"))
    try folder.write("odd/b0.npy", Npy.bytes([6], [1, 2, 3, 4, 5, 6]))
    #expect(try findings("odd").first?["id"] as? String == "half-overflow")
    #expect(try Program.run(["compress", "odd"] + flags, in: folder.path).status == 1)
    let floats = try Program.run(
      ["compress", "odd", "--output", "o.safetensors"], in: folder.path)
    #expect(floats.status == 0, "\(floats.errors)")
  }

  @Test func equalWeightsOfAModelAreTied() throws {
    let weight: [Float] = [0.5, -1.25, 2, 0.75, 1.5, -0.5, 0.25, 1, -2]
    for name in ["w0", "w1", "spare"] {
      try folder.write("tied/\(name).npy", Npy.bytes([3, 3], weight))
    }
    try folder.write("tied/transposed.npy", Npy.bytes([3, 3], weight.reversed()))
    try folder.write(
      "tied/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
       "layers": [{"weight": "w0.npy", "activation": "tanh"}, {"weight": "w1.npy"}],
       "output": {"name": "vector", "kind": "embedding"}}
      """)
    let found = try findings("tied")
    #expect(found.count == 1)
    #expect(found.first?["id"] as? String == "tied")
    #expect(found.first?["tensor"] as? String == "w0")
    #expect(found.first?["others"] as? [String] == ["w1", "spare"])
    #expect(try inspect("tied").output.contains("\n  w0: equal to 'w1', 'spare'\n"))
  }

  @Test func weightsAloneAreExaminedToo() throws {
    let values = (0..<12).map { Float($0) / 7 }
    try folder.write("bare/a.npy", Npy.bytes([3, 4], values))
    try folder.write("bare/b.npy", Npy.bytes([3, 4], values))
    try folder.write("bare/c.npy", Npy.bytes([3, 4], values.dropLast() + [.infinity]))
    try folder.write("bare/d.npy", Npy.bytes([4, 3], values))
    let found = try findings("bare")
    #expect(found.compactMap { $0["id"] as? String } == ["infinity", "duplicate"])
    #expect(found.compactMap { $0["severity"] as? String } == ["warning", "note"])
    #expect(found.compactMap { $0["tensor"] as? String } == ["c", "a"])
    #expect(found.last?["others"] as? [String] == ["b"])
  }

  /// Types without numbers are named and stop nothing; integers are told from weights.
  @Test func typesThatAreNoFloatsAreNamed() throws {
    let header =
      #"{"a": {"dtype": "F8_E4M3", "shape": [2], "data_offsets": [0, 2]}, "#
      + #""ids": {"dtype": "I64", "shape": [2], "data_offsets": [2, 18]}}"#
    try folder.write("w.safetensors", Data(SafetensorsBytes.file(header, data: 18)))
    let found = try findings("w.safetensors")
    #expect(found.compactMap { $0["id"] as? String } == ["unreadable-type", "integer-table"])
    #expect(
      found.compactMap { $0["fact"] as? String } == [
        "stored as F8_E4M3, which Ingot does not read", "stored as I64",
      ])
    for finding in found {
      let figures = try #require(finding["figures"] as? [String: Any])
      #expect(figures.isEmpty == (finding["tensor"] as? String == "a"))
    }
  }

  @Test func compressedModelsAreNotExaminedAsWeights() throws {
    try folder.writeModel()
    for (flags, output) in [
      (["--scheme", "palettize", "--bits", "1"], "o.safetensors"),
      (["--scheme", "palettize", "--bits", "1", "--format", "mlpackage"], "o.mlpackage"),
    ] {
      let made = try Program.run(
        ["compress", "model", "--output", output] + flags, in: folder.path)
      #expect(made.status == 0, "\(made.errors)")
      #expect(try findings(output).isEmpty)
      #expect(try inspect(output).output.hasSuffix("\nfindings: none\n"))
    }
  }

  @Test func namesFromFilesStayOnTheirLine() throws {
    let header =
      #"{"b\nrefused nan: fake": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}"#
    let bytes = SafetensorsBytes.file(Array(header.utf8)) + floatBytes([.nan])
    try folder.write("w.safetensors", Data(bytes))
    let run = try inspect("w.safetensors")
    #expect(run.status == 0)
    #expect(
      run.output.hasSuffix(
        """
        warning nan: a model that uses it is not compressed; Ingot replaces no value
          b\\nrefused nan: fake: 1 of 1 values is NaN, the first at flat index 0

        """), "\(run.output)")
  }
}
