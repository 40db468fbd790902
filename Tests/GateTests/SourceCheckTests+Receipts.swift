import Files
import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

// What receipts say of a source check.
extension SourceCheckTests {
  @Test func theReceiptSaysItAndReadsBack() throws {
    let files = try SourceFiles()
    let model = try denseModel(weight)
    try files.write(try files.outputs(of: model))
    let check = try files.check()
    let set = try references([pairLine([1, 0, 0], [0, 1, 0]), pairLine([0, 1, 0], [0, 0, 1])])
    let agreements = try check.run([model], jobs: 1).agreements
    func judge(_ model: Model, _ agreements: [SourceAgreement]) throws -> DriftReceipt? {
      try Gate(on: set, Limits(), threshold: nil, agreements: agreements, jobs: 1).judge(
        .model(model), against: .model(model)
      ).receipt
    }
    let receipt = try #require(try judge(model, agreements))
    #expect(receipt.source == agreements[0].record)
    let text = receipt.json.compact
    #expect(text.contains(#""sourceCheck":{"cosine":{"mean":"1","min":"1"},"inputs":{"count":12,"#))
    let recorded = try RecordedReceipt(Array(text.utf8), origin: "r")
    #expect(recorded.records(receipt) && recorded.source == receipt.source)
    #expect(try #require(try judge(model, [])).source == nil)

    // Of other weights, or another description.
    let other = try denseModel([
      [0.9, 0.1, -0.3], [0.2, -0.8, 0.5], [0.4, 0.4, 0.7], [1, -1, 0.3],
    ])
    #expect(
      refusal { _ = try judge(other, agreements) }
        == "the source check was made of another model than is judged; its files changed meanwhile")
  }

  @Test func forgedFiguresAreNotRead() throws {
    let files = try SourceFiles()
    let model = try denseModel(weight)
    try files.write(try files.outputs(of: model))
    let set = try references([pairLine([1, 0, 0], [0, 1, 0]), pairLine([0, 1, 0], [0, 0, 1])])
    let receipt = try #require(
      try Gate(
        on: set, Limits(), threshold: nil,
        agreements: try files.check().run([model], jobs: 1).agreements, jobs: 1
      ).judge(.model(model), against: .model(model)).receipt)
    let text = receipt.json.compact
    for (old, new) in [
      (#""min":"1"},"inputs""#, #""min":"0.99"},"inputs""#),
      (#""min":"1"},"inputs""#, #""min":"1.5"},"inputs""#),
      (#""min":"1"},"inputs""#, #""min":"0.99999999"},"inputs""#),
      (#""maxDifference":"0""#, #""maxDifference":"0.5""#),
      (#""maxDifference":"0""#, #""maxDifference":"-1""#),
      (#""count":12"#, #""count":1"#), (#""count":12"#, #""count":12,"more":1"#),
      (#""type":"float32""#, #""type":"int8""#),
    ] {
      let forged = text.replacing(old, with: new)
      #expect(forged != text)
      #expect(throws: (any Error).self) {
        _ = try RecordedReceipt(Array(forged.utf8), origin: "r")
      }
    }
  }

  @Test func aRecordOfOtherFilesIsNotRecalled() throws {
    let files = try SourceFiles()
    let model = try denseModel(weight)
    try files.write(try files.outputs(of: model))
    let check = try files.check()
    let set = try references([pairLine([1, 0, 0], [0, 1, 0]), pairLine([0, 1, 0], [0, 0, 1])])
    func recall(_ receipt: DriftReceipt, _ source: SourceCheck?) throws -> [DriftReceipt]? {
      let record = try RecordedReceipt(Array(receipt.json.compact.utf8), origin: "r")
      return try Gate.recall(
        [record], baseline: [model], candidate: [model], references: set, limits: try Limits(),
        threshold: nil, source: source)
    }
    func judge(_ agreements: [SourceAgreement]) throws -> DriftReceipt {
      try #require(
        try Gate(on: set, Limits(), threshold: nil, agreements: agreements, jobs: 1).judge(
          .model(model), against: .model(model)
        ).receipt)
    }
    let receipt = try judge(try check.run([model], jobs: 1).agreements)
    let silent = try judge([])
    #expect(try recall(receipt, check) == [receipt])
    #expect(try recall(silent, nil) == [silent])
    #expect(try recall(receipt, nil) == nil)
    #expect(try recall(silent, check) == nil)
    try files.write(try files.outputs(of: model).map { $0.map { $0 * 1.0001 } })
    #expect(try recall(receipt, try files.check()) == nil)
  }

}
