import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing

/// Keys of the files of a CLIP folder, against what transformers makes of the very same files.
@Suite(.enabled(if: ClipModels.isAvailable, "no oracle environment: run scripts/test"))
struct ClipKeysInteropTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let file: String
    let old: String
    let new: String
    /// Whether the vectors of the folder as it was are others.
    let changes: Bool
    var testDescription: String { name }
  }

  /// Keys that transformers wrote into both encoders' configurations until 4.2x.
  private static let generation = """
    "add_cross_attention": false, "bad_words_ids": null, "chunk_size_feed_forward": 0, \
    "cross_attention_hidden_size": null, "diversity_penalty": 0.0, "do_sample": false, \
    "is_decoder": false, "length_penalty": 1.0, "max_length": 20, "num_beams": 1, \
    "pruned_heads": {}, "return_dict": true, "task_specific_params": null, "tokenizer_class": null, \
    "top_k": 50, "torch_dtype": null, "torchscript": false, "use_bfloat16": false,
    """

  static let cases = [
    Case(
      name: "cut at model_max_length", file: "tokenizer_config.json",
      old: #""model_max_length": 77"#, new: #""model_max_length": 9"#, changes: true),
    Case(
      name: "another length", file: "tokenizer_config.json",
      old: #""model_max_length": 77"#, new: #""model_max_length": 40"#, changes: true),
    Case(
      name: "keys of generation", file: "config.json", old: #""text_config": {"#,
      new: #""text_config": {"# + generation, changes: false),
    Case(
      name: "text_config_dict that is null", file: "config.json", old: #""text_config": {"#,
      new: #""text_config_dict": null, "text_config": {"#, changes: false),
    Case(
      name: "text_config_dict alone counts", file: "config.json",
      old: #""hidden_act": "quick_gelu""#,
      new: #""hidden_act": "gelu""#, changes: false),
    Case(
      name: "truncation_side", file: "tokenizer_config.json", old: #""model_max_length": 77"#,
      new: #""model_max_length": 9, "truncation_side": "left""#, changes: true),
  ]

  private static let texts = [
    "", "a photo of a cat", "two dogs, running!",
    (0..<60).map { "word\($0)" }.joined(separator: " "),
  ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let lines = try Self.texts.map {
      String(decoding: try JSONEncoder().encode(["text": $0]), as: UTF8.self) + "\n"
    }
    try lines.joined().write(
      toFile: folder.path("inputs.jsonl"), atomically: true, encoding: .utf8)
  }

  /// A copy of the model with one text of one file changed.
  private func model(_ each: Case?) throws -> String {
    let path = folder.path(each == nil ? "own" : "changed")
    let files = FileManager.default
    try files.createDirectory(atPath: path, withIntermediateDirectories: true)
    let source = ClipModels.path("hf-quick")
    for name in try files.contentsOfDirectory(atPath: source) where name != "images" {
      try files.copyItem(atPath: "\(source)/\(name)", toPath: "\(path)/\(name)")
    }
    guard let each else { return path }
    var text = try String(contentsOfFile: "\(path)/\(each.file)", encoding: .utf8)
    try #require(text.contains(each.old))
    if each.name == "text_config_dict alone counts" { text = try withDictionary(text) }
    text = text.replacing(each.old, with: each.new, maxReplacements: 1)
    try text.write(toFile: "\(path)/\(each.file)", atomically: true, encoding: .utf8)
    return path
  }

  /// Adds the half once more as `text_config_dict`, without its activation.
  private func withDictionary(_ text: String) throws -> String {
    var config = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    var half = try #require(config["text_config"] as? [String: Any])
    half["hidden_act"] = nil
    config["text_config_dict"] = half
    let data = try JSONSerialization.data(withJSONObject: config, options: .sortedKeys)
    return String(decoding: data, as: UTF8.self)
      .replacing("\"hidden_act\":\"quick_gelu\"", with: "\"hidden_act\": \"quick_gelu\"")
  }

  private func ours(_ path: String) throws -> OutputMatrix {
    try ModelRunner(model: try ModelLoader.open(path, encoder: .text), jobs: 2)
      .outputs(for: try InputLines.read(folder.path("inputs.jsonl")))
  }

  @Test(arguments: cases)
  func isReadAsTransformersReadsIt(_ each: Case) throws {
    let path = try model(each)
    _ = try Oracle.run(
      "embed_clip.py", [path, folder.path("inputs.jsonl"), folder.path("theirs.npy")])
    let (mine, theirs) = (try ours(path), try OutputMatrix(npy: folder.path("theirs.npy")))
    for row in 0..<Self.texts.count {
      #expect(cosine(mine[row], theirs[row]) >= 0.999999, "\(Self.texts[row].prefix(20))")
    }
    let own = try ours(try model(nil))
    let last = Self.texts.count - 1
    #expect((cosine(own[last], mine[last]) < 0.9999) == each.changes)
  }
}
