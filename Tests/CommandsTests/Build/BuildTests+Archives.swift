import Foundation
import TestSupport
import Testing

// What is in the archives.
extension BuildTests {
  @Test(.enabled(if: Program.has("tar") && Program.has("zstd"), "tar and zstd are needed"))
  func ordinaryToolsReadTheArchives() throws {
    try folder.writeProject()
    #expect(try build().status == 3)
    for app in apps.dropLast() {
      let path = "out/\(TemporaryFolder.archive(app))"
      let list = try tool(#"tar -tf "$1""#, path)
      let names = list.split(separator: "\n").map(String.init)
      #expect(names.first == "manifest.json")
      #expect(names.contains("models/vector/model.safetensors"))
      #expect(names.dropFirst().sorted() == Array(names.dropFirst()))
      try checkUnpacked(path, names)
      try checkStream(path)
    }
  }

  /// Unpacks with tar and holds every file to what the manifest says of it.
  private func checkUnpacked(_ path: String, _ names: [String]) throws {
    _ = try tool(#"rm -rf plain && mkdir plain && tar -xf "$1" -C plain"#, path)
    #expect(
      try folder.files().filter { $0.hasPrefix("plain/") } == names.map { "plain/\($0)" }.sorted())
    let manifest = try #require(
      try JSONSerialization.jsonObject(with: folder.bytes("plain/manifest.json"))
        as? [String: Any])
    let files = try #require(manifest["files"] as? [[String: Any]])
    #expect(files.map { $0["path"] as? String } == names.dropFirst().map { $0 })
    for file in files {
      let name = "plain/\(try #require(file["path"] as? String))"
      #expect(try folder.bytes(name).count == file["size"] as? Int)
      #expect(try tool(#"sha256sum "$1""#, name).prefix(64) == file["sha256"] as? String ?? "")
    }
    #expect((manifest["totals"] as? [String: Any])?["files"] as? Int == files.count)
  }

  /// One frame with size and checksum around a stream of ustar, with the digest `verify` gives.
  private func checkStream(_ path: String) throws {
    let frame = try tool(#"zstd -lv "$1""#, path)
    #expect(frame.contains("# Zstandard Frames: 1\n"))
    #expect(frame.contains(/\nCheck: XXH64 [0-9a-f]{8}\n/))
    _ = try tool(#"zstd -tq "$1" && zstd -dcq "$1" >plain.tar"#, path)
    let tar = try folder.bytes("plain.tar")
    #expect(frame.contains(/\nDecompressed Size: [^\n]*\((\d+) B\)\n/))
    #expect(frame.contains("(\(tar.count) B)\n"))
    #expect(tar.dropFirst(257).prefix(8) == Data("ustar\u{0}00".utf8))
    let verified = try Program.run(["verify", path, "--json"], in: folder.path).json()
    #expect(
      try tool(#"zstd -dcq "$1" | sha256sum"#, path).prefix(64)
        == verified["tarSha256"] as? String ?? "")
  }

  /// Output of a line of bash that must succeed and say nothing on stderr.
  private func tool(_ script: String, _ argument: String) throws -> String {
    let run = try Program.shell("set -o pipefail; \(script)", [argument], in: folder.path)
    #expect(run.status == 0, "\(script)")
    // `zstd -v` says its own name there.
    let banner = run.errors.firstMatch(of: /\*\*\* Zstandard CLI [^\n]*\n/)
    #expect(run.errors == banner?.0 ?? "", "\(script)")
    return run.output
  }

  @Test(.enabled(if: Program.has("zstd"), "zstd is needed"))
  func archiveHoldsNothingOfOtherCustomers() throws {
    try folder.writeProject()
    #expect(try build().status == 3)
    let own = [
      [apps[0], "first_flow", "com.example.app1", "7001"],
      [apps[1], "second_flow", "com.example.app2", "7002"],
      [apps[2], "broken_flow", "com.example.app3", "7003"],
    ]
    for (index, app) in apps.dropLast().enumerated() {
      let unpacked = try Program.shell(
        #"zstd -dcq "$1" > plain.tar"#, ["out/\(TemporaryFolder.archive(app))"], in: folder.path)
      #expect(unpacked.status == 0)
      let bytes = try folder.bytes("plain.tar")
      for (other, words) in own.enumerated() {
        for word in words {
          #expect((bytes.range(of: Data(word.utf8)) != nil) == (other == index), "\(app): \(word)")
        }
      }
      for word in [folder.path, "project/", "customers.json"] {
        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(app): \(word)")
      }
    }
  }

}
