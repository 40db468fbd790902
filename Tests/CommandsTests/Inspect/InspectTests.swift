import Foundation
import TestSupport
import Testing

struct InspectTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func listsTensorsWithRolesAndStatistics() throws {
    try folder.write("tiny/weight.npy", Npy.bytes([2, 2], [1, -2, 0.5, 4]))
    try folder.write("tiny/bias.npy", Npy.bytes([2], [0, 0]))
    try folder.write(
      "tiny/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "layers": [{"weight": "weight.npy", "bias": "bias"}],
       "output": {"name": "class", "kind": "classifier", "labels": ["no", "yes"]}}
      """)
    let run = try Program.run(["inspect", "tiny"], in: folder.path)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(
      run.output == """
        tensor  type  shape   bytes  role       min    max    mean  not finite
        bias    F32   [2]         8  bias         0      0       0
        weight  F32   [2, 2]     16  matrix  -2.000  4.000  0.8750

        tiny: folder of npy, 2 tensors, 24 B
        architecture: dense, takes 2 values ('a', 'b'), gives one of 'no', 'yes', by raw scores
        findings: none

        """)
  }

  @Test func countsValuesThatAreNotFinite() throws {
    try folder.write("w.npy", Npy.bytes([3], [.nan, 1, -.infinity]))
    let run = try Program.run(["inspect", "w.npy", "--json"], in: folder.path)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let json = try run.json()
    #expect(json["schemaVersion"] as? Int == 1)
    #expect(json["architecture"] is NSNull)
    let tensor = try #require((json["tensors"] as? [[String: Any]])?.first)
    #expect(tensor["nonFinite"] as? Int == 2)
    #expect(tensor["min"] as? Double == 1)
    #expect(tensor["max"] as? Double == 1)
  }

  @Test func tensorsWithoutFiniteNumbersAreStillJSON() throws {
    try folder.write("all.npy", Npy.bytes([2], [.nan, .infinity]))
    try folder.write("none.npy", Npy.bytes([0, 4], []))
    for (file, nonFinite) in [("all.npy", 2), ("none.npy", 0)] {
      let run = try Program.run(["inspect", file, "--json"], in: folder.path)
      #expect(run.status == 0)
      let tensor = try #require((try run.json()["tensors"] as? [[String: Any]])?.first)
      #expect(tensor["nonFinite"] as? Int == nonFinite)
      for key in ["min", "max", "mean"] { #expect(tensor[key] is NSNull, "\(file) \(key)") }
    }
  }

  /// Its tensors are listed all the same; a script sees that nothing can be made of it.
  @Test func aFolderThatIsNoModelIsStatus1() throws {
    try folder.write("thing/w.npy", Npy.bytes([2], [1, 2]))
    try folder.write("thing/config.json", #"{"model_type": "thing"}"#)
    for flags in [[], ["--json"]] {
      let run = try Program.run(["inspect", "thing"] + flags, in: folder.path)
      #expect(run.status == 1)
      #expect(
        run.output.contains(flags.isEmpty ? "thing: folder of npy, 1 tensor, 8 B\n" : "\"w\""))
      #expect(run.errors.hasPrefix("error: thing/config.json: calls the model 'thing', "))
      #expect(run.errors.contains("config.json"))
    }
    // Weights are what they are.
    try folder.write("bare/w.npy", Npy.bytes([2], [1, 2]))
    for path in ["thing/w.npy", "bare"] {
      #expect(try Program.run(["inspect", path], in: folder.path).status == 0)
    }
  }

  @Test(arguments: ["empty", "notes"]) func aFolderWithoutWeightsIsStatus1(_ name: String) throws {
    try folder.write("empty/.hidden", "")
    try folder.write("notes/readme.txt", "hello")
    try folder.write("notes.txt", "hello")
    for path in [name, "notes.txt"] {
      let run = try Program.run(["inspect", path], in: folder.path)
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("error: \(path): "), "\(run.errors)")
    }
  }

  /// One file with a tensor of eight ones, in bits, of every type of the format.
  @Test func everyTypeIsListed() throws {
    let types = SafetensorsBytes.bitWidths.sorted { $0.key < $1.key }
    var end = 0
    let entries = types.map { name, bitWidth in
      end += bitWidth
      return #""of \#(name)": {"dtype": "\#(name)", "shape": [2, 4], "#
        + #""data_offsets": [\#(end - bitWidth), \#(end)]}"#
    }
    let header = Array("{\(entries.joined(separator: ", "))}".utf8)
    let bytes = SafetensorsBytes.file(header) + [UInt8](repeating: 1, count: end)
    try folder.write("all.safetensors", Data(bytes))
    let run = try Program.run(["inspect", "all.safetensors", "--json"], in: folder.path)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let tensors = try #require(try run.json()["tensors"] as? [[String: Any]])
    #expect(tensors.count == 22)
    #expect(tensors.map { $0["name"] as? String } == types.map { "of \($0.key)" })
    for (tensor, (name, bitWidth)) in zip(tensors, types) {
      #expect(tensor["type"] as? String == name)
      #expect(tensor["shape"] as? [Int] == [2, 4])
      #expect(tensor["bytes"] as? Int == bitWidth)
      if SafetensorsBytes.withoutConversion.contains(name) {
        for key in ["nonFinite", "min", "max", "mean"] { #expect(tensor[key] is NSNull, "\(name)") }
      } else {
        #expect(tensor["nonFinite"] as? Int == 0, "\(name)")
        // Eight bytes of 1 are a double that no float comes near.
        #expect((tensor["max"] as? Double ?? -1 > 0) == (name != "F64"), "\(name)")
        #expect(tensor["max"] as? Double == tensor["min"] as? Double, "\(name)")
      }
    }
    let text = try Program.run(["inspect", "all.safetensors"], in: folder.path)
    #expect(text.status == 0)
    for name in types.map(\.key) { #expect(text.output.contains("of \(name) ")) }
  }

  @Test func jsonKeysAreSortedAndNothingElseIsOnStdout() throws {
    let run = try Program.run(["inspect", folder.writeModel(), "--json"])
    let keys = run.output.matches(of: /(?m)^  "([A-Za-z]+)":/).map { String($0.1) }
    #expect(
      keys == [
        "architecture", "encoders", "findings", "format", "metadata", "path", "prompts",
        "schemaVersion", "tensors", "trees",
      ])
    #expect(run.output.hasPrefix("{\n"))
    #expect(run.output.hasSuffix("\n}\n"))
  }

  /// A safetensors file whose tensor names would steer a terminal, or fake a message.
  private func writeHostileNames() throws {
    let names = [#"a\u001b[31m"#, #"b\nerror: fake"#, #"c\u202e"#]
    let entries = names.enumerated().map { index, name in
      #""\#(name)": {"dtype": "F32", "shape": [1], "data_offsets": [\#(4 * index), \#(4 * index + 4)]}"#
    }
    let header = Data("{\(entries.joined(separator: ", "))}".utf8)
    var bytes = Data()
    withUnsafeBytes(of: UInt64(header.count).littleEndian) { bytes += Data($0) }
    try folder.write("w.safetensors", bytes + header + Data(count: 12))
  }

  @Test func namesFromFilesDoNotSteerTheTerminal() throws {
    try writeHostileNames()
    let run = try Program.run(["inspect", "w.safetensors"], in: folder.path)
    #expect(run.status == 0)
    #expect(!run.output.contains("\u{1B}"))
    #expect(!run.output.contains("\u{202E}"))
    let rows = run.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(rows.dropFirst().prefix(3) == [#"a\u{1B}[31m"#, #"b\nerror:"#, #"c\u{202E}"#])
    let json = try Program.run(["inspect", "w.safetensors", "--json"], in: folder.path)
    let tensors = try #require(try json.json()["tensors"] as? [[String: Any]])
    #expect(
      tensors.map { $0["name"] as? String } == ["a\u{1B}[31m", "b\nerror: fake", "c\u{202E}"])
    let gone = try Program.run(["inspect", "no\u{1B}[31m\nerror: fake"], in: folder.path)
    #expect(gone.status == 1)
    #expect(
      gone.errors == #"error: no\u{1B}[31m"# + "\n  error: fake: cannot open: "
        + "no such file or directory\n")
  }

  struct Case: CustomTestStringConvertible {
    let name: String
    var bytes: Data?
    let message: String
    var testDescription: String { name }
  }

  static let header = Npy.bytes([3], [1, 2, 3])
  static let cases = [
    Case(name: "missing", message: "w.npy: cannot open: no such file or directory"),
    Case(
      name: "empty", bytes: Data(), message: "w.npy: does not start as an npy file does"),
    Case(
      name: "truncated", bytes: header.dropLast(5),
      message: "w.npy: has 7 bytes of data, F32 [3] needs 12"),
    Case(
      name: "text", bytes: Data("hello".utf8),
      message: "w.npy: does not start as an npy file does"),
  ]

  @Test(arguments: cases)
  func badFilesFailByName(_ test: Case) throws {
    if let bytes = test.bytes { try folder.write("w.npy", bytes) }
    let run = try Program.run(["inspect", "w.npy"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors == "error: \(test.message)\n")
  }
}
