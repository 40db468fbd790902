import Foundation
import TestSupport
import Testing

// Encoders that are checked.
extension EncoderCommandTests {
  @Test(arguments: [
    ["image.safetensors"], ["text.safetensors"], ["image.safetensors", "text.safetensors"],
    ["text.safetensors", "image.safetensors"], ["Image.mlpackage", "text.safetensors"],
    ["Text.mlpackage"], ["Image.mlpackage", "Text.mlpackage"], ["clip"],
  ])
  func checkTakesOneOrBothInAnyOrder(_ candidates: [String]) throws {
    for name in candidates where name != "clip" {
      try compress(name.lowercased().hasPrefix("image") ? "image" : "text", name)
    }
    let run = try Program.run(
      ["check", "clip"] + candidates + ["--references", "pairs.jsonl", "--limits", "lenient"],
      in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("measured on 18 inputs in 12 pairs\n"))
  }

  @Test func checkRefusesTooManyCandidates() throws {
    let three = try run("check", "clip", "a", "b", "c", "--references", "r")
    #expect(three.status == 64)
    #expect(
      three.errors.hasPrefix(
        "Error: 3 candidates are given; two at most, an image and a text encoder\n"))
    let outputs = try run("check", "clip", "a", "b.npy", "--references", "r")
    #expect(outputs.status == 64)
    #expect(
      outputs.errors.hasPrefix("Error: two candidates are models that run, b.npy holds outputs\n"))
  }

  /// Both compressed to nothing: the refusal says which of them moved a pair.
  @Test func aRefusalNamesPairsAndTheEncoder() throws {
    for (encoder, name) in [("image", "i"), ("text", "t")] {
      let run = try run(
        "compress", "clip", "--encoder", encoder, "--scheme", "palettize", "--bits", "1",
        "--output", "\(name).safetensors")
      #expect(run.status == 0)
    }
    let run = try run(
      "check", "clip", "i.safetensors", "t.safetensors", "--references", "pairs.jsonl")
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("error: i.safetensors, t.safetensors: refused\n"))
    #expect(
      run.errors.contains(/images\/\w+\.png ↔ "[a-z ]+": \S+ → \S+ \(line \d+\); the \w+ encoder/),
      "\(run.errors)")
  }

}
