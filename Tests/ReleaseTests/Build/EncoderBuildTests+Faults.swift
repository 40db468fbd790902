import Files
import Formats
import Foundation
import Gate
import Graph
import Packaging
import Project
import ProjectFixtures
import Store
import TestSupport
import Testing
import Weights

@testable import Project
@testable import Release

// Faults of projects with two encoders.
extension EncoderBuildTests {
  struct FaultCase: CustomTestStringConvertible, Sendable {
    let name: String
    let old: String
    let new: String
    let lines: [String]
    var testDescription: String { name }
  }

  static let faults = [
    FaultCase(
      name: "unknown encoder", old: "compress:", new: "encoder: sound\n    compress:",
      lines: [
        "5:14: 'encoder' is 'sound', expected image or text "
          + "[leave 'encoder' out to ship every encoder there is]"
      ]),
    FaultCase(
      name: "encoder of something else", old: "source: models/clip",
      new: "source: models/ranker\n    encoder: image",
      lines: [
        "5:14: model 'clip': 'encoder' is image, the source is one encoder as a whole "
          + "[remove 'encoder', or name another source]"
      ]),
    FaultCase(
      name: "two recipes for something else",
      old: "source: models/clip\n    compress: {scheme: int8}",
      new: "source: models/ranker\n    compress: {image: {scheme: int8}, text: {scheme: int8}}",
      lines: [
        "5:15: model 'clip': 'compress' is for two encoders, the source is one encoder as a whole "
          + "[give one for the whole model, such as 'compress: {scheme: int8}']"
      ]),
    FaultCase(
      name: "one of two recipes", old: "{scheme: int8}", new: "{image: {scheme: int8}}",
      lines: [
        "5:15: the key 'text' is missing [say how to compress the text encoder: "
          + "'text: {scheme: int8}'; to ship the image encoder alone, add 'encoder: image']"
      ]),
    FaultCase(
      name: "a recipe too many", old: "compress: {scheme: int8}",
      new: "encoder: text\n    compress: {image: {scheme: int8}, text: {scheme: int8}}",
      lines: [
        "6:16: this is for the image encoder, 'encoder' is text "
          + "[remove 'image', or 'encoder' to ship both]"
      ]),
    FaultCase(
      name: "a recipe beside recipes", old: "{scheme: int8}",
      new: "{scheme: int8, image: {scheme: int8}, text: {scheme: int8}}",
      lines: [
        "5:16: unknown key 'scheme' [known here: image, text, calibration, dropOverlap, keepTokens]"
      ]),
    FaultCase(
      name: "a fault inside a recipe", old: "{scheme: int8}",
      new: "{image: {scheme: int8}, text: {scheme: palettize}}",
      lines: ["5:54: palettize needs a number of bits: choose 1, 2, 3, 4, 6 or 8"]),
    FaultCase(
      name: "a length of images", old: "formats: [mlpackage]",
      new: "formats: [mlpackage]\n    encoder: image\n    coreml: {sequenceLength: 8}",
      lines: [
        "9:30: model 'clip': 'sequenceLength' is for models that take a text "
          + "[remove 'sequenceLength']"
      ]),
    FaultCase(
      name: "a length that is too long", old: "formats: [mlpackage]",
      new: "formats: [mlpackage]\n    coreml: {sequenceLength: 17}",
      lines: [
        "8:30: model 'clip': 'sequenceLength' is 17, the model takes at most 16 tokens"
      ]),
  ]

  @Test(arguments: faults)
  func faultsHavePlaces(_ test: FaultCase) throws {
    let project = try ClipProject([(test.old, test.new)])
    if test.new.contains("ranker") {
      try SmallProject.model("models/ranker", [0.25, 0.75], in: project.scratch)
      try project.scratch.write(
        "pairs.jsonl", String(repeating: "{\"input\": {\"values\": [1, 2]}}\n", count: 12))
    }
    #expect(lines(ProjectValidator.validate(project.scratch.path)) == test.lines)
  }

  /// Texts alone judge no image encoder.
  @Test func referencesMustBeForEveryEncoderThatShips() throws {
    let project = try ClipProject()
    let set = (0..<12).map { #"{"a": {"text": "red"}, "b": {"text": "blue \#($0)"}}"# + "\n" }
    try project.scratch.write("pairs.jsonl", set.joined())
    #expect(
      lines(ProjectValidator.validate(project.scratch.path)) == [
        "6:24: model 'clip': \(project.scratch.path("pairs.jsonl")): holds 12 pairs; none has "
          + "an image, so the candidate's image encoder would not be judged "
          + #"[a line for this model: {"a": {"image": "photos/bottle.jpg"}, "b": "a water bottle", "#
          + #""expect": "match"}]"#
      ])
    try project.edit([("compress:", "encoder: text\n    compress:")])
    #expect(lines(ProjectValidator.validate(project.scratch.path)) == [])
    let receipt = try ClipProject.receipts(try project.package())["receipts/clip/text.json"]
    #expect(receipt != nil && receipt?.partner == nil)
  }

}
