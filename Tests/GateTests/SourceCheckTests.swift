import Files
import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

/// Vectors and inputs in files, for the time of a test.
final class SourceFiles {
  let folder: String
  let inputs: [[Float]]

  init(_ inputs: [[Float]] = SourceFiles.features(12)) throws {
    folder = try Folder.createTemporary(in: "/tmp", prefix: "ingot-test-")
    self.inputs = inputs
    try write(inputs.map { #"{"values": \#($0)}"# }.joined(separator: "\n"), "inputs.jsonl")
  }

  deinit { try? Folder.remove(folder) }

  var vectors: String { "\(folder)/vectors.npy" }
  var lines: String { "\(folder)/inputs.jsonl" }

  static func features(_ count: Int) -> [[Float]] {
    var generator = SeededGenerator(seed: 7)
    return generator.matrix(count, 3)
  }

  func write(_ text: String, _ name: String) throws {
    var file = try AtomicFile(path: "\(folder)/\(name)")
    try file.write(Array(text.utf8))
    try file.commit()
  }

  func write(_ rows: [[Float]], width: Int? = nil) throws {
    var file = try AtomicFile(path: vectors)
    try NpyWriter.write(
      rows.flatMap { $0 }, rows: rows.count, columns: width ?? rows[0].count, to: &file)
    try file.commit()
  }

  /// An npy of any type and shape.
  func write(npy descr: String, shape: String, _ bytes: [UInt8]) throws {
    var header = "{'descr': '\(descr)', 'fortran_order': False, 'shape': \(shape), }"
    header += String(repeating: " ", count: 64 - (10 + header.utf8.count + 1) % 64) + "\n"
    let count = header.utf8.count
    var file = try AtomicFile(path: vectors)
    try file.write(
      [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(count & 255), UInt8(count >> 8)]
        + Array(header.utf8) + bytes)
    try file.commit()
  }

  func check() throws -> SourceCheck { try SourceCheck(vectors: vectors, inputs: lines) }

  func outputs(of model: Model) throws -> [[Float]] {
    let outputs = try Encoder(model: model, jobs: 1).outputs(for: inputs.map { .values($0) })
    return (0..<outputs.rowCount).map { Array(outputs[$0]) }
  }
}

struct SourceCheckTests {
  private let weight: [[Float]] = [
    [0.9, 0.1, -0.3], [0.2, -0.8, 0.5], [0.4, 0.4, 0.7], [1, -1, 0.2],
  ]

  private func find(
    _ change: ([[Float]]) -> [[Float]], _ kind: Kind = .embedding, rows: [[Float]]? = nil
  ) throws -> SourceFinding {
    let files = try SourceFiles()
    let model = try denseModel(rows ?? weight, kind)
    try files.write(change(try files.outputs(of: model)))
    return try files.check().run([model], jobs: 1)
  }

  private func fault(_ prepare: (SourceFiles) throws -> Void) throws -> String {
    let files = try SourceFiles()
    try prepare(files)
    let text = refusal { _ = try files.check().run([try denseModel(weight)], jobs: 1) }
    return text.replacing(files.folder + "/", with: "")
  }

  @Test func theModelsOwnVectorsAgree() throws {
    let finding = try find { $0 }
    #expect(finding.isAgreed && finding.reasons == [] && finding.agreements.count == 1)
    #expect(finding.words == "agrees with vectors made elsewhere, cosine min 1 (12 inputs)")
    let record = try #require(finding.agreements.first?.record)
    #expect(record.cosine == SourceRecord.Cosine(mean: 1, min: 1) && record.maxDifference == 0)
  }

  @Test func halvesAgreeAndSayWhatTheyAre() throws {
    let files = try SourceFiles()
    let model = try denseModel(weight)
    let halves = try files.outputs(of: model).flatMap { $0 }.map { Float16($0) }
    try files.write(
      npy: "<f2", shape: "(12, 4)",
      halves.flatMap { [UInt8($0.bitPattern & 255), UInt8($0.bitPattern >> 8)] })
    let finding = try files.check().run([model], jobs: 1)
    #expect(finding.isAgreed)
    let record = try #require(finding.agreements.first?.record)
    #expect(record.type == .float16 && record.maxDifference > 0 && record.maxDifference < 0.001)
    #expect(try #require(record.cosine).min > 0.9999999 - 1e-9)
  }

  @Test func doublesAgree() throws {
    let files = try SourceFiles()
    let model = try denseModel(weight)
    let doubles = try files.outputs(of: model).flatMap { $0 }.map { Double($0).bitPattern }
    try files.write(
      npy: "<f8", shape: "(12, 4)",
      doubles.flatMap { bits in (0..<8).map { UInt8((bits >> (8 * $0)) & 255) } })
    #expect(try files.check().run([model], jobs: 1).isAgreed)
  }

  @Test func otherVectorsDisagreeAndAreNamedWithBothNumbers() throws {
    let finding = try find { rows in rows.map { [$0[0] + 0.5, $0[1], $0[2], $0[3]] } }
    #expect(!finding.isAgreed && finding.agreements == [])
    #expect(finding.reasons[0].contains("disagrees with "))
    #expect(finding.reasons[0].contains("on 12 of 12 inputs: cosine min "))
    #expect(finding.reasons[1].contains("number 1 of the row: given "))
    #expect(finding.hints[0].hasPrefix("every row differs"))
  }

  @Test func aSingleRowThatDiffersIsADisagreement() throws {
    let finding = try find { rows in
      var rows = rows
      rows[4][2] += 0.01
      return rows
    }
    #expect(!finding.isAgreed)
    #expect(finding.reasons[0].contains("on 1 of 12 inputs"))
    #expect(finding.reasons[1].contains("line 5: cosine 0.999"))
  }

  @Test func lengthsAloneAreToldApart() throws {
    let finding = try find { rows in
      rows.map { row in
        let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return row.map { $0 / length }
      }
    }
    #expect(!finding.isAgreed)
    let summary = finding.reasons[0]
    #expect(summary.contains(": every direction agrees and lengths differ: found "), "\(summary)")
    #expect(summary.contains(", given 1; differences up to "), "\(summary)")
    #expect(finding.reasons[1].contains(": length "), "\(finding.reasons[1])")
    #expect(finding.hints.count == 1)
    #expect(
      finding.hints[0].contains("only the lengths of vectors differ; the given ones have length 1"))
  }

  @Test func rowsInAnotherOrderAreToldApart() throws {
    let finding = try find { Array($0[1...] + $0[...0]) }
    #expect(
      finding.hints == [
        "the rows are in another order than the lines: row 0 is what the model gives for line 2; "
          + "save one row for each line, in order"
      ])
  }

  @Test func numbersAreComparedByTheirRange() throws {
    #expect(try find({ $0 }, .numbers, rows: [[1, 2, 3]]).isAgreed)
    let finding = try find({ $0.map { [$0[0] * 10] } }, .numbers, rows: [[1, 2, 3]])
    #expect(!finding.isAgreed)
    #expect(
      finding.hints[0].hasPrefix("the right numbers are about the model's times 10: a scaling"))
    #expect(
      try find({ $0.map { [$0[0]] } }, .numbers, rows: [[1, 2, 3]]).words
        == "agrees with outputs made elsewhere, largest difference 0 (12 inputs)")
  }

  @Test func probabilitiesOfTheOtherLabelAreToldApart() throws {
    let finding = try find({ $0.map { [1 - $0[0]] } }, .binary, rows: [[1, 2, 3]])
    #expect(finding.hints[0].contains("1 minus the model's"))
  }

  @Test func eachFaultOfTheFilesIsOneClearError() throws {
    let good = try SourceFiles().outputs(of: denseModel(weight))
    #expect(
      try fault { try $0.write(Array(good.dropLast())) }
        == "vectors.npy: has 11 rows, inputs.jsonl has 12 inputs; save one row for each line")
    #expect(
      try fault { try $0.write(npy: "<f4", shape: "(0, 4)", []) }
        == "vectors.npy: has the shape [0, 4]: it is empty")
    #expect(
      try fault { try $0.write(good.map { Array($0.dropLast()) }) }
        == "vectors.npy: has rows of 3 numbers, 'model' gives an embedding of 4; "
        + "were they truncated ('truncate_dim')?")
    for bad in [Float.nan, .infinity] {
      var rows = good
      rows[2][1] = bad
      #expect(
        try fault { try $0.write(rows) }.hasPrefix(
          "vectors.npy: 1 row of 12 have numbers that are not finite, first row 2 ("))
    }
    #expect(
      try fault { try $0.write([[Float]](repeating: good[0], count: 12)) }
        == "vectors.npy: all 12 rows are alike, although the inputs differ")
    var rows = good
    rows[5] = [0, 0, 0, 0]
    #expect(try fault { try $0.write(rows) }.hasSuffix("is all zero, which has no cosine"))
    #expect(
      try fault { try $0.write(npy: "<i4", shape: "(12, 1)", [UInt8](repeating: 0, count: 48)) }
        == "vectors.npy: holds I32, expected float32, float64 or float16")
    #expect(
      try fault {
        try $0.write(npy: "<f4", shape: "(12, 2, 2)", [UInt8](repeating: 0, count: 192))
      } == "vectors.npy: has the shape [12, 2, 2], expected one row for each input")
    #expect(
      try fault {
        try $0.write(good)
        try $0.write(
          (0..<12).map { _ in #"{"values": [1, 2, 3]}"# }.joined(separator: "\n"), "inputs.jsonl")
      }
        == "inputs.jsonl: has 1 distinct input, which say nothing; give 8 or more, like those the "
        + "app will see")
    #expect(
      try fault {
        try $0.write(good)
        try $0.write(
          $0.inputs.indices.map { #"{"text": "\#($0)"}"# }.joined(separator: "\n"), "inputs.jsonl")
      } == #"inputs.jsonl:1: "0": is a text, the model takes 3 values ('x0', 'x1', 'x2')"#)
  }

  @Test func aDamagedFileIsNotRead() throws {
    #expect(try fault { try $0.write("no npy", "vectors.npy") }.contains("vectors.npy"))
    #expect(
      try fault {
        try $0.write(npy: "<f4", shape: "(12, 4)", [UInt8](repeating: 0, count: 20))
      }.contains("vectors.npy"))
  }

  @Test func theReceiptSaysItAndReadsBack() throws {
    let files = try SourceFiles()
    let model = try denseModel(weight)
    try files.write(try files.outputs(of: model))
    let check = try files.check()
    let set = try references([pairLine([1, 0, 0], [0, 1, 0]), pairLine([0, 1, 0], [0, 0, 1])])
    let agreements = try check.run([model], jobs: 1).agreements
    func judge(_ model: Model, _ agreements: [SourceAgreement]) throws -> DriftReceipt? {
      try Gate.judge(
        baseline: .model(model), candidate: .model(model), references: set, limits: try Limits(),
        agreements: agreements, jobs: 1
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
      try Gate.judge(
        baseline: .model(model), candidate: .model(model), references: set, limits: try Limits(),
        agreements: try files.check().run([model], jobs: 1).agreements, jobs: 1
      ).receipt)
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
        try Gate.judge(
          baseline: .model(model), candidate: .model(model), references: set,
          limits: try Limits(), agreements: agreements, jobs: 1
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
