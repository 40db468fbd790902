import Foundation
import TestSupport
import Testing

/// `publish --oci`, judged by a reader of image layouts that knows nothing of Ingot, and by skopeo where that is
/// installed.
struct ImageLayoutTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: "\(Program.repository)/specs/examples/quickstart", toPath: folder.path("project"))
    try build("1.0.0")
    #expect(try Program.run(["publish", "keys", "keys"], in: folder.path).status == 0)
  }

  private func build(_ version: String) throws {
    let contract = try folder.text("project/ingot.yaml")
    try folder.write(
      "project/ingot.yaml", contract.replacing(/version: [0-9.]+/, with: "version: \(version)"))
    let run = try Program.run(
      ["build", "project", "--output", "packages", "--store", "store", "--quiet"],
      in: folder.path)
    // A customer's flow is refused, the others get their packages.
    try #require(run.status == 3, "\(run.errors)")
  }

  private func publish(
    to layout: String, repository: String = "repository", time: String = "2026-11-21T00:00:00Z"
  ) throws -> [[String: Any]] {
    let run = try Program.run(
      [
        "publish", "packages", "--repository", repository, "--keys", "keys", "--time", time,
        "--oci", layout, "--json",
      ], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    return try #require(try run.json()["offers"] as? [[String: Any]])
  }

  /// What the judge says of a layout.
  private func judged(_ layout: String) throws -> (tags: [String: [String: Any]], unused: [String])
  {
    let text = try Oracle.run(
      program: "/usr/bin/env",
      [
        "python3", "\(Program.repository)/scripts/oracles/check_oci_layout.py", folder.path(layout),
      ])
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let tags = try #require(json?["tags"] as? [String: [String: Any]])
    let unused = try #require(json?["unused"] as? [String])
    return (tags, unused)
  }

  private func contents(_ name: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for path in try folder.files() where path.hasPrefix("\(name)/") {
      contents[String(path.dropFirst(name.count + 1))] = try folder.bytes(path)
    }
    return contents
  }

  @Test func everyPackageIsAManifestWithItsFiles() throws {
    let offers = try publish(to: "layout")
    let (tags, unused) = try judged("layout")
    #expect(Set(tags.keys) == Set(offers.compactMap { $0["tag"] as? String }) && !tags.isEmpty)
    #expect(unused == [])
    let manifests = try folder.files().filter { $0.hasSuffix(".tar.zst") }
    #expect(manifests.count == tags.count)
    for offer in offers {
      let (app, tag) = (
        try #require(offer["app"] as? String), try #require(offer["tag"] as? String)
      )
      #expect(tag == "\(app)-1.0.0")
      let files = try #require(tags[tag]?["files"] as? [String: [String: Any]])
      // The archive's own list of files, by tar.
      let archive = folder.path("packages/\(app)/\(app)-1.0.0.tar.zst")
      let listed = try Oracle.run(
        program: "/usr/bin/env", ["sh", "-c", "zstd -dcq '\(archive)' | tar -t"])
      #expect(Set(listed.split(separator: "\n").map(String.init)) == Set(files.keys))
      for (path, file) in files {
        let sum = try Oracle.run(
          program: "/usr/bin/env",
          ["sh", "-c", "zstd -dcq '\(archive)' | tar -xO '\(path)' | sha256sum"])
        #expect(sum.hasPrefix(try #require(file["sha256"] as? String)))
      }
    }
  }

  /// The same packages give the same layout, at once or one version after the other.
  @Test func aLayoutGrowsAndDependsOnPackagesAlone() throws {
    _ = try publish(to: "layout")
    let first = try contents("layout")
    _ = try publish(to: "layout", time: "2026-11-22T00:00:00Z")
    #expect(try contents("layout") == first)
    try build("1.1.0")
    _ = try publish(to: "layout", time: "2026-11-23T00:00:00Z")
    let (tags, _) = try judged("layout")
    #expect(Set(tags.keys.map { $0.suffix(5) }) == ["1.0.0", "1.1.0"])
    // A blob that both versions have is there once, as it was.
    let second = try contents("layout")
    #expect(
      second.filter { $0.key != "index.json" && first[$0.key] != nil }.count == first.count - 1)
    // Another repository, another day, all at once.
    _ = try publish(to: "late", repository: "other", time: "2026-12-01T00:00:00Z")
    let (late, unused) = try judged("late")
    #expect(unused == [] && late.allSatisfy { $0.key.hasSuffix("1.1.0") })
    for (name, bytes) in try contents("late") where name != "index.json" {
      #expect(second[name] == bytes)
    }
  }

  /// What a run left that ended before the index was written, and what is damaged, is made good.
  @Test func aLayoutThatIsNotWholeIsMadeGood() throws {
    _ = try publish(to: "layout")
    let whole = try contents("layout")
    let blob = try #require(whole.keys.filter { $0.hasPrefix("blobs/") }.min())
    try FileManager.default.removeItem(atPath: folder.path("layout/index.json"))
    try folder.write("layout/\(blob)", [1, 2, 3])
    _ = try publish(to: "layout")
    #expect(try contents("layout") == whole)
  }

  @Test func aFolderThatIsNoLayoutIsLeft() throws {
    func refusal(_ layout: String) throws -> String {
      let run = try Program.run(
        [
          "publish", "packages", "--repository", "repository", "--keys", "keys", "--oci", layout,
        ], in: folder.path)
      #expect(run.status == 1)
      return run.errors
    }
    #expect(
      try refusal("project").hasPrefix(
        "error: project: is not an OCI image layout of version 1.0.0, and not empty\nhint: "))
    _ = try publish(to: "layout")
    let index = try folder.text("layout/index.json")
    try folder.write("layout/index.json", index + "\n")
    #expect(
      try refusal("layout").hasPrefix(
        "error: layout/index.json: is not an index that Ingot wrote\n"))
    // A tag names the same files for ever.
    let tag = try #require(index.firstMatch(of: /"sha256:([0-9a-f]{64})"/)?.output.1)
    try folder.write("layout/index.json", index.replacing(tag, with: tag.reversed()))
    #expect(try refusal("layout").contains("and a version never changes\n"))
  }

  /// skopeo reads the layout, and keeps every digest.
  @Test(.enabled(if: Program.has("skopeo"), "skopeo is not installed"))
  func skopeoCopiesIt() throws {
    let offers = try publish(to: "layout")
    let tag = try #require(offers.first?["tag"] as? String)
    _ = try Oracle.run(
      program: "/usr/bin/env",
      [
        "skopeo", "copy", "--quiet", "--insecure-policy", "oci:\(folder.path("layout")):\(tag)",
        "dir:\(folder.path("copy"))",
      ])
    let manifest = try folder.bytes("copy/manifest.json")
    #expect(try contents("layout").values.contains { $0 == manifest })
  }
}
