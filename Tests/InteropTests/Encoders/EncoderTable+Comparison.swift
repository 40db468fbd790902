import Formats
import Foundation
import Graph
import ImageDecoding
import Imaging
import Inputs
import TestSupport
import Testing
import Tokenization
import Weights

// Ingot beside the library.
extension EncoderTable {
  /// The ids of every text are the library's.
  func expectIDs(_ row: Case, _ model: Model) throws {
    guard case .tokens(let longest, let rows) = model.architecture.input else {
      Issue.record("\(row.name) does not take tokens")
      return
    }
    let theirs = try decode([[Int32]].self, "shared/\(try #require(row.ids))")
    let inputs = try Self.inputs(of: model)
    let found = try TextInputs(of: model, maximumLength: longest, rows: rows)
      .sequences(of: inputs)
    try #require(theirs.count == found.count)
    for (input, (tokens, expected)) in zip(inputs, zip(found, theirs)) {
      // The types of two texts' tokens are behind their ids, where the library gives any.
      let ours = tokens.ids + (expected.count == tokens.count ? [] : tokens.allTypes)
      #expect(ours == expected, "\(row.name): \(input.label)")
    }
  }

  /// The 200 texts, or for a cross-encoder each with the one seven places behind it.
  private static func inputs(of model: Model) throws -> [Input] {
    let texts = try texts
    guard model.architecture.readsTwoTexts else { return texts.map { .text($0) } }
    return texts.indices.map { .textPair(texts[$0], texts[($0 + 7) % texts.count]) }
  }

  /// The vectors of every text are the library's.
  func expectVectorsOfTexts(_ row: Case, _ model: Model) throws {
    let ours = try ModelRunner(model: model, jobs: 1).outputs(for: try Self.inputs(of: model))
    try expectSame(ours, try row.files(of: .text).vectors, row)
  }

  /// The levels of every picture are the library's.
  func expectPixels(_ row: Case, _ model: Model) throws {
    let source = try model.imageProcessor().processor
    let file = try WeightCollection.open(shared(try #require(row.pixels)))
    let theirs = try #require(file.tensors.first)
    try #require(theirs.shape == [try pictures.count, 3, source.height, source.width])
    let levels = try theirs.floats()
    let count = 3 * source.height * source.width
    for (index, name) in try pictures.enumerated() {
      let bytes = try Data(contentsOf: URL(filePath: "\(folder)/pictures/\(name)"))
      let ours = try source.exactPixels(of: Array(bytes), origin: name)
      let other = zip(ours, levels[index * count..<(index + 1) * count]).count { $0 != $1 }
      #expect(other == 0, "\(row.name): \(name): \(other) of \(count) levels are others")
    }
  }

  /// The vectors of every picture are the library's.
  func expectVectorsOfImages(_ row: Case, _ model: Model) throws {
    let ours = try ModelRunner(model: model, jobs: 1).outputs(
      for: try pictures.map { .image(path: $0) },
      images: ImageFiles(folder: "\(folder)/pictures"))
    try expectSame(ours, try #require(row.images), row)
  }

  /// Every cosine at least 0.99999, every length within 10⁻⁴; two rows of zeros agree.
  private func expectSame(_ ours: OutputMatrix, _ file: String, _ row: Case) throws {
    let theirs = try OutputMatrix(npy: shared(file))
    try #require(ours.rowCount == theirs.rowCount && ours.width == theirs.width)
    for index in 0..<ours.rowCount {
      let (left, right) = (ours[index].map(Double.init), theirs[index].map(Double.init))
      let product = zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
      let lengths = [left, right].map { $0.reduce(0) { $0 + $1 * $1 }.squareRoot() }
      let cosine = lengths == [0, 0] ? 1 : product / (lengths[0] * lengths[1])
      #expect(cosine >= 0.99999, "\(row.name): row \(index): \(cosine)")
      #expect(
        (lengths[0] - lengths[1]).magnitude <= 1e-4 * lengths[1] + 1e-6,
        "\(row.name): row \(index): \(lengths[0]) long, the library's \(lengths[1])")
    }
  }
}
