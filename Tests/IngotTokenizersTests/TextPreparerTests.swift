import Execution
import Graph
import ModelFixtures
import StrictJSON
import Testing
import Tokenization

@testable import IngotTokenizers
@testable import Inputs

/// Tensors beside those of the gate, for models of one length and of several, and what is refused.
struct TextPreparerTests {
  static let files = ["tokenizer.json": DummyEncoders.tokenizer]
  static let texts = [
    "", "red", "a bottle of water", "red red red red red red red red red red", "Cup\u{0} of 👩‍👩‍👧‍👦 tea",
  ]

  @Test(arguments: [GraphShapes.any, .single(lengths: [8]), .single(lengths: [3, 5, 8])])
  func tensorsAreTheGates(_ shapes: GraphShapes) throws {
    let model = try DummyEncoders.text { slot in
      slot.shapes = shapes
      slot.hasMask = true
    }
    let configuration = try InputConfiguration(json: try model.inputConfiguration().json)
    let preparer = try TextPreparer(configuration, files: Self.files)
    let preparation = try ModelRunner.preparation(for: model)
    let graph = try model.architecture.smallestGraph()
    #expect(configuration.tensors == ["attention_mask", "input_ids"])
    for text in Self.texts {
      let prepared = try preparation.batches(of: [.text(text)], images: ImageFiles(folder: ""))
      let batch = try #require(prepared.plan.first)
      let found = try preparer.prepare(text)
      #expect(found.length == batch.length && found.tokenCount == prepared.tokenCounts[0])
      for (name, values) in try prepared.values(batch, graph) {
        guard case .integers(let integers) = values else { continue }
        #expect(found.tensors[name] == integers, "\(name) of '\(text)'")
      }
      #expect(found.tensors.count == 2)
    }
  }

  private func fault(_ configuration: InputConfiguration, _ files: [String: [UInt8]]) -> InputError?
  {
    do throws(InputError) {
      _ = try TextPreparer(configuration, files: files)
      return nil
    } catch {
      return error
    }
  }

  /// A configuration of the dummy's tokenizer with something else.
  private func configuration(
    rows: Int = DummyEncoders.words.count, padding: Int32 = 0, least: Int = 1, end: Int32? = nil,
    framing: TokenFraming = .specialTokens, path: String = "tokenizer.json"
  ) -> InputConfiguration {
    InputConfiguration(
      .texts(
        TextConfiguration(
          preparation: TextPreparation(framing: framing), cleaning: .asFileSays,
          limits: TokenLimits(most: 8, least: least, rows: rows, end: end), lengths: nil,
          paddingID: padding, files: [path: FileDigest.hex(of: DummyEncoders.tokenizer)],
          facts: [:])),
      tensors: ["input_ids"])
  }

  @Test func filesThatTheGateDidNotReadAreRefused() throws {
    let other = DummyEncoders.tokenizer + [0x20]
    let needed = FileDigest.hex(of: DummyEncoders.tokenizer)
    #expect(
      fault(configuration(), ["tokenizer.json": other])
        == .otherFile(name: "tokenizer.json", found: FileDigest.hex(of: other), needed: needed))
    #expect(fault(configuration(), [:]) == .missingFile(name: "tokenizer.json"))
    #expect(fault(configuration(), Self.files.merging(["other": []]) { $1 }) == nil)
    let strange = configuration(path: "config.json")
    #expect(
      fault(strange, ["config.json": DummyEncoders.tokenizer])
        == .configuration(
          "input configuration: 'files' names 'config.json', which is not one file of a tokenizer"))
    let inFolder = configuration(path: "0_Transformer/tokenizer.json")
    #expect(fault(inFolder, ["0_Transformer/tokenizer.json": DummyEncoders.tokenizer]) == nil)
    let merges = configuration(path: "special_tokens_map.json")
    #expect(
      fault(merges, ["special_tokens_map.json": DummyEncoders.tokenizer])
        == .tokenizer("input configuration:1:1: 'files' names no tokenizer"))
  }

  @Test func aTokenizerThatDoesNotSuitIsRefused() {
    #expect(
      fault(configuration(rows: 5), Self.files)?.description
        == "the tokenizer has 12 tokens, the input configuration says that the model has rows for 5"
    )
    #expect(
      fault(configuration(padding: 1), Self.files)?.description
        == "the tokenizer pads with 0, the input configuration says 1")
    let pairs = fault(configuration(framing: .twoTexts), Self.files)
    #expect(pairs?.description.contains("says no one way to put special tokens") == true)
  }

  @Test func aTextThatTheModelDoesNotTakeIsRefused() throws {
    func refusal(_ configuration: InputConfiguration, _ text: String) throws -> String? {
      let preparer = try TextPreparer(configuration, files: Self.files)
      do {
        _ = try preparer.prepare(text)
        return nil
      } catch { return error.description }
    }
    #expect(try refusal(configuration(), "red") == nil)
    #expect(
      try refusal(configuration(end: 5), "red")
        == "the text gives ids that end with 3, the model looks for 5 there")
    #expect(
      try refusal(configuration(least: 4), "red")
        == "the text gives 3 tokens, and the prompt's place takes all of them; it needs 4")
    let preparer = try TextPreparer(configuration(), files: Self.files)
    #expect(throws: InputError.otherKind(found: "single texts", needed: "one of pairs of texts")) {
      try preparer.prepare("red", "green")
    }
  }
}
