import Files
import Formats
import Foundation
import Gate
import Graph
import Inputs
import TestSupport
import Testing
import Trees
import Weights

/// Source checks of trees whose library adds them in 32 bits, with its own numbers.
@Suite(.enabled(if: TreeFolder.root != nil, "no models of tables: run scripts/test"))
struct TreeSumInteropTests {
  /// What `output_margin=True` gives where nothing is done with sums.
  static let sums = [
    "reg-squarederror-json", "reg-absoluteerror-ubj", "rank-pairwise-json", "binary-logitraw-ubj",
    "quantiles-json", "deep-json", "targets-ubj", "vectors-json", "forest",
  ]
  /// What `predict` gives where exponentials are made of them.
  static let exponentials = [
    "binary-logistic-outputs", "multi-softprob-outputs", "count-poisson-outputs", "dart-outputs",
  ]

  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func finding(_ folder: TreeFolder, _ numbers: [Float], as type: String = "f4") throws
    -> SourceFinding
  {
    let lines = folder.rows.map { row in
      "[" + row.map { $0.isNaN ? "null" : "\($0)" }.joined(separator: ", ") + "]"
    }
    try scratch.write("rows.jsonl", lines.map { "{\"values\": \($0)}\n" }.joined())
    let width = numbers.count / folder.rows.count
    var header = NpyWriter.header(rows: folder.rows.count, columns: width)
    var bytes = Data()
    if type == "f8" {
      let place = try #require(header.firstIndex(of: UInt8(ascii: "<")))
      header[place + 2] = UInt8(ascii: "8")
    }
    for number in numbers {
      if type == "f8" {
        withUnsafeBytes(of: Double(number).bitPattern.littleEndian) { bytes += Data($0) }
      } else {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += Data($0) }
      }
    }
    try scratch.write("vectors.npy", Data(header) + bytes)
    return try SourceCheck(
      vectors: scratch.path("vectors.npy"), inputs: scratch.path("rows.jsonl")
    ).run([ModelLoader.open(folder.model)], jobs: 2)
  }

  private func folder(_ name: String) throws -> TreeFolder {
    try #require(try TreeFolder.all().first { $0.testDescription == "xgboost/\(name)" })
  }

  @Test(arguments: sums)
  func sumsAgreeBitForBit(_ name: String) throws {
    let folder = try folder(name)
    var numbers = folder.expected.flatMap { $0.map { Float($0) } }
    #expect(folder.expected.allSatisfy { $0.allSatisfy { Double(Float($0)) == $0 } })
    #expect(try finding(folder, numbers).isAgreed)
    numbers[7] = numbers[7].nextUp
    let finding = try finding(folder, numbers)
    #expect(!finding.isAgreed)
    #expect(finding.hints == [.sums(steps: 1, areExact: true)])
    #expect(
      finding.words.hasSuffix(
        "on 1 of 1000 inputs: sums differ by up to 1 step of float32, where sums of float32 agree "
          + "bit for bit"), "\(finding.words)")
    // Who saves other types than the library gives is held to the usual bound.
    #expect(try self.finding(folder, numbers, as: "f8").isAgreed)
  }

  @Test(arguments: exponentials)
  func exponentialsAgreeToAMillionth(_ name: String) throws {
    let folder = try folder(name)
    var numbers = folder.expected.flatMap { $0.map { Float($0) } }
    #expect(try finding(folder, numbers).isAgreed)
    numbers[7] *= 1 + 5e-6
    let finding = try finding(folder, numbers)
    guard case .sums(let steps, areExact: false) = finding.hints.first else {
      Issue.record("\(finding.hints)")
      return
    }
    #expect(steps > 20 && steps < 100)
    #expect(finding.agreements.isEmpty)
  }
}
