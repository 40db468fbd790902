import Execution
package import Graph
import ImageDecoding
package import Imaging
import IngotTokenizers
package import Weights

/// Images, as pixels of the size and cut that the model's own files ask for.
struct ImageInputs: InputPreparation {
  private let source: ImageProcessor
  /// Identifies everything except the file that the pixels depend on.
  private let reader: ContentDigest
  private let shapes: GraphShapes
  /// A package gets whole levels, as a device has them; a trained model gets what its library makes.
  private var takesLevels: Bool { shapes != .any || source.isWhole }
  /// The same steps for an app.
  var configuration: ImageConfiguration { ImageConfiguration(source, takesLevels: takesLevels) }

  /// Images of one batch: enough for the matrix product, and few, because they are decoded just
  /// before their batch runs. It must not depend on the number of threads, as sums would then.
  private static let maxRows = 4

  /// Reads the file that says how images are prepared.
  init(of model: Model, width: Int, height: Int) throws {
    let (source, digest) = try model.imageProcessor()
    guard source.width == width, source.height == height else {
      throw EvaluationError.otherImageSize(
        origin: model.origin, found: [source.width, source.height], needed: [width, height])
    }
    self.source = source
    reader = digest
    shapes = model.architecture.shapes
  }

  func check(_ inputs: [Input]) throws(EvaluationError) {
    for index in inputs.indices { _ = try path(inputs[index], index) }
  }

  func batches(of inputs: [Input], images: ImageFiles) throws -> PreparedBatches {
    try check(inputs)
    let rows = shapes == .any ? ImageInputs.maxRows : 1
    return PreparedBatches(plan: Batching.plan(count: inputs.count, rows: rows)) { batch, graph in
      var values: [Float] = []
      values.reserveCapacity(batch.rows.count * 3 * source.width * source.height)
      for row in batch.rows {
        values.append(contentsOf: try numbers(inputs[row], row, images))
      }
      return Dictionary(graph.inputs.map { ($0.name, .floats(values)) }) { first, _ in first }
    }
  }

  func single(_ input: Input, _ index: Int, images: ImageFiles) throws -> SingleInput {
    .floats(try numbers(input, index, images))
  }

  func seen(_ input: Input, _ index: Int, images: ImageFiles) throws -> SeenInput {
    .pixels(ContentDigest(of: try pixels(input, index, images)))
  }

  private func path(_ input: Input, _ index: Int) throws(EvaluationError) -> String {
    guard case .image(let path) = input else {
      throw input.wrongKind(index, for: InputKind.image.words)
    }
    return path
  }

  /// What the model gets: planes R, G and B, in units of a level.
  private func numbers(
    _ input: Input, _ index: Int, _ images: ImageFiles
  ) throws(EvaluationError) -> [Float] {
    if takesLevels { return try pixels(input, index, images).map { Float($0) } }
    return try checked(input, index) { path in
      let (file, origin) = try images.contents(of: path)
      return try source.exactPixels(of: file, origin: origin)
    }
  }

  private func pixels(
    _ input: Input, _ index: Int, _ images: ImageFiles
  ) throws(EvaluationError) -> [UInt8] {
    try checked(input, index) { path in
      try images.pixels(of: path, reader: reader) { file, origin in
        try source.pixels(of: file, origin: origin)
      }
    }
  }

  /// What `read` makes of an image, as many numbers as the model takes.
  private func checked<Number>(
    _ input: Input, _ index: Int, _ read: (String) throws -> [Number]
  ) throws(EvaluationError) -> [Number] {
    let path = try path(input, index)
    let pixels: [Number]
    do {
      pixels = try read(path)
    } catch {
      // The error names the file, by the path that leads there.
      throw .unusableImage(index: index, fault: "\(error)")
    }
    guard pixels.count == 3 * source.width * source.height else {
      throw input.unusable(
        index, "gives \(pixels.count) values, expected 3 × \(source.height) × \(source.width)")
    }
    return pixels
  }
}

extension Model {
  /// The image preparation that the model's files describe, and a digest of that description.
  ///
  /// - Throws: `ModelError.missingFile`, or why the file cannot be used.
  package func imageProcessor() throws -> (processor: ImageProcessor, digest: ContentDigest) {
    if architecture.isPreparedAsOpenCLIP {
      let path = "open_clip_config.json"
      let json = try preparing(path)
      let source = try ImageProcessor(openCLIP: json, origin: files.name(of: path))
      return (source, ContentDigest(of: Array("\(path)\n".utf8) + json))
    }
    if architecture.isPreparedAsTimm || architecture.shapes != .any,
      let config = try files.timmConfig()
    {
      let source = try ImageProcessor(timm: config)
      let bytes = Array("config.json\n".utf8) + (try preparing("config.json"))
      return (source, ContentDigest(of: bytes))
    }
    let named = ImagePreprocessing.paths.filter(architecture.describingFiles.contains)
    let paths = named.isEmpty ? ImagePreprocessing.paths : named
    guard let found = try ImagePreprocessing(files, in: paths) else {
      throw missing(paths[0], or: paths.count > 1 ? paths[1] : nil)
    }
    let source = try ImageProcessor(huggingFace: found.settings)
    return (source, ContentDigest(of: Array("\(found.path)\n".utf8) + (try preparing(found.path))))
  }

  private func preparing(_ path: String) throws -> [UInt8] {
    guard let bytes = try files.bytes(of: path) else { throw missing(path) }
    return bytes
  }

  private func missing(_ path: String, or other: String? = nil) -> ModelError {
    .missingFile(
      origin: origin, path: path,
      mend: "a model that takes images needs it"
        + (other.map { ", or '\($0)' with an 'image_processor'" } ?? "")
        + (architecture.shapes == .any ? "" : "; put it beside the package"))
  }
}
