import Files
import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import WeightCompression

/// A small CLIP as transformers 5 saves it, against what transformers 5 makes of the same inputs.
/// `Fixtures/clip-transformers5` is written by `scripts/oracles/make_clip5.py`.
struct SavedClipTests {
  private static let folder = Oracle.fixture("clip-transformers5")
  private static let model = "\(folder)/model"

  private func outputs(_ model: Model, _ kind: EncoderKind) throws -> OutputMatrix {
    let lines = try InputLines.read("\(Self.folder)/inputs.jsonl")
    let inputs = lines.inputs.filter { $0.kind == (kind == .image ? .image : .text) }
    try #require(inputs.count >= 6)
    return try ModelRunner(model: model, jobs: 1).outputs(
      for: inputs, images: ImageFiles(folder: Self.folder))
  }

  private func compare(_ ours: OutputMatrix, _ file: String, minimum: Double = 0.999999) throws {
    let theirs = try OutputMatrix(npy: "\(Self.folder)/\(file)")
    try #require(ours.rowCount == theirs.rowCount && ours.width == theirs.width)
    for row in 0..<ours.rowCount {
      let near = cosine(ours[row], theirs[row])
      #expect(near >= minimum, "\(file) row \(row): \(near)")
    }
  }

  /// The folder is as transformers 5 left it: were it not, the test would say nothing.
  @Test func theFolderIsThatOfTransformers5() throws {
    let names = try Folder.names(in: Self.model)
    #expect(names.contains("processor_config.json"))
    #expect(!names.contains("preprocessor_config.json"))
  }

  @Test(
    arguments: [
      (.image, "image.npy"), (.image, "image-pillow.npy"), (.text, "text.npy"),
    ] as [(EncoderKind, String)])
  func embedsAsTransformers5(kind: EncoderKind, file: String) throws {
    let model = try ModelLoader.open(Self.model, encoder: kind)
    #expect(
      model.architecture.describingFiles.contains("processor_config.json") == (kind == .image))
    try compare(try outputs(model, kind), file)
  }

  /// What was read is carried: by a package beside it, by a file within.
  @Test(arguments: [(.image, "image.npy"), (.text, "text.npy")] as [(EncoderKind, String)])
  func whatIsWrittenPreparesTheSame(kind: EncoderKind, file: String) throws {
    let scratch = try TemporaryFolder()
    let model = try ModelLoader.open(Self.model, encoder: kind)
    let emitted = try CoreMLPackage().writeUnproven(
      try CompressedOnce.weights(of: model, nil), of: model, recipe: "none",
      to: scratch.path("X.mlpackage"))
    let expected =
      kind == .image ? ["processor_config.json"] : ["tokenizer.json", "tokenizer_config.json"]
    #expect(emitted.companions.keys.sorted() == expected)
    let files = ModelFiles(carriedBy: "X", texts: emitted.companions)
    let package = try ModelLoader.open(scratch.path("X.mlpackage"), files: files)
    try compare(try outputs(package, kind), file, minimum: 0.9999)
    #expect(
      try package.describingDigests().keys.sorted() == expected)
  }

  /// Without either file there is a text encoder, and no image encoder.
  @Test func withoutItTheTextEncoderIsLeft() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("model")
    try FileManager.default.copyItem(atPath: Self.model, toPath: path)
    try FileManager.default.removeItem(atPath: "\(path)/processor_config.json")
    try compare(try outputs(try ModelLoader.open(path, encoder: .text), .text), "text.npy")
    for kind in [nil, EncoderKind.image] {
      let error = #expect(throws: ModelError.self) {
        _ = try ModelLoader.open(path, encoder: kind)
      }
      let words = error?.description ?? ""
      #expect(words.contains("'preprocessor_config.json'"), "\(words)")
      #expect(words.contains("'processor_config.json'"), "\(words)")
    }
  }
}
