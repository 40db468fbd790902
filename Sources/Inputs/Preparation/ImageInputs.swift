import Execution
import Graph
import Weights

/// Images, as pixels of the size and cut that the model's own files ask for.
struct ImageInputs: InputPreparation {
  private let source: any PixelSource
  /// Identifies everything except the file that the pixels depend on.
  private let reader: ContentDigest
  private let input: ModelInput
  private let shapes: GraphShapes

  /// Images of one batch: enough for the matrix product, and few, because they are decoded just
  /// before their batch runs. It must not depend on the number of threads, as sums would then.
  private static let maxRows = 4

  /// Reads the file that says how images are prepared.
  init(of model: Model, width: Int, height: Int) throws {
    let (source, digest) = try model.pixelSource()
    guard source.width == width, source.height == height else {
      throw EvaluationError.otherImageSize(
        origin: model.origin, found: [source.width, source.height], needed: [width, height])
    }
    self.source = source
    reader = digest
    input = model.architecture.input
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
        for level in try pixels(inputs[row], row, images) { values.append(Float(level)) }
      }
      return Dictionary(graph.inputs.map { ($0.name, .floats(values)) }) { first, _ in first }
    }
  }

  func single(_ input: Input, _ index: Int, images: ImageFiles) throws -> SingleInput {
    .floats(try pixels(input, index, images).map { Float($0) })
  }

  func seen(_ input: Input, _ index: Int, images: ImageFiles) throws -> SeenInput {
    .pixels(ContentDigest(of: try pixels(input, index, images)))
  }

  private func path(_ input: Input, _ index: Int) throws(EvaluationError) -> String {
    guard case .image(let path) = input else { throw input.wrongKind(index, for: self.input) }
    return path
  }

  private func pixels(
    _ input: Input, _ index: Int, _ images: ImageFiles
  ) throws(EvaluationError) -> [UInt8] {
    let path = try path(input, index)
    let pixels: [UInt8]
    do {
      pixels = try images.pixels(of: path, reader: reader) { file, origin in
        try source.pixels(of: file, origin: origin)
      }
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
