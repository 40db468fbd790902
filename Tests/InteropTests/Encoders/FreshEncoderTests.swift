import Formats
import Foundation
import Graph
import TestSupport
import Testing

/// Encoders that installed libraries make anew, with weights of a seed (`INGOT_FUZZ_SEED`, else 1):
/// the fixtures are not the only judge. Three cases of each family, or as many as it has.
@Suite(
  .enabled(
    if: Thoroughness.isExhaustive && Oracle.isAvailable && Oracle.versions != nil,
    "takes minutes, and other versions of libraries: run scripts/test --exhaustive"))
struct FreshEncoderTests {
  /// A script, and the version of the libraries that it runs with.
  struct Maker: Sendable, CustomTestStringConvertible {
    let script: String
    let version: String
    /// Families that this version can write; nil for all.
    var families: [String]?
    var testDescription: String { "\(script) with \(version)" }
  }

  /// transformers 5.23, and 4.57.6 for the families that it can write.
  static let makers = [
    Maker(script: "make_encoders.py", version: "st6.2-tf5"),
    Maker(script: "make_image_encoders.py", version: "st6.2-tf5"),
    Maker(
      script: "make_encoders.py", version: "st6.2",
      families: [
        "albert", "bert", "bert_byte_pairs", "classifiers", "deberta_v2", "electra", "gemma3",
        "mpnet", "qwen3", "roberta", "static_embedding",
      ]),
    Maker(
      script: "make_image_encoders.py", version: "st6.2",
      families: ["dinov2", "open_clip", "open_clip_residual", "siglip", "timm_mobile", "vit"]),
  ]

  @Test(arguments: makers)
  func givesWhatTheLibraryGives(_ maker: Maker) throws {
    let folder = try TemporaryFolder()
    let table = try make(maker, in: folder)
    try table.expectWhole()
    for row in table.cases {
      let models = try TemporaryFolder()
      let path = try table.assemble(row, in: models)
      for encoder in row.encoders {
        try compare(table, row, try ModelLoader.open(path, encoder: encoder))
      }
    }
  }

  private func make(_ maker: Maker, in folder: TemporaryFolder) throws -> EncoderTable {
    let path = folder.path("made")
    let seed = ProcessInfo.processInfo.environment["INGOT_FUZZ_SEED"] ?? "1"
    var arguments = [path, "--seed", seed, "--count", "3"]
    if let families = maker.families { arguments += ["--older", "--only"] + families }
    let packages = "\(try #require(Oracle.versions))-\(maker.version)"
    _ = try Oracle.run(maker.script, arguments, environment: ["PYTHONPATH": packages])
    return EncoderTable(folder: path)
  }

  private func compare(_ table: EncoderTable, _ row: EncoderTable.Case, _ model: Model) throws {
    switch model.architecture.input {
    case .image:
      try table.expectPixels(row, model)
      try table.expectVectorsOfImages(row, model)
    case .tokens:
      try table.expectIDs(row, model)
      try table.expectVectorsOfTexts(row, model)
    case .features: Issue.record("\(row.name) takes features")
    }
  }
}
