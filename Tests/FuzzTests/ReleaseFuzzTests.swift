import Files
import StrictJSON
import Testing
import WeightCompression

@testable import Project
@testable import Release
@testable import Signatures

/// Files around a release: recipes, the index of an output folder, lists of signers.
extension FuzzTests {
  private static let recipes = bytes([
    """
    ingot-recipe: 1
    name: ours
    rules:
      - match: {name: ["*.query.weight", "*.key.weight"], role: matrix, shape: ["*", 384]}
        use: {scheme: palettize, bits: 4}
      - match: {role: token-table, elements: ">= 2048"}
        use: {scheme: split, rows: 8, first: {scheme: int8}, rest: {scheme: palettize, bits: 4}}
        fallback: [{scheme: int8}]
      - match: {}
        use: keep
    """,
    #"{"ingot-recipe": 1, "rules": [{"match": {}, "use": {"scheme": "int8"}}]}"#,
  ])

  @Test func recipes() throws {
    let file = try ScratchFile("recipe.yaml")
    run("recipes", FuzzTests.recipes) { bytes in
      parsing([ProjectFaults.self]) {
        try file.write(bytes)
        return try !CompressionRecipes.recipe(file.path).rules.isEmpty
      }
    }
  }

  private static let digest = String(repeating: "ab", count: 32)
  private static let noDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private static func indexLine(_ more: String) -> String {
    let app = "c2d67cdb-e117-4c3e-acca-2ae7f1a42210"
    return #"{"app":"\#(app)","bytes":7,"inputs":"\#(digest)","models":{"a":"\#(digest)"},"#
      + #""path":"\#(app)/\#(app)-1.4.0.zip","previous":"\#(noDigest)","sha256":"\#(digest)","#
      + #""terms":"\#(digest)","version":"1.4.0"\#(more)}"# + "\n"
  }

  private static let indexes = bytes([
    "", indexLine(""),
    indexLine(#","signer":"SHA256:x","vouchers":{".sig":"\#(digest)"}"#),
  ])

  @Test func indexes() throws {
    let file = try ScratchFile(ReleaseIndex.fileName)
    let folder = Folder.parent(of: file.path)
    run("release indexes", FuzzTests.indexes) { bytes in
      parsing([JSONError.self]) {
        try file.write(bytes)
        return try ReleaseIndex(folder: folder).isEmpty == bytes.isEmpty
      }
    }
  }

  private static let key =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"

  private static let signers = bytes([
    "", "# who\n\n  a@x \(key) a comment\n",
    #""a b,!c@*,?@x" namespaces="git,p*",valid-after="202501010000Z",valid-before="20991231" \#(key)"#
      + "\r\n",
  ])

  @Test func signers() {
    run("lists of signers", FuzzTests.signers) { bytes in
      let list = AllowedSigners(bytes, origin: "s")
      guard list.faults.isEmpty else {
        return list.faults.allSatisfy { $0.hasPrefix("s:") } ? nil : false
      }
      // Whoever the list names may sign; nobody else may, whatever bytes it holds.
      let other = list.keys.map {
        (try? list.principal(of: $0, namespace: "n", at: 0, origin: "f"))
      }
      return other.allSatisfy { $0.map { list.keys.contains($0.key) } ?? true }
    }
  }
}
