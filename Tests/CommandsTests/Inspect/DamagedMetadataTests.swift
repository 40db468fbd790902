import Foundation
import TestSupport
import Testing

/// A file that says it is a model of Ingot's, in metadata that cannot be read: it is damaged, and no file of bare
/// weights.
struct DamagedMetadataTests {
  let folder: TemporaryFolder
  private let bytes: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("tiny/weight.npy", Npy.bytes([2, 2], [1, -2, 0.5, 4]))
    try folder.write(
      "tiny/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}], "layers": [{"weight": "weight.npy"}],
       "output": {"kind": "regressor"}}
      """)
    try folder.write(
      "references.jsonl",
      (0..<9).map { #"{"input": {"values": [\#($0), \#($0 * $0)]}}"# }.joined(separator: "\n"))
    let made = try Program.run(
      [
        "compress", "tiny", "--output", "small.safetensors", "--references", "references.jsonl",
        "--limits", "lenient",
      ], in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.path("small.safetensors"))))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let word: String
    /// As long.
    let other: String
    let error: String
    var testDescription: String { error }
  }

  static let cases = [
    Case(
      word: #""ingot.tensors":"{"#, other: #""ingot.tensors":"["#,
      error: "error: small.safetensors: metadata 'ingot.tensors'"),
    Case(
      word: #"\"scheme\""#, other: #"\"schemf\""#,
      error: "error: small.safetensors: metadata 'ingot.tensors'"),
    Case(
      word: #""ingot.files":"{"#, other: #""ingot.files":"["#,
      error: "error: small.safetensors: metadata 'ingot.files'"),
    Case(
      word: "ingot.files", other: "ingot.filez",
      error:
        "error: small.safetensors: is not a sound compressed model: has no metadata 'ingot.files', which describe the model"
    ),
    Case(
      word: "ingot.format", other: "ingot.formaz",
      error:
        "error: small.safetensors: is not a sound compressed model: has the metadata 'ingot.architecture' and no "
        + "'ingot.format'"),
    Case(
      word: #""ingot.format":"1""#, other: #""ingot.format":"x""#,
      error: "error: small.safetensors: has format 'x', this version reads '1'"),
  ]

  @Test(arguments: cases, [[], ["--json"]]) func isAnError(_ test: Case, _ flags: [String]) throws {
    let (old, new) = (Array(test.word.utf8), Array(test.other.utf8))
    try #require(old.count == new.count)
    var damaged = bytes
    let places = (0...bytes.count - old.count).filter {
      bytes[$0..<$0 + old.count].elementsEqual(old)
    }
    try #require(!places.isEmpty)
    for place in places { damaged.replaceSubrange(place..<place + old.count, with: new) }
    try Data(damaged).write(to: URL(filePath: folder.path("small.safetensors")))
    let found = try Program.run(["inspect", "small.safetensors"] + flags, in: folder.path)
    #expect(found.status == 1)
    #expect(found.errors.hasPrefix(test.error), "\(found.errors)")
  }

  @Test func aSoundFileIsNone() throws {
    #expect(try Program.run(["inspect", "small.safetensors"], in: folder.path).status == 0)
  }
}
