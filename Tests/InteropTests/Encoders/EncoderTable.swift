import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import Tokenization

/// A folder that `make_encoders.py` or `make_image_encoders.py` wrote: small models, and what the
/// library that they come from makes of 200 texts and 22 pictures.
struct EncoderTable: Sendable {
  /// A row of a family's list; all values but the name are names in `shared`.
  struct Case: Decodable, CustomTestStringConvertible, Sendable {
    let name: String
    /// By path in the model.
    let files: [String: String]
    /// Of a text encoder alone: a list of ids for each text, and a vector.
    let ids: String?
    let vectors: String?
    /// Of images: levels after resize and crop, uint8 [22, 3, height, width], and vectors.
    let pixels: String?
    let images: String?
    /// Of the text encoder beside images: vectors.
    let texts: String?
    var testDescription: String { name }

    /// The encoders of the model, as one of two is asked for; nil for the only one.
    var encoders: [EncoderKind?] { texts == nil ? [nil] : [.image, .text] }

    /// The file with the inputs of an encoder, and the one with the library's vectors.
    func files(of encoder: EncoderKind?) throws -> (inputs: String, vectors: String) {
      guard let images, encoder != .text else {
        return (try #require(ids), try #require(texts ?? vectors))
      }
      return (try #require(pixels), images)
    }
  }

  let folder: String

  /// Names of the families.
  var families: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") && $0 != "pictures.json" }.sorted()
      .map { String($0.dropLast(5)) }
  }

  func cases(of family: String) throws -> [Case] { try decode([Case].self, "\(family).json") }

  /// Of all families; without those of a list that cannot be read, which `everyListIsRead` finds.
  var cases: [Case] { families.flatMap { (try? cases(of: $0)) ?? [] } }

  /// Names of the pictures, in the order of vectors.
  var pictures: [String] { get throws { try decode([String].self, "pictures.json") } }

  /// A file of `shared`.
  func shared(_ name: String) -> String { "\(folder)/shared/\(name)" }

  static var texts: [String] {
    get throws {
      let path = Oracle.fixture("text-models/texts.json")
      return try JSONDecoder().decode([String].self, from: Data(contentsOf: URL(filePath: path)))
    }
  }

  /// JSON lines of texts, as commands read them; the path.
  static func write(_ texts: [String], to path: String) throws -> String {
    let lines = try texts.map { try JSONEncoder().encode(["text": $0]) + [0x0A] }
    try Data(lines.joined()).write(to: URL(filePath: path))
    return path
  }

  /// Puts a model's files into a folder; its path.
  func assemble(
    _ row: Case, in folder: TemporaryFolder, at name: String = "model"
  ) throws -> String {
    let path = folder.path(name)
    for (name, stored) in row.files {
      let target = URL(filePath: "\(path)/\(name)")
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: shared(stored), toPath: target.path)
    }
    return path
  }

  /// Every list has cases, no two of one name.
  func expectWhole() throws {
    let counts = try families.map { try cases(of: $0).count }
    #expect(!counts.isEmpty && counts.allSatisfy { $0 > 0 }, "\(folder)")
    #expect(Set(cases.map(\.name)).count == counts.reduce(0, +))
  }

  func decode<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: "\(folder)/\(path)")))
  }
}
