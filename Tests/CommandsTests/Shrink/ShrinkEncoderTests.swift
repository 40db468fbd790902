import Foundation
import TestSupport
import Testing

/// `ingot shrink` of a model with two encoders.
struct ShrinkEncoderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeSearchClip()
  }

  private func shrink(_ flags: String..., output: String = "s.safetensors") throws -> Program {
    try Program.run(
      [
        "shrink", "clip", "--references", "photos.jsonl", "--limits", "lenient", "-o", output,
      ] + flags, in: folder.path)
  }

  @Test(arguments: ["s.safetensors", "S.mlpackage"])
  func bothAreSearchedAndProvenTogether(_ output: String) throws {
    let run = try shrink("--write-recipe", "r.yaml", "--json", output: output)
    #expect(run.status == 0, "\(run.errors)")
    let json = try run.json()
    let encoders = try #require(json["encoders"] as? [String: [String: Any]])
    #expect(encoders.keys.sorted() == ["image", "text"])
    let sizes = encoders.values.compactMap { $0["sizeBytes"] as? Int }
    #expect(json["sizeBytes"] as? Int == sizes.reduce(0, +))
    let search = try #require(json["search"] as? [String: Any])
    let trials = try #require(search["trials"] as? [[String: Any]])
    #expect(trials.last?["share"] as? String == "verdict")
    for (encoder, answer) in encoders {
      let path = try #require(answer["path"] as? String)
      #expect(path.contains("-\(encoder)."))
      let recipe = try #require(answer["recipe"] as? [String: String])
      let again = "again-" + path
      let made = try Program.run(
        [
          "compress", "clip", "--encoder", encoder, "--recipe", "./r-\(encoder).yaml", "-o", again,
          "--json",
        ], in: folder.path)
      #expect(made.status == 0, "\(made.errors)")
      #expect(try made.json()["weightBytes"] as? Int == answer["weightBytes"] as? Int)
      #expect(recipe["name"] == "smallest")
      if path.hasSuffix(".safetensors") {
        #expect(try folder.bytes(path) == folder.bytes(again))
      }
    }
  }

  @Test(arguments: ["safetensors", "mlpackage"])
  func theBytesDoNotDependOnThreads(_ format: String) throws {
    let made = try [1, 3].map { jobs in
      let name = "by-\(jobs)"
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
      let run = try shrink("--jobs", "\(jobs)", output: "\(name)/m.\(format)")
      #expect(run.status == 0, "\(run.errors)")
      return try folder.contents(of: name)
    }
    #expect(made[0].count >= 2 && made[0] == made[1])
  }

  @Test func oneIsSearchedBesideTheOtherAsTrained() throws {
    for encoder in ["image", "text"] {
      let run = try shrink("--encoder", encoder, "--json", output: "\(encoder).safetensors")
      #expect(run.status == 0, "\(run.errors)")
      #expect(try run.json()["encoders"] == nil)
      #expect(folder.exists("\(encoder).safetensors"))
    }
  }

  @Test func aBudgetIsOfBothTogether() throws {
    let run = try shrink("--budget", "60kB", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let size = try #require(try run.json()["sizeBytes"] as? Int)
    #expect(size <= 60_000)
    let files = ["s-image.safetensors", "s-text.safetensors"]
    #expect(try files.reduce(0) { $0 + (try folder.bytes($1).count) } == size)
    #expect(try shrink("--budget", "1kB").errors.contains("the smallest model has"))
  }

  @Test func textsAloneSearchNoImages() throws {
    let lines = (0..<64).map {
      #"{"a": {"text": "one \#($0)"}, "b": {"text": "two \#($0)"}}"# + "\n"
    }
    try folder.write("texts.jsonl", lines.joined())
    let arguments = ["shrink", "clip", "--references", "texts.jsonl", "--limits", "lenient"]
    let both = try Program.run(arguments + ["-o", "s.safetensors"], in: folder.path)
    #expect(both.status == 1)
    #expect(both.errors.contains("--encoder text"), "\(both.errors)")
    let one = try Program.run(
      arguments + ["-o", "s.safetensors", "--encoder", "text"], in: folder.path)
    #expect(one.status == 0, "\(one.errors)")
  }

  /// An image that is there under two names is one input: it is in one share. So is one of the same
  /// pixels, here with a comment behind the head.
  @Test(arguments: [("", "is an input of photos.jsonl too"), ("a\0b", "is to the model what")])
  func theSameImageUnderTwoNamesIsInOneShare(_ comment: String, _ words: String) throws {
    let image = try folder.bytes("photos/0.png")
    let chunk = comment.isEmpty ? [] : PNGBytes.chunk("tEXt", Array(comment.utf8))
    try folder.write("photos/copy.png", image.prefix(33) + chunk + image.dropFirst(33))
    try folder.write(
      "verdict.jsonl",
      (0..<8).map { index in
        #"{"a": {"image": "photos/\#(index == 0 ? "copy" : "\(index + 40)").png"}, "#
          + #""b": {"text": "new \#(index)"}}"# + "\n"
      }.joined())
    try folder.write(
      "photos.jsonl",
      try folder.text("photos.jsonl").split(separator: "\n").prefix(40).joined(separator: "\n"))
    let run = try shrink("--verdict", "verdict.jsonl")
    #expect(run.status == 1)
    #expect(run.errors.contains("verdict.jsonl:1: "), "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
  }
}
