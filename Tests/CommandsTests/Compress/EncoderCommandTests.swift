import Foundation
import TestSupport
import Testing

/// Commands on a model with an image and a text encoder.
struct EncoderCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TinyClip.write(to: folder.path("clip"))
    try TinyClip.writePairs(to: folder.path)
  }

  func run(_ arguments: String...) throws -> Program {
    try Program.run(arguments, in: folder.path)
  }

  func compress(_ encoder: String, _ output: String, _ flags: [String] = []) throws {
    let format = output.hasSuffix(".mlpackage") ? ["--format", "mlpackage"] : []
    let run = try Program.run(
      [
        "compress", "clip", "--encoder", encoder, "--output", output, "--references",
        "pairs.jsonl", "--limits", "lenient",
      ] + format + flags, in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  static let choose =
    "error: clip: has an image encoder and a text encoder; choose one: --encoder image or "
    + "--encoder text\n"

  @Test(arguments: [
    ["plan", "clip"], ["compress", "clip", "--output", "x.safetensors"],
    ["compress", "clip", "--output", "x.safetensors", "--references", "pairs.jsonl"],
  ])
  func nothingIsGuessed(_ arguments: [String]) throws {
    let run = try Program.run(arguments, in: folder.path)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors == Self.choose)
    #expect(!folder.exists("x.safetensors"))
  }

  @Test(arguments: ["plan", "compress", "embed", "inspect", "check"])
  func otherWordsAreWrongUsage(_ command: String) throws {
    let rest = [
      "compress": ["--output", "o"], "embed": ["--inputs", "i", "--output", "o"],
      "check": ["x", "--references", "r"],
    ]
    let run = try Program.run(
      [command, "clip", "--encoder", "sound"] + (rest[command] ?? []), in: folder.path)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("Error: --encoder 'sound' is not image or text\n"))
    let help = try Program.run([command, "--help"])
    #expect(help.output.contains("--encoder <image|text>"))
  }

  @Test func encodersThatAreNotThereAreNamed() throws {
    try folder.writeModel()
    let run = try run("plan", "model", "--encoder", "text")
    #expect(run.status == 1)
    #expect(
      run.errors
        == "error: model: is one encoder as a whole, not the text encoder of several; "
        + "leave out --encoder\n")
    try compress("text", "text.safetensors")
    let other = try self.run("plan", "text.safetensors", "--encoder", "image")
    #expect(
      other.errors == "error: text.safetensors: has no image encoder, only the one for texts\n")
    #expect(try self.run("plan", "text.safetensors").status == 0)
  }

  @Test func inspectTellsBothAndExplainsTheMask() throws {
    let both = try run("inspect", "clip")
    #expect(both.status == 0)
    #expect(
      both.output.contains(
        """
        architecture: clip, takes an image of 16 × 16 pixels, gives an embedding of 8 numbers \
        (--encoder image)
        architecture: clip, takes a text of at most 16 tokens, gives an embedding of 8 numbers \
        (--encoder text)

        """))
    #expect(
      both.output.hasSuffix(
        """

        findings: 1 note
        note mask: left out: causal mask, built anew with finite numbers
          text_model.attn_mask: a causal mask, 120 places of it are -inf

        """), "\(both.output)")
    let mask = try #require(both.output.split(separator: "\n").first { $0.contains("attn_mask") })
    #expect(mask.contains("causal mask, built anew with finite numbers"))
    #expect(mask.hasSuffix(" 120"))
    let text = try run("inspect", "clip", "--encoder", "text")
    #expect(!text.output.contains("vision_model") && !text.output.contains("visual_projection"))
    #expect(text.output.contains("text_projection.weight"))
    let json = try run("inspect", "clip", "--json").json()
    #expect(json["encoders"] as? [String] == ["image", "text"])
    #expect(
      try run("inspect", "clip", "--encoder", "image", "--json").json()["encoders"] as? [String]
        == ["image"])
  }

  @Test func compressSaysWhatItLeavesOut() throws {
    let run = try run(
      "compress", "clip", "--encoder", "text", "--output", "t.safetensors", "--references",
      "pairs.jsonl", "--limits", "lenient")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.split(separator: "\n").filter { $0.hasPrefix("left out") } == [
        "left out, of the image encoder: 24 tensors",
        "left out, scale of training's loss: logit_scale",
        "left out, causal mask, built anew with finite numbers: text_model.attn_mask",
      ])
    #expect(run.output.contains("gate: passed lenient\n"))
    let quiet = try self.run(
      "compress", "clip", "--encoder", "text", "--output", "t.safetensors", "--quiet")
    #expect(!quiet.output.contains("left out"))
  }

  /// Files beside a package ship with it; the baseline's files replace missing ones.
  @Test func companionsBesideAPackageAreTaken() throws {
    try compress("image", "Image.mlpackage")
    let plain = String(decoding: try folder.bytes("clip/preprocessor_config.json"), as: UTF8.self)
    try folder.write("tokenizer.json", "no tokenizer of an image encoder's")
    func check(_ flags: [String] = []) throws -> Program {
      try Program.run(
        ["check", "clip", "Image.mlpackage", "--references", "pairs.jsonl", "--limits", "lenient"]
          + flags, in: folder.path)
    }
    #expect(try check().status == 0)
    let other = plain.replacing("\"resample\": 3", with: "\"resample\": 99")
    try folder.write("preprocessor_config.json", other)
    let refused = try check()
    #expect(refused.status == 1)
    #expect(refused.errors.contains("preprocessor_config.json"), "\(refused.errors)")
    #expect(try check(["--tokenizer", "clip"]).status == 0)
    #expect(try check(["--tokenizer", "clip/preprocessor_config.json"]).status == 0)
    let misnamed = try check(["--tokenizer", "pairs.jsonl"])
    #expect(
      misnamed.errors.hasPrefix(
        "error: pairs.jsonl: is not called 'tokenizer.json', 'preprocessor_config.json', "
          + "'processor_config.json', 'open_clip_config.json', 'tokenizer_config.json', "
          + "'special_tokens_map.json', 'added_tokens.json', 'vocab.txt', "), "\(misnamed.errors)")
  }

  /// As transformers 5 saves a model: what ships beside a package is the file that was read.
  @Test func theWholeProcessorsFileShips() throws {
    let own = try folder.bytes("clip/preprocessor_config.json")
    let whole = #"{"image_processor": "# + String(decoding: own, as: UTF8.self) + "}"
    try folder.write("clip/processor_config.json", whole)
    try FileManager.default.removeItem(atPath: folder.path("clip/preprocessor_config.json"))
    try folder.write("new/notes.txt", "")
    try compress("image", "new/Image.mlpackage", ["--with-preparation"])
    #expect(try folder.bytes("new/processor_config.json") == Data(whole.utf8))
    #expect(!folder.exists("new/preprocessor_config.json"))
    let run = try Program.run(
      [
        "check", "clip", "new/Image.mlpackage", "--references", "pairs.jsonl", "--limits",
        "lenient",
      ],
      in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
  }

  /// Texts need no word on images; images do.
  @Test func aTextEncoderNeedsNoImagePreprocessing() throws {
    try FileManager.default.removeItem(atPath: folder.path("clip/preprocessor_config.json"))
    try folder.write("in.jsonl", "{\"text\": \"red\"}\n")
    for arguments in [
      ["inspect", "clip"], ["plan", "clip", "--scheme", "int8"],
      ["embed", "clip", "--inputs", "in.jsonl", "--output", "o.npy"],
      ["compress", "clip", "--scheme", "int8", "--output", "t.safetensors"],
    ] {
      let text = try Program.run(arguments + ["--encoder", "text"], in: folder.path)
      #expect(text.status == 0, "\(arguments[0]): \(text.errors)")
      let image = try Program.run(arguments + ["--encoder", "image"], in: folder.path)
      #expect(image.status == 1)
      #expect(
        image.errors.contains("'preprocessor_config.json' is missing")
          && image.errors.contains("'processor_config.json'"), "\(arguments[0]): \(image.errors)")
    }
  }

  @Test func embedRunsTheEncoderOfTheLines() throws {
    let texts = TinyClip.colors.map { "{\"text\": \"\($0)\"}\n" }.joined()
    let images = TinyClip.colors.map { "{\"image\": \"images/\($0).png\"}\n" }.joined()
    try folder.write("texts.jsonl", texts)
    try folder.write("images.jsonl", images)
    try folder.write("mixed.jsonl", images + texts)
    for name in ["texts", "images"] {
      let run = try run("embed", "clip", "--inputs", "\(name).jsonl", "--output", "\(name).npy")
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output == "\(name).npy: float32 [6, 8]\n")
    }
    #expect(try folder.bytes("texts.npy") != folder.bytes("images.npy"))
    let mixed = try run("embed", "clip", "--inputs", "mixed.jsonl", "--output", "mixed.npy")
    #expect(mixed.status == 1)
    #expect(
      mixed.errors == """
        error: mixed.jsonl:7: is for another encoder than line 1; images and texts are embedded \
        one after another
        hint: put the images into one file and the texts into another

        """)
    let wrong = try run(
      "embed", "clip", "--encoder", "text", "--inputs", "images.jsonl", "--output", "mixed.npy")
    #expect(wrong.status == 1)
    #expect(wrong.errors.hasPrefix("error: images.jsonl:1: "), "\(wrong.errors)")
    #expect(!folder.exists("mixed.npy"))
  }
}
