import Execution
import Foundation
import Graph
import ImageDecoding
import Imaging
import IngotTokenizers
import TestSupport
import Testing

@testable import Inputs

/// What the gate runs of single inputs of one model.
struct GateInputs {
  private let preparation: any InputPreparation
  private let graph: ModelGraph

  init(_ model: Model) throws {
    preparation = try ModelRunner.preparation(for: model)
    graph = try model.architecture.smallestGraph()
  }

  /// The values of each input of the graph, in a batch of this input alone.
  func tensors(
    of input: Input, images: ImageFiles = ImageFiles(folder: "")
  ) throws -> [String: InputValues] {
    let prepared = try preparation.batches(of: [input], images: images)
    let batch = try #require(prepared.plan.first)
    return try prepared.values(batch, graph)
  }

  func integers(of input: Input) throws -> [String: [Int32]] {
    try tensors(of: input).mapValues { values in
      guard case .integers(let integers) = values else { throw OracleError(description: "floats") }
      return integers
    }
  }

  func floats(of input: Input, images: ImageFiles) throws -> [Float] {
    let values = try #require(try tensors(of: input, images: images).values.first)
    guard case .floats(let floats) = values else { throw OracleError(description: "integers") }
    return floats
  }
}

/// The inputs of a model as an app makes them: from the text of its configuration and from files.
enum AppInputs {
  /// Reads the configuration back from its text.
  static func configuration(of model: Model) throws -> InputConfiguration {
    let configuration = try model.inputConfiguration()
    let read = try InputConfiguration(json: configuration.json)
    #expect(read == configuration)
    return read
  }

  static func prepare(_ input: Input, by preparer: TextPreparer) throws -> PreparedText {
    switch input {
    case .text(let text): try preparer.prepare(text)
    case .textPair(let first, let second): try preparer.prepare(first, second)
    case .values, .named, .image: throw OracleError(description: "not a text")
    }
  }

  /// A picture as an app has it in memory; some bytes more than its rows need.
  static func rows(of file: [UInt8], _ name: String) throws -> ImageRows {
    let whole = try Thumbnail(of: file, origin: name, longest: 1 << 20)
    let planes = try ImageProcessor(
      geometry: ImageGeometry(
        resizing: .none, centering: .before, width: whole.width, height: whole.height),
      filter: .bicubic, convertsFirst: true
    ).pixels(of: file, origin: name)
    let bytesPerRow = 3 * whole.width + 5
    var bytes = [UInt8](repeating: 77, count: bytesPerRow * whole.height)
    for y in 0..<whole.height {
      for x in 0..<whole.width {
        for channel in 0..<3 {
          bytes[y * bytesPerRow + 3 * x + channel] =
            planes[(channel * whole.height + y) * whole.width + x]
        }
      }
    }
    return try ImageRows(
      width: whole.width, height: whole.height, bytesPerRow: bytesPerRow, layout: .rgb,
      bytes: bytes)
  }
}
