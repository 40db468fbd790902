import Foundation
import TestSupport
import Testing

/// Which files of a folder that transformers or sentence-transformers saved are its weights.
struct SavedFolderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func inspect(_ path: String) throws -> Program {
    try Program.run(["inspect", path], in: folder.path)
  }

  /// A tensor whose name is that of its file.
  private func write(_ path: String) throws {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    try folder.write(path, Data(SafetensorsBytes.floats(name, [1, 2])))
  }

  private func writeIndex(_ folder: String) throws {
    try write("\(folder)/shard.safetensors")
    try self.folder.write(
      "\(folder)/model.safetensors.index.json",
      #"{"weight_map": {"shard.safetensors": "shard.safetensors"}}"#)
  }

  private func writeModules(transformer: String) throws {
    try folder.write(
      "m/modules.json",
      """
      [{"idx": 0, "name": "0", "path": "\(transformer)",
        "type": "sentence_transformers.models.Transformer"},
       {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
       {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"}]
      """)
  }

  @Test(arguments: ["", "0_Transformer"])
  func theWholeFileGoesBeforeTheIndex(_ transformer: String) throws {
    let main = transformer.isEmpty ? "m" : "m/\(transformer)"
    try writeModules(transformer: transformer)
    for part in [main, "m/2_Dense"] {
      try write("\(part)/model.safetensors")
      try writeIndex(part)
    }
    let run = try inspect("m")
    #expect(run.output.contains("\nmodel.safetensors "), "\(run.output)\(run.errors)")
    #expect(run.output.contains("2_Dense.model.safetensors"))
    #expect(!run.output.contains("shard.safetensors"))
  }

  @Test func shardsAreTheTransformersAlone() throws {
    try writeModules(transformer: "")
    try writeIndex("m")
    try write("m/2_Dense/model.safetensors")
    #expect(try inspect("m").output.contains("\nshard.safetensors "))
    try FileManager.default.removeItem(atPath: folder.path("m/2_Dense/model.safetensors"))
    try writeIndex("m/2_Dense")
    let run = try inspect("m")
    #expect(run.status == 1)
    #expect(
      run.errors.hasPrefix(
        "error: m/2_Dense: has 'shard.safetensors' and no 'model.safetensors'; "), "\(run.errors)")
  }

  @Test(arguments: ["linear.weight.npy", "w.npz", "x.safetensors"])
  func aStrayFileInTheFolderOfAModuleIsNoWeight(_ name: String) throws {
    try writeModules(transformer: "")
    try write("m/model.safetensors")
    try write("m/2_Dense/\(name)")
    for isBeside in [false, true] {
      if isBeside { try folder.write("m/2_Dense/pytorch_model.bin", "PK") }
      let run = try inspect("m")
      #expect(run.status == 1)
      #expect(
        run.errors.hasPrefix(
          "error: m/2_Dense: has '\(name)' and no 'model.safetensors'; sentence-transformers reads "
            + (isBeside ? "'pytorch_model.bin' here" : "model.safetensors")), "\(run.errors)")
    }
  }

  @Test(arguments: ["bert", "clip"]) func aStrayFileIsNoModel(_ type: String) throws {
    try folder.write("m/config.json", #"{"model_type": "\#(type)"}"#)
    try write("m/ema.safetensors")
    try folder.write("m/pytorch_model.bin", "PK")
    let run = try inspect("m")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors.hasPrefix(
        "error: m: has 'ema.safetensors' and no 'model.safetensors'; transformers reads "
          + "'pytorch_model.bin' here, never that file; "), "\(run.errors)")
    // Whoever names the file means it.
    #expect(try inspect("m/ema.safetensors").output.contains("ema.safetensors"))
  }

  @Test func foldersOfOthersAreReadAsBefore() throws {
    try write("open/open_clip_model.safetensors")
    try folder.write("open/open_clip_config.json", "{}")
    try folder.write("open/config.json", #"{"model_type": "clip"}"#)
    try folder.write("open/pytorch_model.bin", "PK")
    #expect(try inspect("open").output.contains("\nopen_clip_model.safetensors "))
    try folder.writeModel("dense")
    try folder.write("dense/config.json", #"{"trained": "today"}"#)
    #expect(try inspect("dense").status == 0)
    try folder.write("thing/config.json", #"{"model_type": "thing"}"#)
    try write("thing/any.safetensors")
    #expect(try inspect("thing").output.contains("\nany.safetensors "))
  }
}
