import Foundation
import TestSupport
import Testing

/// The stream inside an archive has a digest that no version of zstd changes. Here another level
/// imitates another version: other bytes around the same stream.
@Suite(.enabled(if: Program.has("zstd"), "needs zstd")) struct TarIdentityTests {
  private let folder: TemporaryFolder
  private let path = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))"

  init() throws { folder = try TemporaryFolder() }

  private func build() throws -> Program {
    try Program.run(["build", "project", "--output", "out", "--json"], in: folder.path)
  }

  private func digests() throws -> [String?] {
    let json = try Program.run(["verify", path, "--json"], in: folder.path).json()
    return [json["tarSha256"] as? String, json["sha256"] as? String]
  }

  @Test func survivesPackingAnew() throws {
    try folder.writeProject()
    #expect(try build().status == 3)
    let before = try digests()
    let packing = try Program.shell(
      #"zstd -dq "$1" -o plain.tar && rm "$1" && zstd -q -19 plain.tar -o "$1""#, [path],
      in: folder.path)
    #expect(packing.status == 0, "\(packing.errors)")
    let after = try digests()
    #expect(before[0] != nil)
    #expect(after[0] == before[0])
    #expect(after[1] != before[1])

    // The index knows which bytes were built.
    let changed = try build()
    #expect(changed.errors.contains("it was changed after it was built"), "\(changed.errors)")
    // Without it the same content is enough.
    try FileManager.default.removeItem(atPath: folder.path("out/index.jsonl"))
    let packages = try #require(try build().json()["packages"] as? [[String: Any]])
    #expect(packages.map { $0["reused"] as? Bool } == [true, true])
    #expect(packages.first?["sha256"] as? String == after[1])
  }
}
