import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import Tokenization

/// Every small text encoder of `Fixtures/encoders`: the ids and the vectors of the library that such
/// models come from, for 200 texts.
struct EncoderTableTests {
  /// A row of a family's list.
  struct Case: Decodable, CustomTestStringConvertible, Sendable {
    let name: String
    /// Path in the model to name in `shared`.
    let files: [String: String]
    /// Names in `shared`: a list of ids for each text, and a vector.
    let ids: String
    let vectors: String
    var testDescription: String { name }
  }

  static let folder = Oracle.fixture("encoders")

  static let cases: [Case] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().flatMap { name -> [Case] in
      let data = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
      return data.flatMap { try? JSONDecoder().decode([Case].self, from: $0) } ?? []
    }
  }()

  @Test func everyListIsRead() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    let rows = try names.filter { $0.hasSuffix(".json") }.map { name in
      try JSONDecoder().decode(
        [Case].self, from: Data(contentsOf: URL(filePath: "\(Self.folder)/\(name)"))
      ).count
    }
    #expect(rows.reduce(0, +) == Self.cases.count && rows.allSatisfy { $0 > 0 })
    #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
  }

  @Test(arguments: cases)
  func givesTheLibrarysIDsAndVectors(_ row: Case) throws {
    let folder = try TemporaryFolder()
    let path = try Self.assemble(row, in: folder)
    let model = try ModelLoader.open(path)
    let texts = try Self.texts()
    try compareIDs(of: model, for: texts, with: row)
    let inputs = try Self.write(texts, to: folder.path("inputs.jsonl"))
    let ours = try ModelRunner(model: model, jobs: 1).outputs(for: try InputLines.read(inputs))
    try compare(ours, try OutputMatrix(npy: "\(Self.folder)/shared/\(row.vectors)"), texts)
  }

  private func compareIDs(of model: Model, for texts: [String], with row: Case) throws {
    guard case .tokens(let longest, _) = model.architecture.input else {
      Issue.record("\(row.name) does not take tokens")
      return
    }
    let data = try Data(contentsOf: URL(filePath: "\(Self.folder)/shared/\(row.ids)"))
    let theirs = try JSONDecoder().decode([[Int32]].self, from: data)
    let tokenizer = try #require(try model.tokenizer())
    try #require(theirs.count == texts.count)
    for (text, expected) in zip(texts, theirs) {
      let prepared = model.architecture.preparation.apply(to: text)
      let found = tokenizer.ids(of: prepared, maximumLength: longest)
      #expect(found == expected, "\(row.name): \(text.debugDescription)")
    }
  }

  /// Every cosine at least 0.99999, every length within 10⁻⁴; two rows of zeros agree.
  private func compare(_ ours: OutputMatrix, _ theirs: OutputMatrix, _ texts: [String]) throws {
    try #require(ours.rowCount == theirs.rowCount && ours.width == theirs.width)
    for row in 0..<ours.rowCount {
      let (left, right) = (ours[row].map(Double.init), theirs[row].map(Double.init))
      let product = zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
      let lengths = [left, right].map { $0.reduce(0) { $0 + $1 * $1 }.squareRoot() }
      let cosine = lengths == [0, 0] ? 1 : product / (lengths[0] * lengths[1])
      #expect(cosine >= 0.99999, "\(texts[row].debugDescription)")
      #expect(
        (lengths[0] - lengths[1]).magnitude <= 1e-4 * lengths[1] + 1e-6,
        "text \(row): \(lengths[0]) long, the library's \(lengths[1])")
    }
  }

  static func assemble(_ row: Case, in folder: TemporaryFolder) throws -> String {
    let model = folder.path("model")
    for (path, name) in row.files {
      let target = URL(filePath: "\(model)/\(path)")
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: "\(Self.folder)/shared/\(name)", toPath: target.path)
    }
    return model
  }

  static func texts() throws -> [String] {
    let path = Oracle.fixture("text-models/texts.json")
    return try JSONDecoder().decode([String].self, from: Data(contentsOf: URL(filePath: path)))
  }

  /// JSON lines of the texts; the path.
  static func write(_ texts: [String], to path: String) throws -> String {
    var lines = Data()
    for text in texts {
      lines += try JSONEncoder().encode(["text": text])
      lines.append(0x0A)
    }
    try lines.write(to: URL(filePath: path))
    return path
  }
}
