import Foundation
import TestSupport
import Testing

struct DiffTests {
  let folder: TemporaryFolder
  private let archive = TemporaryFolder.archive(TemporaryFolder.apps[0])

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeProject()
    _ = try Program.run(["build", "project", "--output", "one", "--quiet"], in: folder.path)
  }

  private func diff(_ arguments: [String]) throws -> Program {
    try Program.run(["diff"] + arguments, in: folder.path)
  }

  @Test func equalArchivesAreTheSame() throws {
    try FileManager.default.copyItem(
      atPath: folder.path("one/\(archive)"), toPath: folder.path("copy.tar.zst"))
    let run = try diff(["one/\(archive)", "copy.tar.zst"])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output == "one/\(archive) and copy.tar.zst are the same\n")
    let json = try diff(["one", "one", "--json"]).json()
    #expect(json["verdict"] as? String == "same")
    #expect((json["causes"] as? [Any])?.isEmpty == true)
  }

  @Test func theFirstCauseIsNamed() throws {
    let contract = String(decoding: try folder.bytes("project/ingot.yaml"), as: UTF8.self)
    try folder.write(
      "project/ingot.yaml", contract.replacing("{scheme: int8}", with: "{scheme: none}"))
    _ = try Program.run(["build", "project", "--output", "two", "--quiet"], in: folder.path)
    let run = try diff(["one/\(archive)", "two/\(archive)"])
    #expect(run.status == 1)
    #expect(run.errors.isEmpty)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines[0] == "one/\(archive) and two/\(archive) differ")
    #expect(lines[1] == "model 'first_flow': option 'scheme': int8 → none")
    #expect(lines[2] == "also:")
    // A model of embeddings is spoken of as one, and any other is not.
    #expect(
      lines.suffix(2) == [
        "model 'first_flow': another cache key: outputs that an app kept are to be made anew",
        "model 'vector': another cache key: embeddings that an app kept are to be made anew",
      ], "\(lines)")
    let json = try diff(["one", "two", "--json"])
    #expect(json.status == 1)
    let causes = try #require(try json.json()["causes"] as? [[String: Any]])
    #expect(causes[0]["kind"] as? String == "option")
    #expect(causes[0]["package"] as? String == archive)
    #expect(try json.json()["schemaVersion"] as? Int == 1)
  }

  /// A stream that another zstd packed holds the same.
  @Test(.enabled(if: Program.has("zstd"), "zstd is needed"))
  func onlyTheFrameDiffers() throws {
    let packed = try Program.shell(
      "zstd -dq one/$1 -o a.tar && zstd -q -19 --check a.tar -o two.tar.zst", [archive],
      in: folder.path)
    #expect(packed.status == 0, "\(packed.errors)")
    let run = try diff(["one/\(archive)", "two.tar.zst"])
    #expect(run.status == 1)
    #expect(run.output.contains("both hold the same files: the same tar stream in another frame"))
    #expect(!run.output.contains("also:"))
  }

  @Test func onlyTheFormDiffers() throws {
    let contract = String(decoding: try folder.bytes("project/ingot.yaml"), as: UTF8.self)
    try folder.write(
      "project/ingot.yaml",
      contract.replacing("version: 1.0.0,", with: "version: 1.0.0, archive: zip,"))
    _ = try Program.run(["build", "project", "--output", "two", "--quiet"], in: folder.path)
    let run = try diff(["one/\(archive)", "two/\(archive.replacing("tar.zst", with: "zip"))"])
    #expect(run.status == 1)
    #expect(run.output.contains("both hold the same files: the one is tar.zst, the other zip"))
    #expect(!run.output.contains("also:"))
  }

  @Test func modelsAreComparedTensorByTensor() throws {
    try folder.writeModel("other", seed: 1, first: [0.5])
    let run = try diff(["project/models/vector", "other", "--json"])
    #expect(run.status == 1)
    let causes = try #require(try run.json()["causes"] as? [[String: Any]])
    #expect(causes[0]["kind"] as? String == "tensor")
    #expect(causes[0]["item"] as? String == "w0")
    #expect(causes[0]["note"] as? String == "1 of 3 tensors differs")
    #expect(causes[1]["item"] as? String == "w0.npy")
  }

  @Test func damagedArchivesAreNotSound() throws {
    var bytes = try folder.bytes("one/\(archive)")
    bytes.removeLast(20)
    try folder.write("cut.tar.zst", bytes)
    let run = try diff(["one/\(archive)", "cut.tar.zst"])
    #expect(run.status == 4)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("error: cut.tar.zst: "))
  }

  @Test func unlikeThingsAreNotCompared() throws {
    let run = try diff(["one", "project"])
    #expect(run.status == 1)
    #expect(
      run.errors
        == "error: one is an output folder, project is a model; compare two of a kind\n")
    let gone = try diff(["gone.tar.zst", "one/\(archive)"])
    #expect(gone.status == 1)
    #expect(gone.errors == "error: gone.tar.zst: is not there\n")
  }

  /// Nothing stays behind of what was unpacked.
  @Test func temporaryFilesAreRemoved() throws {
    try folder.write("t/x", "")
    let run = try Program.shell(
      #"TMPDIR=$PWD/t "$0" diff one/$1 one/$2; ls -A t"#,
      [archive, TemporaryFolder.archive(TemporaryFolder.apps[1])], in: folder.path)
    #expect(run.output.hasSuffix("\nx\n"))
    #expect(run.output.contains("app 'appId'"))
  }
}
