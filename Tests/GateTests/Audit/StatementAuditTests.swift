import Graph
import ModelFixtures
import TestSupport
import Testing
import WeightCompression

@testable import Formats
@testable import Gate
@testable import Inputs

/// What files say to those who use a model, where no output tells of it.
struct StatementAuditTests {
  let folder: TemporaryFolder
  private var path: String { folder.path("X.mlpackage") }

  init() throws { folder = try TemporaryFolder() }

  private func judge(_ candidate: Model, _ baseline: Model) throws -> Verdict {
    try Gate(on: TinyBert.references(), Limits(), threshold: nil, jobs: 1).judge(
      .model(candidate), against: .model(baseline))
  }

  /// A small BERT with some of its files replaced.
  private func model(_ texts: [String: String], origin: String = "candidate") throws -> Model {
    let plain = try TinyBert.model(origin: origin)
    var files = plain.files
    for (name, text) in texts { files = files.replacing(name, by: Array(text.utf8)) }
    return try Model(
      origin: origin, architecture: try Architectures.recognise(files, weights: plain.weights),
      files: files, weights: plain.weights)
  }

  // MARK: - Packages

  /// A package of a small BERT with these notes.
  private func package(_ notes: [String: String]) throws -> Model {
    let model = try TinyBert.model()
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: nil, floats: .float16), jobs: 1)
    _ = try CoreMLPackage(description: CoreMLDescription(notes: notes)).writeUnproven(
      weights, of: model, recipe: "uncompressed", to: path)
    return try ModelLoader.open(
      path, files: ModelFiles(carriedBy: path, texts: ["tokenizer.json": TinyBert.tokenizer]))
  }

  private func notes() throws -> [String: String] {
    try #require(try TextStatement(of: TinyBert.model())).notes(length: 10)
  }

  @Test func aPackageThatStatesWhatIsRunPasses() throws {
    #expect(try judge(package(notes()), TinyBert.model()).isPassed)
  }

  @Test(arguments: [
    ("dev.ingot.padding-id", "1", "0"), ("dev.ingot.padding-side", "left", "right"),
    ("dev.ingot.truncation-side", "left", "right"), ("dev.ingot.maximum-length", "9", "10"),
  ])
  func anAppMustNotReadAnotherPreparation(key: String, stated: String, found: String) throws {
    var notes = try notes()
    notes[key] = stated
    let package = try package(notes)
    #expect(
      refusal { _ = try judge(package, TinyBert.model()) }
        == "\(path): '\(key)' of its metadata is '\(stated)', the files that prepare its texts make "
        + "it '\(found)'; an app that believes the metadata makes other inputs")
  }

  @Test func theTokenizersClassIsTheBaselines() throws {
    let baseline = try model([
      "config.json": TinyBert.config.replacing(
        #""model_type": "bert""#, with: #""model_type": "bert", "transformers_version": "5.1.0""#)
    ])
    #expect(
      try judge(package(notes()), baseline).reasons == [
        "the candidate's 'dev.ingot.tokenizer' is {\"model_type\":\"bert\"}, the baseline's is "
          + "{\"model_type\":\"bert\",\"transformers_version\":\"5.1.0\"} "
          + "('\(path)' against 'candidate')"
      ])
  }

  // MARK: - Use of vectors

  private static let settings = "config_sentence_transformers.json"
  private static let baseline =
    #"{"prompts": {"query": "a ", "document": ""}, "similarity_fn_name": "cosine"}"#

  @Test(arguments: [
    (
      #"{"prompts": {"query": "big ", "document": ""}}"#,
      "'prompts.query' is 'big ', the baseline's is 'a '"
    ),
    (#"{"prompts": {"document": ""}}"#, "'prompts.query' is missing, the baseline's is 'a '"),
    (
      #"{"prompts": {"query": "a ", "title": "red "}}"#,
      "'prompts.title' is 'red ', the baseline's is missing"
    ),
    (
      #"{"prompts": {"query": "a "}, "similarity_fn_name": "dot"}"#,
      "'similarity_fn_name' is 'dot', the baseline's is 'cosine'"
    ),
  ])
  func promptsAndSimilarityAreTheBaselines(settings: String, fault: String) throws {
    let verdict = try judge(
      model([Self.settings: settings]), model([Self.settings: Self.baseline], origin: "baseline"))
    #expect(verdict.reasons == ["the candidate's \(fault) ('candidate' against 'baseline')"])
    #expect(verdict.isPreparedOtherwise)
  }

  /// What the library takes where a key is missing, and a prompt that was chosen for the candidate.
  @Test(arguments: [
    #"{"prompts": {"query": "a "}}"#,
    #"{"prompts": {"query": "a ", "chosen": "red "}, "default_prompt_name": null}"#,
  ])
  func theSameInOtherWordsPasses(_ settings: String) throws {
    let verdict = try judge(
      model([Self.settings: settings]), model([Self.settings: Self.baseline], origin: "baseline"))
    #expect(verdict.isPassed, "\(verdict.reasons)")
  }

  @Test func whetherPromptsCountIsTheBaselines() throws {
    let pooling = #"{"pooling_mode_mean_tokens": true, "include_prompt": false}"#
    #expect(
      try judge(model(["1_Pooling/config.json": pooling]), TinyBert.model()).reasons == [
        "the candidate's 'include_prompt' is false, the baseline's is true "
          + "('candidate' against 'baseline')"
      ])
  }
}
