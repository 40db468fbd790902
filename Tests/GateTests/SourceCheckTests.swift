import Files
import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

struct SourceCheckTests {
  let weight: [[Float]] = [
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
    #expect(finding.isAgreed && finding.lines == [] && finding.agreements.count == 1)
    #expect(finding.words == "agrees with vectors made elsewhere, cosine min 1 (12 inputs)")
    let record = try #require(finding.agreements.first?.record)
    #expect(record.cosine == SourceRecord.Cosine(mean: 1, min: 1) && record.maxDifference == 0)
  }

  @Test func float16AgreesAndSaysWhatItIs() throws {
    let files = try SourceFiles()
    let model = try denseModel(weight)
    let float16s = try files.outputs(of: model).flatMap { $0 }.map { Float16($0) }
    try files.write(
      npy: "<f2", shape: "(12, 4)",
      float16s.flatMap { [UInt8($0.bitPattern & 255), UInt8($0.bitPattern >> 8)] })
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
    #expect(finding.lines[0].contains("disagrees with "))
    #expect(finding.lines[0].contains("on 12 of 12 inputs: cosine min "))
    #expect(finding.lines[1].contains("number 1 of the row: given "))
    #expect(finding.hints[0].words.hasPrefix("every row differs"))
  }

  @Test func aSingleRowThatDiffersIsADisagreement() throws {
    let finding = try find { rows in
      var rows = rows
      rows[4][2] += 0.01
      return rows
    }
    #expect(!finding.isAgreed)
    #expect(finding.lines[0].contains("on 1 of 12 inputs"))
    #expect(finding.lines[1].contains("line 5: cosine 0.999"))
  }

  @Test func lengthsAloneAreToldApart() throws {
    let finding = try find { rows in
      rows.map { row in
        let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return row.map { $0 / length }
      }
    }
    #expect(!finding.isAgreed)
    let summary = finding.lines[0]
    #expect(summary.contains(": every direction agrees and lengths differ: found "), "\(summary)")
    #expect(summary.contains(", given 1; differences up to "), "\(summary)")
    #expect(finding.lines[1].contains(": length "), "\(finding.lines[1])")
    #expect(finding.hints == [.lengths(.givenAreUnit)])
    #expect(
      finding.hints[0].words.contains(
        "only the lengths of vectors differ; the given ones have length 1"))
  }

  @Test func rowsInAnotherOrderAreToldApart() throws {
    let finding = try find { Array($0[1...] + $0[...0]) }
    #expect(
      finding.hints.map(\.words) == [
        "the rows are in another order than the lines: row 0 is what the model gives for line 2; "
          + "save one row for each line, in order"
      ])
  }

  @Test func numbersAreComparedByTheirRange() throws {
    #expect(try find({ $0 }, .numbers, rows: [[1, 2, 3]]).isAgreed)
    let finding = try find({ $0.map { [$0[0] * 10] } }, .numbers, rows: [[1, 2, 3]])
    #expect(!finding.isAgreed)
    #expect(
      finding.hints[0].words.hasPrefix(
        "the right numbers are about the model's times 10: a scaling"))
    #expect(
      try find({ $0.map { [$0[0]] } }, .numbers, rows: [[1, 2, 3]]).words
        == "agrees with outputs made elsewhere, largest difference 0 (12 inputs)")
  }

  @Test func probabilitiesOfTheOtherLabelAreToldApart() throws {
    let finding = try find({ $0.map { [1 - $0[0]] } }, .binary, rows: [[1, 2, 3]])
    #expect(finding.hints[0].words.contains("1 minus the model's"))
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
      } == #"inputs.jsonl:1: "0": is a text of 1 character, "#
        + "the model takes 3 values ('x0', 'x1', 'x2')")
  }

  @Test func aDamagedFileIsNotRead() throws {
    #expect(try fault { try $0.write("no npy", "vectors.npy") }.contains("vectors.npy"))
    #expect(
      try fault {
        try $0.write(npy: "<f4", shape: "(12, 4)", [UInt8](repeating: 0, count: 20))
      }.contains("vectors.npy"))
  }
}

extension SourceFinding {
  /// The reasons where nothing can be typed.
  fileprivate var lines: [String] { reasons { _ in nil } }
}
