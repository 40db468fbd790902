import Foundation
import TestSupport
import Testing

/// Models of sentence-transformers whose modules have weights in folders of their own.
struct ModuleWeightsTests {
  let folder: TemporaryFolder

  /// The quickstart's encoder with a Dense and a LayerNorm behind its pooling.
  init() throws {
    folder = try TemporaryFolder()
    try write("model")
  }

  private static let names = [
    "2_Dense.linear.bias", "2_Dense.linear.weight", "3_LayerNorm.norm.bias",
    "3_LayerNorm.norm.weight",
  ]

  private func write(_ name: String, dense seed: UInt64 = 1, shift: Float = 0) throws {
    try FileManager.default.copyItem(
      atPath: "\(Program.repository)/specs/examples/quickstart/models/sentence-encoder",
      toPath: folder.path(name))
    let kinds = ["Transformer", "Pooling", "Dense", "LayerNorm"]
    let modules = kinds.enumerated().map { index, kind in
      let path = index == 0 ? "" : "\(index)_\(kind)"
      return #"{"idx": \#(index), "name": "\#(index)", "path": "\#(path)", "#
        + #""type": "sentence_transformers.models.\#(kind)"}"#
    }
    try folder.write("\(name)/modules.json", "[\(modules.joined(separator: ", "))]")
    try folder.write(
      "\(name)/2_Dense/config.json",
      #"{"in_features": 128, "out_features": 16, "bias": true, "#
        + #""activation_function": "torch.nn.modules.activation.Tanh"}"#)
    try folder.write("\(name)/3_LayerNorm/config.json", #"{"dimension": 16}"#)
    var numbers = SeededGenerator(seed: seed)
    try folder.write(
      "\(name)/2_Dense/model.safetensors",
      TinyClip.safetensors(
        ["linear.weight": [16, 128], "linear.bias": [16]],
        [
          "linear.weight": (0..<2048).map { _ in numbers.float() },
          "linear.bias": (0..<16).map { _ in numbers.float() },
        ]))
    try folder.write(
      "\(name)/3_LayerNorm/model.safetensors",
      TinyClip.safetensors(
        ["norm.weight": [16], "norm.bias": [16]],
        [
          "norm.weight": Array(repeating: 1, count: 16),
          "norm.bias": Array(repeating: shift, count: 16),
        ]))
  }

  private func tensors(_ command: [String]) throws -> [String: [String: Any]] {
    let run = try Program.run(command + ["--json"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let tensors = try #require(try run.json()["tensors"] as? [[String: Any]])
    return Dictionary(tensors.map { ($0["name"] as? String ?? "", $0) }) { first, _ in first }
  }

  @Test(arguments: [
    ["inspect", "model"], ["plan", "model"], ["compress", "model", "-o", "s.safetensors"],
    ["compress", "model", "-o", "S.mlpackage"],
  ])
  func everyCommandSeesThem(_ command: [String]) throws {
    let tensors = try tensors(command)
    for name in Self.names { #expect(tensors[name] != nil, "\(name)") }
    #expect(tensors["2_Dense.linear.weight"]?["shape"] as? [Int] == [16, 128])
    #expect(tensors["embeddings.word_embeddings.weight"] != nil)
    if command[0] == "inspect" {
      #expect(tensors["2_Dense.linear.weight"]?["role"] as? String != "unused")
    } else {
      let scheme = tensors["2_Dense.linear.weight"]?["scheme"] as? String
      #expect(scheme?.hasPrefix("int8") == true, "\(scheme ?? "none")")
    }
  }

  @Test func whatWasWrittenGivesWhatTheFolderGives() throws {
    try folder.write("in.jsonl", #"{"text": "the house"}"# + "\n")
    let made = try Program.run(
      ["compress", "model", "-o", "s.safetensors", "--scheme", "none"], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    var rows: [[Float]] = []
    for model in ["model", "s.safetensors"] {
      let run = try Program.run(
        ["embed", model, "--inputs", "in.jsonl", "-o", "o.npy"], in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      rows.append(try #require(Npy(try folder.bytes("o.npy"))).values)
    }
    #expect(rows[0].count == 16)
    #expect(rows[0] == rows[1])
  }

  @Test func diffNamesTheTensorThatDiffers() throws {
    try write("other", dense: 2)
    let run = try Program.run(["diff", "model", "other"], in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.output.contains("tensor '2_Dense.linear.bias'")
        && run.output.contains("2 of 41 tensors differ"), "\(run.output)")
    try write("shifted", shift: 0.5)
    let shifted = try Program.run(["diff", "model", "shifted", "--json"], in: folder.path)
    let causes = try #require(try shifted.json()["causes"] as? [[String: Any]])
    #expect(causes.first?["item"] as? String == "3_LayerNorm.norm.bias", "\(shifted.output)")
    #expect(causes.first?["kind"] as? String == "tensor")
  }
}
