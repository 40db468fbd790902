import IngotFeatures
import IngotTokenizers
import Testing

/// An app: nothing but the library's public API is in sight here.
struct AppTests {
  static let tokenizer = #"""
    {"version":"1.0","truncation":null,"padding":null,"added_tokens":[{"id":0,"content":"[PAD]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true}],"normalizer":null,"pre_tokenizer":{"type":"Whitespace"},"post_processor":null,"decoder":null,"model":{"type":"WordLevel","unk_token":"[UNK]","vocab":{"[PAD]":0,"[UNK]":1,"hello":2,"world":3}}}
    """#
  static let configuration = #"""
    {"files":{"tokenizer.json":"2b5f27b19e09f49593fce82907b33149b6053936af34da01caeb58d1dc98a907"},"framing":"special-tokens","kind":"text","least":1,"lengths":[4,8],"maximum":8,"padding":0,"rows":4,"schema":1,"tensors":["attention_mask","input_ids"],"tokenizer":"as-file-says"}
    """#

  @Test func aTextBecomesTheTensorsOfTheModel() throws {
    let configuration = try InputConfiguration(json: Array(Self.configuration.utf8))
    let texts = try TextPreparer(
      configuration, files: ["tokenizer.json": Array(Self.tokenizer.utf8)])
    let input = try texts.prepare("hello you world")
    #expect(input.tensors == ["input_ids": [2, 1, 3, 0], "attention_mask": [1, 1, 1, 0]])
    #expect(input.length == 4 && input.tokenCount == 3)
    #expect(texts.configuration.maximumLength == 8 && texts.configuration.lengths == [4, 8])
  }

  /// The tokenizer comes out of the header of a compressed model.
  @Test func aModelCarriesItsFiles() throws {
    func quoted(_ text: String) -> String {
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    let carried = "{\"tokenizer.json\":\(quoted(Self.tokenizer))}"
    let header = Array("{\"__metadata__\":{\"ingot.files\":\(quoted(carried))}}".utf8)
    let length = (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) }
    let file = length + header + [0, 0, 0, 0]
    let count = try CompressedModelHeader.byteCount(Array(file.prefix(8)))
    let files = try CompressedModelHeader.files(in: Array(file.prefix(count)))
    let texts = try TextPreparer(
      InputConfiguration(json: Array(Self.configuration.utf8)), files: files)
    #expect(try texts.prepare("world").tensors["input_ids"] == [3, 0, 0, 0])
  }

  @Test func anImageBecomesThePlanesOfTheModel() throws {
    let json = #"""
      {"centering":"before","colors":"first","filter":"bilinear","height":1,"kind":"image","levels":true,"resizing":{"exactly":[2,1]},"schema":1,"tensors":["image"],"width":2}
      """#
    let configuration = try InputConfiguration(json: Array(json.utf8))
    let images = try ImagePreparer(configuration)
    let rows = try ImageRows(
      width: 2, height: 1, bytesPerRow: 8, layout: .rgba, bytes: [9, 8, 7, 255, 1, 2, 3, 255])
    #expect(try images.levels(of: rows) == [9, 1, 8, 2, 7, 3])
    #expect(try images.numbers(of: rows) == [9, 1, 8, 2, 7, 3])
    #expect(configuration.tensors == ["image"])
  }

  @Test func featuresHaveTheirOrder() throws {
    let json = #"{"features":["b","a"],"kind":"features","schema":1,"tensors":["features"]}"#
    let schema = try FeatureSchema([Feature("b"), Feature("a")])
    #expect(try InputConfiguration(json: Array(json.utf8)).kind == .features(schema))
  }

  @Test func errorsSayWhatIsWrong() throws {
    let configuration = try InputConfiguration(json: Array(Self.configuration.utf8))
    #expect(throws: InputError.missingFile(name: "tokenizer.json")) {
      try TextPreparer(configuration, files: [:])
    }
    #expect(throws: InputError.otherKind(found: "texts", needed: "one of images")) {
      try ImagePreparer(configuration)
    }
  }
}
