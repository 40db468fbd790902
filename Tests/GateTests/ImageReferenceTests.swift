import Files
import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

/// Reference sets and input files that name images.
struct ImageReferenceTests {
  private let folder: PictureFolder

  init() throws { folder = try PictureFolder() }

  private func digest(_ bytes: [UInt8]) -> String { ContentDigest(of: bytes).hex }

  @Test func theDigestCoversEveryImage() throws {
    let lines = [
      pair(image("tea/pot.png"), text("x")), pair(image("bottle.png"), text("y")),
      pair(image("bottle.png"), text("z")),
    ]
    let file = Array(lines.joined(separator: "\n").utf8)
    let bottle = Picture.bytes(red: 255, green: 0), pot = Picture.bytes(red: 90, green: 220)
    let whole =
      "\(digest(file))\n\(digest(bottle))  bottle.png\n\(digest(pot))  tea/pot.png\n"
    let set = try folder.references(lines)
    #expect(set.digest.hex == digest(Array(whole.utf8)))
    #expect(set.inputs[0] == .image(path: "tea/pot.png"))
    #expect(set.inputs[0].label == "tea/pot.png")
    // The same text with another image is another set.
    try folder.write(Picture.bytes(red: 254, green: 0), "bottle.png")
    #expect(try folder.references(lines).digest != set.digest)
    try folder.write(bottle, "bottle.png")
    #expect(try folder.references(lines).digest == set.digest)
    // An image that is not named does not matter.
    try folder.write([], "leaf.png")
    #expect(try folder.references(lines).digest == set.digest)
  }

  @Test func anImageThatTakesAnothersPlaceIsSeen() throws {
    let lines = [pair(image("bottle.png"), image("leaf.png"))]
    let before = try folder.references(lines).digest
    try folder.write(Picture.bytes(red: 0, green: 255), "bottle.png")
    try folder.write(Picture.bytes(red: 255, green: 0), "leaf.png")
    #expect(try folder.references(lines).digest != before)
  }

  @Test func pathsAreSeenFromTheSet() throws {
    let set = try ReferenceSet(
      bytes: Array(
        [
          pair(image("pot.png"), image("../bottle.png")),
          pair(image("\(folder.path)/leaf.png"), image("./pot.png")),
        ].joined(separator: "\n").utf8), origin: "\(folder.path)/tea/refs.jsonl")
    #expect(set.inputs.count == 4)
    let outputs = try ModelRunner(model: try DummyEncoders.image(), jobs: 1)
      .outputs(for: set.inputs, images: set.images)
    #expect(Array(outputs[1]) == [1, 0])
    #expect(Array(outputs[2]) == [0, 1])
    #expect(Array(outputs[0]) == Array(outputs[3]))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let line: String
    let fault: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "missing", line: pair(text("x"), image("none.png")),
      fault: "DIR/refs.jsonl:2:37: DIR/none.png: cannot open: no such file or directory"),
    Case(
      name: "a folder", line: pair(image("tea"), text("x")),
      fault: "DIR/refs.jsonl:2:17: DIR/tea: is a folder, expected a regular file"),
    Case(
      name: "a device", line: pair(image("/dev/zero"), text("x")),
      fault: "DIR/refs.jsonl:2:17: /dev/zero: is a device, expected a regular file"),
    Case(
      name: "empty path", line: pair(image(""), text("x")),
      fault: "DIR/refs.jsonl:2:17: 'image' is empty, expected the path of an image"),
    Case(
      name: "zero byte", line: pair(image("bottle.png\\u0000.txt"), text("x")),
      fault: "DIR/refs.jsonl:2:17: the path in 'image' holds a control character"),
    Case(
      name: "a number", line: pair(#"{"image": 7}"#, text("x")),
      fault: "DIR/refs.jsonl:2:17: 'image' is the number 7, expected a string"),
    Case(
      name: "image and text", line: pair(#"{"image": "x", "text": "y"}"#, text("x")),
      fault: "DIR/refs.jsonl:2:7: an input has one of 'image', 'text' and 'values', not 2"),
  ])
  func imagesThatAreNotThereAreFaultsOfTheLine(_ test: Case) {
    let fault = refusal {
      _ = try folder.references([pair(image("bottle.png"), text("x")), test.line])
    }
    #expect(folder.plain(fault) == test.fault)
  }

  // MARK: - When they are read

  private func judge(_ set: ReferenceSet) throws -> Verdict {
    try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge(
      [DummyEncoders.image(.greenInRed(0.001))], against: [DummyEncoders.image()])
  }

  @Test func anImageThatChangesMeanwhileIsAnError() throws {
    let set = try folder.references([
      pair(image("bottle.png"), image("leaf.png")), pair(image("cup.png"), image("leaf.png")),
    ])
    try folder.write(Picture.bytes(red: 201, green: 100), "cup.png")
    #expect(
      folder.plain(refusal { _ = try judge(set) })
        == "DIR/refs.jsonl:2: DIR/cup.png: has changed since the reference set was read")
  }

  @Test func whatWasSeenOnceIsKept() throws {
    let set = try folder.references([pair(image("bottle.png"), image("leaf.png"))])
    let runner = try ModelRunner(model: try DummyEncoders.image(), jobs: 1)
    let first = try runner.outputs(for: set.inputs, images: set.images)
    try folder.write([], "leaf.png")
    #expect(try runner.outputs(for: set.inputs, images: set.images) == first)
    // A model that prepares images otherwise has to read them again.
    var other = try DummyEncoders.image()
    other = try Model(
      origin: "other", architecture: other.architecture,
      files: ModelFiles(
        carriedBy: "other",
        texts: ["preprocessor_config.json": DummyEncoders.processor() + Array("\n".utf8)]),
      weights: other.weights)
    #expect(
      folder.plain(
        refusal {
          _ = try ModelRunner(model: other, jobs: 1).outputs(for: set.inputs, images: set.images)
        }) == "input 2: DIR/leaf.png: has changed since the reference set was read")
  }

  @Test(
    arguments: [
      (
        [], "DIR/refs.jsonl:2: DIR/bad.png: the file is empty"
      ),
      (
        Array("GIF89a".utf8),
        "DIR/refs.jsonl:2: DIR/bad.png: the file is a GIF image, only PNG and JPEG images are read"
      ),
      (
        Array(Picture.bytes(red: 1, green: 2).dropLast(30)),
        "DIR/refs.jsonl:2: DIR/bad.png: PNG: "
      ),
    ] as [([UInt8], String)])
  func imagesThatCannotBeReadAreNamed(_ test: (bytes: [UInt8], fault: String)) throws {
    try folder.write(test.bytes, "bad.png")
    let set = try folder.references([
      pair(image("bottle.png"), image("leaf.png")), pair(image("cup.png"), image("bad.png")),
    ])
    let fault = folder.plain(refusal { _ = try judge(set) })
    #expect(fault.hasPrefix(test.fault), "\(fault)")
  }

  // MARK: - Input files

  @Test func linesNameImagesBesideThem() throws {
    try folder.write(
      Array("{\"image\": \"bottle.png\"}\n{\"image\": \"tea/none.png\"}\n".utf8), "in.jsonl")
    let runner = try ModelRunner(model: try DummyEncoders.image(), jobs: 1)
    let lines = try InputLines.read("\(folder.path)/in.jsonl")
    #expect(lines.inputs == [.image(path: "bottle.png"), .image(path: "tea/none.png")])
    #expect(
      folder.plain(refusal { _ = try runner.outputs(for: lines) })
        == "DIR/in.jsonl:2: DIR/tea/none.png: cannot open: no such file or directory")
    try folder.write(Picture.bytes(red: 0, green: 9), "tea/none.png")
    #expect(try runner.outputs(for: lines).values == [1, 0, 0, 1])
  }
}
