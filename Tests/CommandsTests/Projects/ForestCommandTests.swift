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
    // Another threshold, which references need not show.
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
      (other.output + other.errors).contains(
        /(the first of|baseline's:) feature '[a-z_]+' in tree \d+, node \d+:/),
      "\(other.output) \(other.errors)")
  }

  /// Asks for thresholds of few numbers, and for nothing else.
  private static let coarseRecipe = """
    ingot-recipe: 1
    rules:
      - match: {role: threshold}
        use: {scheme: palettize, bits: 2}
      - match: {}
        use: keep
    """

  /// Core ML's thresholds are doubles, so that coarser ones take as much room: they stay, and no file says otherwise.
  @Test(arguments: ["small.mlmodel", "Small.mlpackage"])
  func coreMLKeepsThresholds(_ output: String) throws {
    try Self.coarseRecipe.write(
      toFile: folder.path("recipe.yaml"), atomically: true, encoding: .utf8)
    func embedded(_ recipe: [String], _ output: String) throws -> Data {
      let made = try Program.run(
        ["compress", "models/engagement", "--output", output] + recipe + references,
        in: folder.path)
      #expect(made.status == 0, "\(made.errors)")
      let checked = try Program.run(
        ["check", "models/engagement", output] + references, in: folder.path)
      #expect(checked.status == 0, "\(checked.errors)")
      #expect(!(checked.output + checked.errors).contains("coarser"))
      let shown = try Program.run(["inspect", output, "--json"], in: folder.path)
      #expect(!shown.output.contains("palettize 2"), "\(shown.output)")
      let run = try Program.run(
        ["embed", output, "--inputs", references[1], "--output", "out.npy"], in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      return try Data(contentsOf: URL(filePath: folder.path("out.npy")))
    }
    let coarse = try embedded(["--recipe", "./recipe.yaml"], output)
    let whole = try embedded(["--scheme", "none"], "Whole." + output.split(separator: ".")[1])
    #expect(coarse == whole)
  }

  /// Thresholds are held to what the file says was asked for, and the answer says so.
  @Test func coarseThresholdsAreHeldToTheirScheme() throws {
    try Self.coarseRecipe.write(
      toFile: folder.path("recipe.yaml"), atomically: true, encoding: .utf8)
    let made = try Program.run(
      [
        "compress", "models/engagement", "--output", "small.safetensors", "--recipe",
        "./recipe.yaml",
      ] + references, in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let path = folder.path("small.safetensors")
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func check(_ word: String, _ other: String) throws -> (status: Int32, text: String) {
      try Data(try replaced(bytes, word, other)).write(to: URL(filePath: path))
      let checked = try Program.run(
        ["check", "models/engagement", "small.safetensors"] + references, in: folder.path)
      return (checked.status, checked.output + checked.errors)
    }
    let asked = try check("palettize 2", "palettize 2")
    #expect(asked.status == 0)
    #expect(
      asked.text.contains(
        /\d+ of \d+ thresholds of the candidate's trees are coarser \(palettize 2\), by up to/),
      "\(asked.text)")
    // One that says nothing, and one that says less.
    let silent = try check("ingot.thresholds", "ingot.thresholdz")
    #expect(silent.status == 3)
    #expect(
      silent.text.contains(
        "thresholds stay as they are, bit for bit, unless a recipe asks for coarser ones"),
      "\(silent.text)")
    let less = try check("palettize 2", "palettize 8")
    #expect(less.status == 3)
    #expect(less.text.contains(/palettize 8 moves it by [0-9.]+ at most/), "\(less.text)")
    let unknown = try check("palettize 2", "palettize 5")
    #expect(unknown.status == 1)
    #expect(
      unknown.text.contains(
        "'ingot.thresholds' is 'palettize 5', which is not a scheme for thresholds"),
      "\(unknown.text)")
  }

  /// Bytes with a text in the place of another of its length, wherever that is.
  private func replaced(_ bytes: [UInt8], _ word: String, _ other: String) throws -> [UInt8] {
    let (old, new) = (Array(word.utf8), Array(other.utf8))
    try #require(old.count == new.count)
    var result = bytes
    var found = 0
    for start in 0...bytes.count - old.count
    where bytes[start..<start + old.count].elementsEqual(old) {
      result.replaceSubrange(start..<start + old.count, with: new)
      found += 1
    }
    try #require(found > 0)
    return result
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
    let project = String(decoding: try folder.bytes("ingot.yaml"), as: UTF8.self)
    try folder.write(
      "ingot.yaml",
      project.replacingOccurrences(
        of: "    compress: {scheme: int8}  ", with: "    compress: {smallest: {}}  "))
    let validated = try Program.run(["validate"], in: folder.path)
    #expect(validated.status == 1)
    #expect(
      "\(validated.output)\(validated.errors)".contains(
        "model 'engagement' is made of trees, which have no gradients that a search could go by"),
      "\(validated.output)\(validated.errors)")
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
