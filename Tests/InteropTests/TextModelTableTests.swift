import Formats
import Foundation
import Inputs
import TestSupport
import Testing

/// Every small text encoder of `Fixtures/text-models`: the vectors of the library that it was saved
/// with, or a refusal that names the file and the key.
struct TextModelTableTests {
  /// A row of `cases.json`.
  struct Case: Decodable, CustomTestStringConvertible, Sendable {
    enum Expectation: String, Decodable {
      case embeds
      case refused
    }

    let name: String
    let expect: Expectation
    /// What a refusal has to name: the file, seen from the model, and the key in it. No key where the
    /// fault is the file's as a whole, no file where it is that of no single one.
    let file: String?
    let key: String?
    /// The folder is a snapshot of links, as in the cache of Hugging Face.
    let links: Bool?
    /// Path in the model to name in `shared`.
    let files: [String: String]
    let vectors: String?
    var testDescription: String { name }
  }

  static let folder = Oracle.fixture("text-models")

  static let cases: [Case] = {
    let data = try? Data(contentsOf: URL(filePath: "\(folder)/cases.json"))
    return data.flatMap { try? JSONDecoder().decode([Case].self, from: $0) } ?? []
  }()

  @Test func tableIsWhole() throws {
    #expect(Self.cases.count >= 60)
    #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    #expect(Self.cases.filter { $0.expect == .embeds }.count >= 60)
    let texts = try Self.texts()
    #expect(texts.count == 200)
    for row in Self.cases {
      #expect((row.expect == .embeds) == (row.vectors != nil), "\(row.name)")
      let isNamed = row.file != nil || row.key != nil
      #expect((row.expect == .refused) == isNamed, "\(row.name)")
    }
  }

  @Test(arguments: cases)
  func agreesOrNamesFileAndKey(_ row: Case) throws {
    let folder = try TemporaryFolder()
    let model = try assemble(row, in: folder)
    let inputs = try write(try Self.texts(), to: folder.path("inputs.jsonl"))
    let ours: OutputMatrix
    do {
      ours = try ModelRunner(model: try ModelLoader.open(model), jobs: 1)
        .outputs(for: try InputLines.read(inputs))
    } catch {
      #expect(row.expect == .refused && names("\(error)", row, in: model), "\(error)")
      return
    }
    guard let name = row.vectors else {
      Issue.record("not refused; '\(row.key ?? "")' of '\(row.file ?? "")' should be")
      return
    }
    try compare(ours, try OutputMatrix(npy: "\(Self.folder)/shared/\(name)"))
  }

  /// Whether a message names the file and the key, the latter as such and not in a value it shows.
  private func names(_ message: String, _ row: Case, in model: String) -> Bool {
    let file = row.file.map { message.contains("\(model)/\($0):") || message.contains("'\($0)'") }
    let key = row.key.map { message.contains("'\($0)'") || message.contains("\($0) '") }
    return (file ?? true) && (key ?? true)
  }

  /// Smallest cosine of all rows at least 0.999999; two rows of zeros agree.
  private func compare(_ ours: OutputMatrix, _ theirs: OutputMatrix) throws {
    try #require(ours.rowCount == theirs.rowCount && ours.width == theirs.width)
    var smallest = 1.0
    var worst = 0
    for row in 0..<ours.rowCount {
      let (left, right) = (ours[row].map(Double.init), theirs[row].map(Double.init))
      let product = zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
      let lengths = [left, right].map { $0.reduce(0) { $0 + $1 * $1 }.squareRoot() }
      let cosine = lengths == [0, 0] ? 1 : product / (lengths[0] * lengths[1])
      #expect(
        (lengths[0] - lengths[1]).magnitude <= 1e-4 * lengths[1] + 1e-6,
        "text \(row): \(lengths[0]) long, the library's \(lengths[1])")
      if !(cosine >= smallest) { (smallest, worst) = (cosine, row) }
    }
    let text = try Self.texts()[worst]
    #expect(smallest >= 0.999999, "text \(worst): \(text.debugDescription)")
  }

  /// The model's folder, with copies of the shared files, or links where the case asks for them.
  private func assemble(_ row: Case, in folder: TemporaryFolder) throws -> String {
    let files = FileManager.default
    let model = folder.path("model")
    let blobs = folder.path("blobs")
    try files.createDirectory(atPath: model, withIntermediateDirectories: true)
    let small = "\(Self.folder)/\(row.name)"
    for path in files.subpaths(atPath: small) ?? [] {
      var isDirectory: ObjCBool = false
      let source = "\(small)/\(path)"
      guard files.fileExists(atPath: source, isDirectory: &isDirectory), !isDirectory.boolValue
      else { continue }
      try place(source, at: "\(model)/\(path)", through: row.links == true ? blobs : nil)
    }
    for (path, name) in row.files {
      try place(
        "\(Self.folder)/shared/\(name)", at: "\(model)/\(path)",
        through: row.links == true ? blobs : nil)
    }
    return model
  }

  /// Copies a file, or copies it under another name and links there.
  private func place(_ source: String, at target: String, through blobs: String?) throws {
    let files = FileManager.default
    let parent = URL(filePath: target).deletingLastPathComponent().path
    try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
    guard let blobs else { return try files.copyItem(atPath: source, toPath: target) }
    try files.createDirectory(atPath: blobs, withIntermediateDirectories: true)
    let blob = "\(blobs)/\(UUID().uuidString)"
    try files.copyItem(atPath: source, toPath: blob)
    try files.createSymbolicLink(atPath: target, withDestinationPath: blob)
  }

  private static func texts() throws -> [String] {
    let data = try Data(contentsOf: URL(filePath: "\(folder)/texts.json"))
    return try JSONDecoder().decode([String].self, from: data)
  }

  /// JSON lines of the texts; the path.
  private func write(_ texts: [String], to path: String) throws -> String {
    var lines = Data()
    for text in texts {
      lines += try JSONEncoder().encode(["text": text])
      lines.append(0x0A)
    }
    try lines.write(to: URL(filePath: path))
    return path
  }
}
