import Graph
import ModelFixtures
import StrictJSON
import Testing
import Weights

@testable import Gate
@testable import Inputs

/// Receipts of earlier verdicts, for the very same bytes only.
struct RecallTests {
  private let folder: PictureFolder
  private let old: (image: Model, text: Model)
  private let new: (image: Model, text: Model)
  private let set: ReferenceSet

  init() throws {
    folder = try PictureFolder()
    old = (try DummyEncoders.image(), try DummyEncoders.text())
    new = (
      try DummyEncoders.image(.greenInRed(0.001)), try DummyEncoders.text(["tea": (0.801, 0.6)])
    )
    set = try folder.references(Self.lines)
  }

  private static let lines = [
    pair(image("bottle.png"), text("tea")), pair(image("leaf.png"), text("red")),
    pair(image("cup.png"), text("green")),
  ]

  private func records(
    _ candidate: [Model], _ baseline: [Model]? = nil, threshold: Double? = nil
  ) throws -> [RecordedReceipt] {
    let verdict = try Gate(on: set, Limits(), threshold: threshold, jobs: 1).judge(
      .models(candidate), against: .models(baseline ?? [old.image, old.text]))
    #expect(!verdict.receipts.isEmpty)
    return try verdict.receipts.map {
      try RecordedReceipt(Array($0.json.compact.utf8), origin: "r.json")
    }
  }

  private func recall(
    _ records: [RecordedReceipt], _ candidate: [Model], _ baseline: [Model]? = nil,
    set: ReferenceSet? = nil, limits: Limits? = nil, threshold: Double? = nil
  ) throws -> [DriftReceipt]? {
    try Gate.recall(
      records, baseline: baseline ?? [old.image, old.text], candidate: candidate,
      references: set ?? self.set, limits: try limits ?? Limits(), threshold: threshold)
  }

  @Test func bothEncodersAreRecalled() throws {
    let records = try records([new.image, new.text])
    let receipts = try #require(try recall(records, [new.image, new.text]))
    #expect(zip(records, receipts).allSatisfy { $0.records($1) })
    #expect(receipts.map(\.encoder) == [.image, .text])
  }

  @Test func oneEncoderIsRecalledBesideTheBaselinesOwn() throws {
    let records = try records([new.text])
    let receipts = try #require(try recall(records, [new.text]))
    #expect(receipts.count == 1 && records[0].records(receipts[0]))
  }

  @Test func aModelAloneIsRecalled() throws {
    let set = try folder.references([pair(text("tea"), text("red"))])
    let judged = try #require(
      try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge([new.text], against: [old.text])
        .receipt)
    let record = try RecordedReceipt(Array(judged.json.compact.utf8), origin: "r.json")
    let receipts = try Gate.recall(
      [record], baseline: [old.text], candidate: [new.text], references: set,
      limits: try Limits(), threshold: nil)
    #expect(receipts?.map(record.records) == [true])
    // The same encoder beside another one is another verdict.
    #expect(try self.recall([record], [new.text]) == nil)
  }

  @Test func otherBytesAnywhereAreNotRecalled() throws {
    let both = try records([new.image, new.text])
    let one = try records([new.text])
    let image = try DummyEncoders.image(.greenInRed(0.002)),
      text = try DummyEncoders.text(["tea": (0.802, 0.6)])
    // Another candidate, another partner, another baseline, each of either kind.
    #expect(try recall(both, [image, new.text]) == nil)
    #expect(try recall(both, [new.image, text]) == nil)
    #expect(try recall(both, [new.image, new.text], [image, old.text]) == nil)
    #expect(try recall(both, [new.image, new.text], [old.image, text]) == nil)
    #expect(try recall(one, [text]) == nil)
    #expect(try recall(one, [new.text], [image, old.text]) == nil)
    #expect(try recall(one, [new.text], [old.image, text]) == nil)
    // What was judged beside a compressed encoder was not judged beside the baseline's own.
    #expect(try recall([both[1]], [new.text]) == nil)
    #expect(try recall(one, [new.image, new.text]) == nil)
    #expect(try recall(both, [new.image]) == nil)
    #expect(try recall(both, [new.text, new.image]) == nil)
    #expect(try recall([both[0], both[0]], [new.image, new.text]) == nil)
    #expect(try recall([], [new.image, new.text]) == nil)
  }

  @Test func otherFilesOfTheOtherEncoderAreNotRecalled() throws {
    let one = try records([new.text])
    let again = try Model(
      origin: "again", architecture: old.image.architecture,
      files: ModelFiles(
        carriedBy: "again",
        texts: ["preprocessor_config.json": DummyEncoders.processor() + Array(" ".utf8)]),
      weights: old.image.weights)
    #expect(again.digest == old.image.digest)
    #expect(try recall(one, [new.text], [again, old.text]) == nil)
  }

  @Test func anotherQuestionIsNotRecalled() throws {
    let both = try records([new.image, new.text])
    let candidate = [new.image, new.text]
    #expect(try recall(both, candidate, limits: try Limits(profile: .strict)) == nil)
    #expect(try recall(both, candidate, threshold: 0.5) == nil)
    let other = try folder.references(Array(Self.lines.reversed()))
    #expect(try recall(both, candidate, set: other) == nil)
    // The same lines with another picture.
    try folder.write(Picture.bytes(red: 201, green: 100), "cup.png")
    #expect(try recall(both, candidate, set: try folder.references(Self.lines)) == nil)
  }

  @Test func recordsOfTwoJudgementsAreNotRecalled() throws {
    var both = try records([new.image, new.text])
    let text = both[1].json.compact
    let part = #""normDrift":"0""#
    #expect(text.contains(part))
    let pieces = text.split(separator: part, omittingEmptySubsequences: false)
    both[1] = try RecordedReceipt(
      Array(pieces.joined(separator: #""normDrift":"0.0001""#).utf8), origin: "r.json")
    #expect(try recall([both[1]], [new.text]) == nil)
    #expect(try recall(both, [new.image, new.text]) == nil)
  }
}
