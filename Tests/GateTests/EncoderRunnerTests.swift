import Graph
import ModelFixtures
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

/// Inputs that encoders of images and of texts take.
struct EncoderRunnerTests {
  private let folder: PictureFolder

  init() throws { folder = try PictureFolder() }

  private var images: ImageFiles { ImageFiles(folder: folder.path) }

  @Test func imagesComeBackInOrder() throws {
    for count in [0, 1, 7, 8, 9, 41] {
      for index in 0..<count {
        try folder.write(Picture.bytes(red: 3, green: UInt8(4 * index)), "\(index).png")
      }
      let inputs = (0..<count).map { Input.image(path: "\($0).png") }
      for shapes in [GraphShapes.any, .single(lengths: [1])] {
        let model = try DummyEncoders.image { $0.shapes = shapes }
        let outputs = try ModelRunner(model: model, jobs: 2).outputs(for: inputs, images: images)
        #expect(outputs.rowCount == count && outputs.width == 2)
        for index in 0..<count {
          let ratio = outputs[index].last.map { $0 / (outputs[index].first ?? 0) } ?? 0
          #expect(abs(ratio - Float(4 * index) / 3) < 1e-4 * max(1, ratio))
        }
      }
    }
  }

  @Test(
    arguments: [
      (.text("tea"), #"input 1 ("tea"): is a text of 3 characters, the model takes an image"#),
      (.values([1]), "input 1 ([1.0]): is a list of values, the model takes an image"),
    ] as [(Input, String)])
  func anImageModelTakesImages(_ test: (input: Input, fault: String)) throws {
    let runner = try ModelRunner(model: try DummyEncoders.image(), jobs: 1)
    #expect(refusal { _ = try runner.outputs(for: [test.input]) } == test.fault)
  }

  @Test func otherModelsTakeNoImages() throws {
    let input = Input.image(path: "bottle.png")
    let text = try ModelRunner(model: try DummyEncoders.text(), jobs: 1)
    #expect(
      refusal { _ = try text.outputs(for: [.text("tea"), input], images: images) }
        == "input 2 (bottle.png): is an image, the model takes a text")
    let values = try ModelRunner(model: try denseModel([[1, 2]]), jobs: 1)
    #expect(
      refusal { _ = try values.outputs(for: [input], images: images) }
        == "input 1 (bottle.png): is an image, the model takes 2 values ('x0', 'x1')")
  }

  private func model(_ files: [String: [UInt8]], _ shapes: GraphShapes = .any) throws -> Model {
    let image = try DummyEncoders.image { $0.shapes = shapes }
    return try Model(
      origin: "m", architecture: image.architecture,
      files: ModelFiles(carriedBy: "m", texts: files), weights: image.weights)
  }

  @Test func imagesNeedTheFileThatPreparesThem() throws {
    #expect(
      refusal { _ = try ModelRunner(model: try model([:]), jobs: 1) }
        == "m: 'preprocessor_config.json' is missing; a model that takes images needs it")
    #expect(
      refusal { _ = try ModelRunner(model: try model([:], .single(lengths: [1])), jobs: 1) }
        == "m: 'preprocessor_config.json' is missing; a model that takes images needs it; "
        + "put it beside the package")
    #expect(
      refusal {
        _ = try ModelRunner(
          model: try model(["preprocessor_config.json": DummyEncoders.processor(size: 3)]), jobs: 1)
      } == "m: images are prepared with 3 × 3 pixels, the model takes 2 × 2")
  }

  /// The file that a model names is the one that prepares its images; without a name either does.
  @Test(arguments: [["processor_config.json"], []])
  func theWholeProcessorsFilePreparesImages(named: [String]) throws {
    try folder.write(Picture.bytes(red: 3, green: 8), "0.png")
    func outputs(_ texts: [String: [UInt8]], _ named: [String]) throws -> OutputMatrix {
      let image = try DummyEncoders.image { $0.imageFiles = named }
      let model = try Model(
        origin: "m", architecture: image.architecture,
        files: ModelFiles(carriedBy: "m", texts: texts), weights: image.weights)
      return try ModelRunner(model: model, jobs: 1).outputs(
        for: [.image(path: "0.png")], images: images)
    }
    let own = DummyEncoders.processor()
    let whole = Array(#"{"image_processor": "#.utf8) + own + Array("}".utf8)
    let expected = try outputs(["preprocessor_config.json": own], ["preprocessor_config.json"])
    #expect(try outputs(["processor_config.json": whole], named) == expected)
    #expect(
      refusal { _ = try outputs(["preprocessor_config.json": own], ["processor_config.json"]) }
        == "m: 'processor_config.json' is missing; a model that takes images needs it")
    #expect(
      refusal { _ = try outputs([:], []) }
        == "m: 'preprocessor_config.json' is missing; a model that takes images needs it, or "
        + "'processor_config.json' with an 'image_processor'")
  }

  @Test func theWayOfPreparingFollowsFromTheDescribingFiles() throws {
    let image = try DummyEncoders.image()
    let architecture = OpenCLIPEncoder(base: image.architecture)
    let bare = try Model(
      origin: "m", architecture: architecture,
      files: ModelFiles(
        carriedBy: "m", texts: ["preprocessor_config.json": DummyEncoders.processor()]),
      weights: image.weights)
    #expect(
      refusal { _ = try ModelRunner(model: bare, jobs: 1) }
        == "m: 'open_clip_config.json' is missing; a model that takes images needs it")
    let text = try DummyEncoders.text()
    let wordPieces = try Model(
      origin: "m", architecture: OpenCLIPEncoder(base: text.architecture), files: text.files,
      weights: text.weights)
    // OpenCLIP has a tokenizer of byte pairs only.
    #expect(
      refusal { _ = try ModelRunner(model: wordPieces, jobs: 1) }.contains(
        "model for OpenCLIP 'WordPiece' is not supported"))
  }

  /// An architecture that OpenCLIP wrote.
  private struct OpenCLIPEncoder: Architecture {
    static let name = "open"
    let base: any Architecture
    let describingFiles = ["open_clip_config.json"]
    var input: ModelInput { base.input }
    var output: ModelOutput { base.output }
    var outputName: String { base.outputName }
    func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
      try base.graph(batch: batch, length: length)
    }
  }

  @Test func everyTextMustEndWithTheEndToken() throws {
    let input = Input.text("tea")
    let fine = try DummyEncoders.text { $0.endToken = 3 }
    #expect(throws: Never.self) { try ModelRunner(model: fine, jobs: 1).outputs(for: [input]) }
    let other = try DummyEncoders.text { $0.endToken = 7 }
    #expect(
      refusal { _ = try ModelRunner(model: other, jobs: 1).outputs(for: [input]) }
        == #"input 1 ("tea"): gives ids that end with 3, the model looks for 7 there"#)
  }

  @Test func aMaskIsGivenWhereTheGraphTakesOne() throws {
    let inputs = [Input.text("tea"), .text("a cup of green tea")]
    let without = try ModelRunner(model: try DummyEncoders.text(), jobs: 1).outputs(for: inputs)
    let with = try ModelRunner(model: try DummyEncoders.text { $0.hasMask = true }, jobs: 1)
      .outputs(for: inputs)
    #expect(with == without)
    let masked = try TextInputs(of: try DummyEncoders.text(), maximumLength: 8, rows: 12)
    let prepared = try masked.batches(of: inputs, images: images)
    let batch = prepared.plan[0]
    let plain = try DummyEncoders.text().architecture.graph(batch: 2, length: batch.length)
    #expect(try Array(prepared.values(batch, plain).keys) == ["input_ids"])
    let second = try DummyEncoders.text { $0.hasMask = true }.architecture
      .graph(batch: 2, length: batch.length)
    #expect(
      try prepared.values(batch, second).keys.sorted() == ["attention_mask", "input_ids"])
  }

  @Test func rangesOfImagesAreMeasured() throws {
    let lines = (0..<20).map { index in pair(image("\(index).png"), text("tea")) }
    for index in 0..<20 {
      try folder.write(Picture.bytes(red: 100, green: UInt8(10 * index)), "\(index).png")
    }
    let set = try folder.references(lines)
    let old = [try DummyEncoders.image(), try DummyEncoders.text()]
    let huge = try DummyEncoders.image(.stronger(1e6)) { $0.float16Values = ["sums"] }
    let verdict = try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge(
      .models([huge]), against: .models(old))
    #expect(verdict.receipts.isEmpty)
    // Of twenty every second is looked at.
    #expect(
      verdict.reasons.first {
        $0.hasPrefix("the value 'sums' reaches ")
      }?.hasSuffix(" on 18.png, float16 ends at 65504: a device would overflow") == true,
      "\(verdict.reasons)")
  }
}
