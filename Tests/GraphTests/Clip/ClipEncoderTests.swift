import Graph
import ModelFixtures
import StrictJSON
import Testing
import Weights

struct ClipEncoderTests {
  private let both = ClipTexts.imageWeights.merging(ClipTexts.textWeights) { first, _ in first }

  private func encoders(
    _ texts: [String: String], _ shapes: [String: [Int]]
  ) throws -> [ClipEncoder] {
    try ClipEncoder.encoders(files(texts), weights: ShapesOnly(named: shapes))
  }

  private func shapes(_ prefixes: [String]) -> [String: [Int]] {
    both.filter { name, _ in prefixes.contains { name.hasPrefix($0) } }
  }

  @Test(arguments: [
    (ClipTexts.huggingFace, ["vision_model.", "text_model."]),
    (ClipTexts.openCLIP, ["visual.", "token_embedding."]),
  ])
  func bothLayoutsHaveTwoEncoders(texts: [String: String], prefixes: [String]) throws {
    let found = try encoders(texts, shapes(prefixes))
    #expect(found.map(\.encoder) == [.image, .text])
    #expect(found[0].input == .image(width: 8, height: 8))
    #expect(found[1].input == .tokens(maximumLength: 7, vocabulary: 20))
    #expect(found.map(\.output) == [.embedding(width: 6), .embedding(width: 6)])
    #expect(found.map(\.endToken) == [nil, 19])
  }

  @Test func weightsOfOneEncoderAreThatEncoder() throws {
    #expect(
      try encoders(ClipTexts.huggingFace, shapes(["text_model."])).map(\.encoder) == [.text])
    #expect(try encoders(ClipTexts.openCLIP, shapes(["visual."])).map(\.encoder) == [.image])
    #expect(try encoders(ClipTexts.huggingFace, [:]).isEmpty)
  }

  @Test func oneOfTwoMustBeChosen() throws {
    #expect(throws: ModelError.severalEncoders(origin: "model")) {
      _ = try Architectures.recognise(
        files(ClipTexts.openCLIP), weights: ShapesOnly(named: shapes(["visual.", "token_"])))
    }
  }

  @Test func filesOfBothLayoutsAreToldApartByTheWeights() throws {
    let texts = ClipTexts.huggingFace.merging(ClipTexts.openCLIP) { first, _ in first }
    let open = try #require(try encoders(texts, shapes(["token_embedding."])).first)
    #expect(open.describingFiles == ["open_clip_config.json", "tokenizer.json"])
    let face = try #require(try encoders(texts, shapes(["text_model."])).first)
    #expect(face.describingFiles == ["config.json", "tokenizer.json"])
  }

  @Test func graphsHaveConcreteShapesAndNameTheirWeights() throws {
    let face = try encoders(ClipTexts.huggingFace, both.filter { $0.key.contains("_model.") })
    let image = try face[0].graph(batch: 2, length: 1)
    #expect(image.inputs.map(\.type) == [ValueType(.float32, [2, 3, 8, 8])])
    #expect(image.outputType == ValueType(.float32, [2, 6]))
    // Class vector, patches, positions, two norms and the projection; per layer 16.
    #expect(image.weights.count == 8 + 2 * 16)
    let text = try face[1].graph(batch: 3, length: 5)
    #expect(text.inputs.map(\.name) == ["input_ids"])
    #expect(text.outputType == ValueType(.float32, [3, 6]))
    #expect(text.weights.count == 5 + 16)
    let open = try encoders(ClipTexts.openCLIP, shapes(["visual.", "token_embedding."]))
    #expect(try open[0].graph(batch: 1, length: 1).weights.count == 8 + 2 * 12)
    #expect(try open[1].graph(batch: 1, length: 7).weights.count == 5 + 12)
  }

  @Test func pixelsAreScaledByEachPlane() throws {
    let face = try encoders(ClipTexts.huggingFace, shapes(["vision_model."]))
    let graph = try #require(face.first).graph(batch: 1, length: 1)
    let literals = graph.nodes.prefix(2).map { $0.operation.operands[1].operand }
    #expect(
      literals == [
        .literal(.floats([0x1p-7, 0x1p-6, 0x1p-8], shape: [1, 3, 1, 1])),
        .literal(.floats([-1, -1, 0], shape: [1, 3, 1, 1])),
      ])
  }

  @Test func theMaskIsCausalAndFinite() throws {
    let text = try #require(try encoders(ClipTexts.openCLIP, shapes(["token_embedding."])).first)
    let graph = try text.graph(batch: 1, length: 3)
    let product = graph.nodes.first { $0.name == "mask_pooled" }
    let far: Float = -10000
    #expect(
      product?.operation.operands.map(\.operand) == [
        .value("selector"),
        .literal(.floats([0, far, far, 0, 0, far, 0, 0, 0], shape: [3, 3])),
      ])
  }

  @Test(arguments: [
    ("attn_mask", "causal mask, built anew with finite numbers"),
    ("visual.proj", "of the other encoder"),
    ("text_model.embeddings.position_ids", "numbers of positions"),
    ("logit_scale", "scale of training's loss"),
  ])
  func tensorsBesideTheEncoderAreKnown(name: TensorName, role: String) throws {
    let text = try #require(try encoders(ClipTexts.openCLIP, shapes(["token_embedding."])).first)
    #expect(text.role(ofUnused: name) == role)
    #expect(text.role(ofUnused: "something.weight") == nil)
  }
}

struct ClipFilesTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let file: String
    let old: String
    let new: String
    let message: String
    var testDescription: String { new }
  }

  private static let openName = "open_clip_config.json"

  static let faults = [
    Case(
      file: "config.json", old: #""hidden_act": "quick_gelu""#, new: #""hidden_act": "swish""#,
      message: "model/config.json: 'hidden_act': 'swish' is not supported; "
        + "supported: gelu, quick_gelu, gelu_new, gelu_pytorch_tanh"),
    Case(
      file: "config.json", old: #""eos_token_id": 19"#, new: #""eos_token_id": 20"#,
      message: "model/config.json:2:17: 'eos_token_id' is 20, 'vocab_size' is 20"),
    Case(
      file: "config.json", old: #""num_attention_heads": 2"#, new: #""num_attention_heads": 3"#,
      message: "model/config.json:2:17: the width 8 is not a multiple of 3 heads"),
    Case(
      file: "config.json", old: #""patch_size": 4"#, new: #""patch_size": 3"#,
      message: "model/config.json:1:1: the image size 8 is not a multiple of the patch size 3"),
    Case(
      file: "preprocessor_config.json", old: "[0.5, 0.25, 1]", new: "[0.5, 0, 1]",
      message: "model/preprocessor_config.json:1:45: 'image_std' is an array of 3, "
        + "expected three positive numbers"),
    Case(
      file: "preprocessor_config.json", old: "[0.5, 0.25, 0]", new: "[0.5, 0.25]",
      message: "model/preprocessor_config.json:1:16: 'image_mean' is an array of 2, "
        + "expected three numbers"),
    Case(
      file: openName, old: #""layers": 2"#, new: #""layers": [3, 4, 6, 3]"#,
      message: "model/open_clip_config.json:2:18: the image size 8 is not a multiple of 32, or the "
        + "width 12 of 2"),
    Case(
      file: openName, old: #""heads": 2"#, new: #""heads": 2, "hf_model_name": "roberta-base""#,
      message: "model/open_clip_config.json:3:97: 'hf_model_name' is the string \"roberta-base\", "
        + "which is not supported; supported: \"\""),
    Case(
      file: openName, old: #""heads": 2"#, new: #""heads": 2, "pool_type": "none""#,
      message: "model/open_clip_config.json: 'pool_type': 'none' is not supported; "
        + "supported: argmax, eos, first, last"),
  ]

  @Test(arguments: faults)
  func isRefusedInWords(_ fault: Case) throws {
    let isOpen = fault.file == Self.openName
    var texts = isOpen ? ClipTexts.openCLIP : ClipTexts.huggingFace
    let text = try #require(texts[fault.file])
    #expect(text.contains(fault.old))
    texts[fault.file] = text.replacing(fault.old, with: fault.new)
    let weights = ClipTexts.imageWeights.merging(ClipTexts.textWeights) { first, _ in first }
      .filter { $0.key.contains("_model.") != isOpen }
    let error = #expect(throws: (any Error).self) {
      _ = try ClipEncoder.encoders(files(texts), weights: ShapesOnly(named: weights))
    }
    #expect(error.map { "\($0)" } == fault.message)
  }

  @Test func theFirstYearsCallTheEndTokenTwo() throws {
    var texts = ClipTexts.huggingFace
    texts["config.json"] = texts["config.json"]?.replacing(
      #""eos_token_id": 19"#, with: #""eos_token_id": 2"#)
    let found = try ClipEncoder.encoders(
      files(texts),
      weights: ShapesOnly(shapes: ["text_model.embeddings.token_embedding.weight": [20, 8]]))
    #expect(found.map(\.endToken) == [19])
  }
}
