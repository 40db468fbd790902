import Files
import TestSupport
import Testing

@testable import Weights

/// Of a folder that a library saved, the weights are those that the library loads.
@Suite struct SavingLibraryTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func open(_ library: SavingLibrary?) throws -> WeightCollection {
    try WeightCollection.open(scratch.path, savedBy: library)
  }

  private func message(_ library: SavingLibrary) -> String {
    TestSupport.message { _ = try open(library) } ?? "accepted"
  }

  private func write(_ names: String...) throws {
    for name in names {
      let bytes =
        name.hasSuffix(".safetensors")
        ? SafetensorsBytes.floats(name, [1]) : Array("nothing of importance".utf8)
      _ = try scratch.write(name, bytes)
    }
  }

  private func writeIndex() throws {
    _ = try scratch.write(
      "model.safetensors.index.json",
      Array(#"{"weight_map":{"shard.safetensors":"shard.safetensors"}}"#.utf8))
  }

  @Test func theWholeFileGoesBeforeTheIndex() throws {
    try write("model.safetensors", "shard.safetensors", "pytorch_model.bin", "w.npz")
    try writeIndex()
    for library in [.transformers, .sentenceTransformers, nil] as [SavingLibrary?] {
      #expect(try open(library).tensors.map(\.name) == ["model.safetensors"])
    }
  }

  @Test func transformersReadsShardsAndModulesDoNot() throws {
    try write("shard.safetensors", "pytorch_model.bin")
    try writeIndex()
    #expect(try open(.transformers).tensors.map(\.name) == ["shard.safetensors"])
    #expect(
      message(.sentenceTransformers)
        == "\(scratch.path): has 'shard.safetensors' and no 'model.safetensors'; "
        + "sentence-transformers reads 'pytorch_model.bin' here, never that file; save the model "
        + "again with safe_serialization=True, or rename 'shard.safetensors' if it holds the "
        + "model's weights")
  }

  struct Case: CustomTestStringConvertible {
    let names: [String]
    let stray: String
    var bin: String?
    var wayOut = "save the model again with safe_serialization=True"
    var testDescription: String { names.joined(separator: " ") }
  }

  static let rename = ", or rename 'x.safetensors' if it holds the model's weights"

  @Test(arguments: [
    Case(
      names: ["x.safetensors", "pytorch_model.bin"], stray: "x.safetensors",
      bin: "pytorch_model.bin", wayOut: Case(names: [], stray: "").wayOut + rename),
    Case(
      names: ["x.safetensors", "pytorch_model-1.bin", "pytorch_model.bin.index.json"],
      stray: "x.safetensors", bin: "pytorch_model.bin.index.json",
      wayOut: Case(names: [], stray: "").wayOut + rename),
    Case(names: ["w.npz", "pytorch_model.bin"], stray: "w.npz", bin: "pytorch_model.bin"),
    Case(names: ["a.npy", "b.npy", "pytorch_model.bin"], stray: "a.npy", bin: "pytorch_model.bin"),
    Case(names: ["a.npy"], stray: "a.npy"),
    Case(
      names: ["x.safetensors"], stray: "x.safetensors",
      wayOut: Case(names: [], stray: "").wayOut + rename),
    Case(
      names: ["adapter_model.safetensors"], stray: "adapter_model.safetensors",
      wayOut: "an adapter is no model: merge it into one (merge_and_unload) and save that"),
  ])
  func aStrayFileIsNeverTaken(_ test: Case) throws {
    for name in test.names { try write(name) }
    let read =
      test.bin.map { "reads '\($0)' here" }
      ?? "reads model.safetensors and model.safetensors.index.json"
    #expect(
      message(.transformers)
        == "\(scratch.path): has '\(test.stray)' and no 'model.safetensors'; transformers \(read), "
        + "never that file; \(test.wayOut)")
  }

  @Test func whatIngotWroteIsTakenUnderAnyName() throws {
    let header =
      #"{"__metadata__":{"ingot.format":"1"},"w":{"dtype":"U8","shape":[1],"#
      + #""data_offsets":[0,1]}}"#
    _ = try scratch.write("small.safetensors", SafetensorsBytes.file(header, data: 1))
    #expect(try open(.transformers).tensors.map(\.name) == ["w"])
    // Not where the library loads something else.
    try write("pytorch_model.bin")
    #expect(message(.transformers).contains("has 'small.safetensors' and no"))
  }

  @Test func anEmptyFolderSaysWhatWasLookedFor() throws {
    #expect(
      message(.transformers) == "\(scratch.path): no weights found; looked for model.safetensors "
        + "and model.safetensors.index.json")
    #expect(
      message(.sentenceTransformers)
        == "\(scratch.path): no weights found; looked for model.safetensors")
  }
}
