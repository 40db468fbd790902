import Graph
import ModelFixtures
import TestSupport
import Testing

/// Each module reads the `config.json` of its folder, which has to be its own.
struct ModuleFoldersTests {
  private func fault(_ modules: String) -> String {
    var texts = BertTests.texts(["modules.json": modules])
    texts["0_Transformer/config.json"] = BertTests.config
    texts["0_Transformer/tokenizer.json"] = "{}"
    return message { _ = try Bert.recognise(files(texts), weights: ShapesOnly()) }
      ?? "accepted"
  }

  private static func modules(_ paths: [(kind: String, path: String)]) -> String {
    let entries = paths.map { kind, path in
      #"{"path": "\#(path)", "type": "sentence_transformers.models.\#(kind)"}"#
    }
    return "[\(entries.joined(separator: ",\n"))]"
  }

  private static let nested = [
    (kind: "Transformer", path: "0_Transformer"), (kind: "Pooling", path: "1_Pooling"),
  ]

  @Test(arguments: ["Normalize", "Dropout", "Dense", "LayerNorm"])
  func refusesTheModelsOwnFolder(kind: String) {
    #expect(
      fault(Self.modules(Self.nested + [(kind: kind, path: "")]))
        == "model/modules.json:3:10: 'path' is '', the model's own folder, whose config.json "
        + "'sentence_transformers.models.\(kind)' would read; give it a folder of its own")
  }

  @Test(arguments: ["0_Transformer", "1_Pooling"])
  func refusesTwoModulesInOneFolder(path: String) {
    #expect(
      fault(Self.modules(Self.nested + [(kind: "Normalize", path: path)]))
        == "model/modules.json:3:10: 'path' is '\(path)', where another module lies, and both would "
        + "read its config.json; give 'sentence_transformers.models.Normalize' a folder of its own")
  }

  /// Some file systems have one folder for both.
  @Test func refusesTwoSpellingsOfOneFolder() {
    let last = [(kind: "Normalize", path: "\u{E9}"), (kind: "Normalize", path: "e\u{301}")]
    #expect(fault(Self.modules(Self.nested + last)).contains("where another module lies"))
  }

  @Test func takesFoldersOfTheirOwn() {
    #expect(
      fault(Self.modules(Self.nested + [(kind: "Normalize", path: "2_Normalize")])) == "accepted")
  }

  @Test func refusesANameThatIsANumber() {
    #expect(
      fault(
        BertTests.edited(BertTests.modules, #""idx": 1"#, #""name": 1"#)
      ).contains("'name' is the number 1, expected a string"))
  }
}
