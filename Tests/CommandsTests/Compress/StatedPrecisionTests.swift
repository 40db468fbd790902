import Foundation
import TestSupport
import Testing

/// `dtype` of `config.json`, which transformers rounds weights to.
struct StatedPrecisionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: "\(Program.repository)/specs/examples/quickstart/models/sentence-encoder",
      toPath: folder.path("model"))
    try folder.write("texts.txt", "a text\n")
  }

  /// Runs the quickstart's encoder, whose weights are float32, with keys added to its `config.json`.
  private func run(_ keys: String) throws -> Program {
    let path = folder.path("model/config.json")
    let config = try String(contentsOfFile: path, encoding: .utf8)
    try folder.write(
      "model/config.json",
      config.replacing(#""model_type": "bert","#, with: #""model_type": "bert", \#(keys),"#))
    return try Program.run(
      ["embed", "model", "--inputs", "texts.txt", "-o", "out.npy"], in: folder.path)
  }

  @Test(arguments: [
    (#""dtype": "float16", "transformers_version": "5.2.0""#, "dtype", "float16"),
    (#""torch_dtype": "bfloat16""#, "torch_dtype", "bfloat16"),
  ])
  func aTypeThatRoundsTheWeightsIsRefused(keys: String, key: String, type: String) throws {
    let run = try run(keys)
    #expect(run.status == 1)
    #expect(
      run.errors.hasPrefix(
        "error: model/config.json: '\(key)': '\(type)' beside 'embeddings.word_embeddings.weight' of "
          + "type F32, which transformers rounds when it loads the model, is not supported; "
          + "supported: a type that holds all weights as they are, as \"float32\" does"),
      "\(run.errors)")
  }

  /// Version 4 loads embedding models in float32 whatever the file says.
  @Test(arguments: [
    #""torch_dtype": "float16", "transformers_version": "4.57.6""#,
    #""dtype": "float32", "torch_dtype": "float16", "transformers_version": "5.2.0""#,
  ])
  func aTypeThatRoundsNothingIsTaken(keys: String) throws {
    let run = try run(keys)
    #expect(run.status == 0, "\(run.errors)")
  }
}
