import Files
import Foundation
import TestSupport
import Testing

@testable import Trees

/// Small models with changed bytes: each is read or refused, and what is read can run.
struct XGBoostMutationTests {
  private func run(_ seeds: [[UInt8]], seed: UInt64, count: Int) throws {
    for bytes in seeds { _ = try XGBoostModel.read(inMemory(bytes)) }
    var mutator = TestMutator(seed: seed)
    var readCount = 0
    for _ in 0..<count {
      let bytes = mutator.next(from: seeds)
      guard let model = try? XGBoostModel.read(inMemory(bytes)) else { continue }
      readCount += 1
      let row = [Double](repeating: 1, count: model.ensemble.featureCount)
      #expect(model.ensemble.outputs(of: row).count == model.ensemble.outputCount)
      #expect(model.features.count == model.ensemble.featureCount)
    }
    #expect(readCount > count / 100)
  }

  private static let texts = [
    XGBoostSample.text.replacingOccurrences(of: "[NaN,Infinity]", with: "[0,0]"),
    XGBoostSample.vectors,
  ]

  @Test func texts() throws {
    try run(
      Self.texts.map { Array($0.utf8) } + [Array(XGBoostSample.text.utf8)], seed: 1, count: 6000)
  }

  @Test func binaries() throws { try run(Self.texts.map(ubjson), seed: 2, count: 6000) }

  @Test(.enabled(if: JudgedModel.folder != nil, "INGOT_TREES names no folder of models"))
  func filesOfTheLibrary() throws {
    let files = try JudgedModel.all(of: "xgboost").map {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0.path)))
    }
    .filter { $0.count < 12_000 }
    try #require(!files.isEmpty)
    try run(files, seed: 3, count: 3000)
  }
}
