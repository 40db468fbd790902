import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing

/// Which file says how images are prepared: that of the image processor, or of the whole processor.
struct ClipProcessorTests {
  private static let (own, shared) = ("preprocessor_config.json", "processor_config.json")
  private static let weights = ClipTexts.imageWeights.merging(ClipTexts.textWeights) { first, _ in
    first
  }.filter { $0.key.contains("_model.") }
  private static let image = ClipTexts.huggingFace[own] ?? ""

  /// The files of the model with these two.
  private static func texts(own: String?, shared: String?) -> [String: String] {
    var texts = ClipTexts.huggingFace
    texts[Self.own] = own
    texts[Self.shared] = shared
    return texts
  }

  private static func encoders(
    _ texts: [String: String], requested: EncoderKind? = nil
  ) throws -> [ClipEncoder] {
    try ClipEncoder.encoders(
      files(texts), weights: ShapesOnly(named: weights), requested: requested)
  }

  /// As `CLIPProcessor.save_pretrained` of transformers 5 has it.
  private static func whole(_ image: String) -> String {
    "{\"image_processor\": \(image), \"processor_class\": \"CLIPProcessor\"}"
  }

  private func normalisation(_ texts: [String: String]) throws -> [Literal] {
    try #require(try Self.encoders(texts).first).smallestGraph().nodes.prefix(2).compactMap {
      if case .literal(let numbers) = $0.operation.operands[1].operand { numbers } else { nil }
    }
  }

  @Test(
    arguments: [
      (image, nil, own), (nil, whole(image), shared), (image, whole(image), shared),
      (image, #"{"processor_class": "CLIPProcessor"}"#, own),
      (image, #"{"image_processor": null, "chat_template": "{{ x }}"}"#, own),
    ] as [(String?, String?, String)])
  func theSameIsReadOfEitherFile(own: String?, shared: String?, read: String) throws {
    let texts = Self.texts(own: own, shared: shared)
    let found = try Self.encoders(texts)
    #expect(found.map(\.encoder) == [.image, .text])
    #expect(found.first?.describingFiles == ["config.json", read])
    let expected = try normalisation(ClipTexts.huggingFace)
    #expect(expected.count == 2)
    #expect(try normalisation(texts) == expected)
  }

  /// Today's form of a size, and keys that a file leaves out, make no difference.
  @Test func filesThatAgreeInOtherWordsAreRead() throws {
    let older = #"{"size": 8, "crop_size": 8, "image_mean": [0.5, 0.5, 0.5]}"#
    let newer = """
      {"size": {"shortest_edge": 8}, "crop_size": {"height": 8, "width": 8}, "resample": 3,
       "rescale_factor": 0.00392156862745098, "image_mean": [0.5, 0.5, 0.5], "do_resize": true,
       "image_std": [0.26862954, 0.26130258, 0.27577711], "_processor_class": null}
      """
    let found = try Self.encoders(Self.texts(own: older, shared: Self.whole(newer)))
    #expect(found.first?.describingFiles == ["config.json", Self.shared])
  }

  @Test func filesThatDisagreeAreRefused() {
    let other = Self.image.replacing("0.00390625", with: "0.5")
    let texts = Self.texts(own: Self.image, shared: Self.whole(other))
    #expect(
      message { _ = try Self.encoders(texts) }
        == "model/processor_config.json:1:99: 'rescale_factor' of 'image_processor' is 0.5, in "
        + "model/preprocessor_config.json it is 0.00390625; transformers 5 takes the first and 4 the "
        + "second: make them agree, or delete the one that is wrong")
  }

  @Test(arguments: [
    (#"{"image_processor": {"crop_pct": 0.9}}"#, "the key 'crop_pct' (the number 0.9) is not "),
    (#"{"image_processor": {"do_rescale": null}}"#, "'do_rescale' is null, which versions of "),
    (#"{"image_processor": {}, "video_processor": {}}"#, "the key 'video_processor' ({}) is not "),
    (#"{"image_processor": {}, "auto_map": {"a": 1}}"#, #"'auto_map' is {"a":1}, which is not "#),
    (#"{"image_processor": 3}"#, "'image_processor' is the number 3, expected an object"),
  ])
  func isRefusedNamingFileKeyAndValue(shared: String, fault: String) throws {
    let text = message { _ = try Self.encoders(Self.texts(own: nil, shared: shared)) } ?? ""
    #expect(text.hasPrefix("model/processor_config.json:1:") && text.contains(fault), "\(text)")
  }

  // MARK: Neither

  @Test(
    arguments: [
      (nil, "is not there either"), (#"{"processor_class": "X"}"#, "has no 'image_processor'"),
    ] as [(String?, String)])
  func anImageEncoderNeedsOne(shared: String?, words: String) {
    let texts = Self.texts(own: nil, shared: shared)
    for requested in [nil, EncoderKind.image] {
      #expect(
        message { _ = try Self.encoders(texts, requested: requested) }
          == "model: 'preprocessor_config.json' is missing; it says how an image becomes the "
          + "model's input, and 'processor_config.json', which may say it too, \(words); save the "
          + "model's processor with it; the text encoder alone needs neither")
    }
  }

  @Test(arguments: [nil, #"{"processor_class": "X"}"#])
  func aTextEncoderNeedsNone(shared: String?) throws {
    let found = try Self.encoders(Self.texts(own: nil, shared: shared), requested: .text)
    #expect(found.map(\.encoder) == [.text])
    #expect(found.first?.describingFiles == ["config.json", "tokenizer.json"])
  }

  /// Where it is there the other encoder is read, too: pairs of both may be judged.
  @Test func nothingIsLeftOutThatCanBeRead() throws {
    #expect(
      try Self.encoders(ClipTexts.huggingFace, requested: .text).map(\.encoder) == [.image, .text])
  }
}
