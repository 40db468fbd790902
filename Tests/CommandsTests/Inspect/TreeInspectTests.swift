import Foundation
import TestSupport
import Testing

/// What `inspect` tells of trees: the forest that `init --template tabular` writes.
struct TreeInspectTests {
  let folder: TemporaryFolder
  private let references = ["--references", "references/engagement.jsonl"]

  init() throws {
    folder = try TemporaryFolder()
    #expect(try Program.run(["init", ".", "--template", "tabular"], in: folder.path).status == 0)
  }

  /// Whole numbers of 32 bits in an npy file, whose header has 128 bytes.
  private func numbers(_ name: String) throws -> [Int32] {
    let bytes = [UInt8](
      try Data(contentsOf: URL(filePath: folder.path("models/engagement/\(name).npy"))))
    return stride(from: 128, to: bytes.count, by: 4).map { start in
      bytes[start..<start + 4].reversed().reduce(Int32(0)) { $0 << 8 | Int32($1) }
    }
  }

  @Test func treesAreCounted() throws {
    let left = try numbers("children_left")
    let branches = left.count { $0 >= 0 }
    let shown = try Program.run(["inspect", "models/engagement", "--json"], in: folder.path).json()
    let trees = try #require((shown["trees"] as? [[String: Any]])?.first)
    #expect(trees["branches"] as? Int == branches)
    #expect(trees["leaves"] as? Int == left.count - branches)
    #expect(trees["trees"] as? Int == (try numbers("starts")).count)
    #expect(trees["unmergedBranches"] as? Int == branches)
    let depth = try #require(trees["depth"] as? Int)
    #expect((1...branches).contains(depth))
    // Nothing is said of whole numbers.
    let text = try Program.run(["inspect", "models/engagement"], in: folder.path).output
    #expect(!text.contains("integer-table"), "\(text)")
    #expect(
      text.contains(
        /trees: \d+ trees of depth \d+, \d+ branches, \d+ leaves, \d+ distinct thresholds of \d+ features\n/
      ),
      "\(text)")
  }

  @Test(arguments: ["small.safetensors", "Small.mlpackage", "small.mlmodel"])
  func whatIsWrittenIsCounted(_ output: String) throws {
    let before = try Program.run(["inspect", "models/engagement", "--json"], in: folder.path).json()
    let own = try #require((before["trees"] as? [[String: Any]])?.first)
    let made = try Program.run(
      ["compress", "models/engagement", "--output", output, "--limits", "lenient"] + references,
      in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let shown = try Program.run(["inspect", output, "--json"], in: folder.path).json()
    let trees = try #require((shown["trees"] as? [[String: Any]])?.first)
    for key in ["trees", "depth", "unmergedBranches", "thresholds", "features"] {
      #expect(trees[key] as? Int == own[key] as? Int, "\(key)")
    }
    let bits = try #require(trees["bits"] as? [String: Int])
    if output == "small.safetensors" {
      let branches = try #require(trees["branches"] as? Int)
      #expect(bits["leaves"] == 8 && (bits["rules"] ?? 0) <= 2)
      #expect(1 << (bits["left"] ?? 0) < 8 * branches)
      let tensors = try #require(shown["tensors"] as? [[String: Any]])
      let roles = tensors.compactMap { $0["role"] as? String }
      #expect(roles.count == tensors.count && !roles.contains("unused"), "\(roles)")
      #expect(roles.contains("scale of matrix") && roles.contains("codes of statistic"), "\(roles)")
    }
  }

  /// A compressed file whose branches look at features that the model does not have.
  @Test func treesThatDoNotHoldTogetherAreRefused() throws {
    let made = try Program.run(
      ["compress", "models/engagement", "--output", "small.safetensors"] + references,
      in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let path = folder.path("small.safetensors")
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let length = bytes[..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    let header = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes[8..<8 + length])) as? [String: Any])
    let part = try #require(header["trees.features:codes"] as? [String: Any])
    let offsets = try #require(part["data_offsets"] as? [Int])
    for place in offsets[0]..<offsets[1] { bytes[8 + length + place] = 0xFF }
    try Data(bytes).write(to: URL(filePath: path))
    let shown = try Program.run(["inspect", "small.safetensors"], in: folder.path)
    #expect(shown.status == 1)
    #expect(
      shown.errors.contains(
        /error: small.safetensors: tree \d+, node \d+: trees\.features\[\d+\] is 7.0, expected/),
      "\(shown.errors)")
    let checked = try Program.run(
      ["check", "models/engagement", "small.safetensors"] + references, in: folder.path)
    #expect(checked.status == 1)
    #expect(checked.errors.contains("trees.features["), "\(checked.errors)")
  }
}
