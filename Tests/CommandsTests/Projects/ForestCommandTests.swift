import Foundation
import TestSupport
import Testing

/// Commands on a forest: the project that `init --template tabular` writes.
struct ForestCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    #expect(try Program.run(["init", ".", "--template", "tabular"], in: folder.path).status == 0)
  }

  private let references = ["--references", "references/engagement.jsonl"]

  @Test func aForestIsInspectedCompressedAndJudged() throws {
    let shown = try Program.run(["inspect", "models/engagement"], in: folder.path)
    #expect(shown.output.contains("architecture: tree-ensemble, takes 6 values"))
    let made = try Program.run(
      ["compress", "models/engagement", "--output", "small.safetensors"] + references,
      in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let checked = try Program.run(
      ["check", "models/engagement", "small.safetensors"] + references, in: folder.path)
    #expect(checked.status == 0)
    #expect(checked.output.contains("flips: 0"))
  }

  /// Equal nodes are one in what is written; each is compared with those as trained, in their places.
  @Test(arguments: ["int8", "float16", "none"])
  func mergedTreesAreComparedNodeByNode(_ scheme: String) throws {
    let made = try Program.run(
      [
        "compress", "models/engagement", "--output", "small.safetensors", "--scheme", scheme,
        "--limits", "lenient",
      ] + references, in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let checked = try Program.run(
      ["check", "models/engagement", "small.safetensors", "--limits", "lenient"] + references,
      in: folder.path)
    #expect(checked.status == 0, "\(checked.output) \(checked.errors)")
    // Another threshold, of which references may show nothing.
    let path = folder.path("models/engagement/threshold.npy")
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    // The sign of the first number of 32 bits that is not 0, the first being at byte 128.
    let first = stride(from: 128, to: bytes.count, by: 4).first { start in
      bytes[start..<start + 4].contains { $0 != 0 }
    }
    bytes[try #require(first) + 3] ^= 0x80
    try Data(bytes).write(to: URL(filePath: path))
    let other = try Program.run(
      ["check", "models/engagement", "small.safetensors", "--limits", "lenient"] + references,
      in: folder.path)
    #expect(other.status == 3)
    #expect(
      (other.output + other.errors).contains("'trees.thresholds'"),
      "\(other.output) \(other.errors)")
  }

  @Test(arguments: ["sync.mlmodel", "Sync.mlpackage"])
  func aForestBecomesACoreMLModel(_ output: String) throws {
    let made = try Program.run(
      ["compress", "models/engagement", "--output", output, "--author", "Me"] + references,
      in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let shown = try Program.run(["inspect", output, "--json"], in: folder.path)
    #expect(shown.output.contains("\"architecture\": \"tree-ensemble\""), "\(shown.output)")
    #expect(shown.output.contains("\"author\": \"Me\""))
    let checked = try Program.run(
      ["check", "models/engagement", output] + references, in: folder.path)
    #expect(checked.status == 0, "\(checked.errors)")
    let again = try Program.run(
      ["check", output, output] + references, in: folder.path)
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test(arguments: ["sync.mlmodel", "Sync.mlpackage"])
  func treesAreNotTrainedOnDevices(_ output: String) throws {
    let made = try Program.run(
      ["compress", "models/engagement", "--output", output, "--updatable"] + references,
      in: folder.path)
    #expect(made.status == 1)
    #expect(
      made.errors.contains(
        "is made of trees, and of models of tables devices train further a linear regressor, or a linear "
          + "classifier by softmax or one sigmoid; write it without 'updatable'"),
      "\(made.errors)")
  }

  @Test func aDamagedMLModelIsNamed() throws {
    let made = try Program.run(
      ["compress", "models/engagement", "--output", "sync.mlmodel"] + references, in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let path = folder.path("sync.mlmodel")
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    try Data(bytes.prefix(bytes.count / 2)).write(to: URL(filePath: path))
    let shown = try Program.run(["inspect", "sync.mlmodel"], in: folder.path)
    #expect(shown.status == 1)
    #expect(
      shown.errors.hasPrefix("error: sync.mlmodel: is not a Core ML model: "), "\(shown.errors)")
  }

  @Test func aSearchSaysThatTreesHaveNoGradients() throws {
    let made = try Program.run(
      ["shrink", "models/engagement", "--output", "small.safetensors"] + references,
      in: folder.path)
    #expect(made.status == 1)
    #expect(made.errors.contains("'tree_sum' ('trees') has no gradients"))
    #expect(made.errors.contains("compress with that"))
  }

  @Test func aDamagedTreeIsNamed() throws {
    let path = folder.path("models/engagement/children_left.npy")
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    // The left child of the second tree's root, the first number being at byte 128: node 0 itself.
    bytes.replaceSubrange(128 + 15 * 4..<128 + 16 * 4, with: [0, 0, 0, 0])
    try Data(bytes).write(to: URL(filePath: path))
    let shown = try Program.run(
      ["compress", "models/engagement", "--output", "small.safetensors"] + references,
      in: folder.path)
    #expect(shown.status == 1)
    #expect(shown.errors.contains("tree 1, node 0: is the child of two nodes, or of one below it"))
  }
}
