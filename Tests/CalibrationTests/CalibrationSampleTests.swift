import Execution
import Graph
import Inputs
import TestSupport
import Testing

@testable import Calibration

@Suite struct CalibrationSampleTests {
  private func sample(
    _ lines: [String], copies: Int = 0, maximum: Int = 384
  ) throws -> CalibrationSample {
    var settings = CalibrationSettings()
    settings.noisyCopies = copies
    settings.maxInputs = maximum
    return try CalibrationSample(
      try calibration(lines), for: try TinyBert.model(), settings: settings,
      shapes: InputShapes(rowsPerInput: 1))
  }

  private func ids(_ batch: CalibrationSample.Batch) -> [Int32] {
    if case .integers(let values) = batch.inputs["input_ids"] { values } else { [] }
  }

  @Test func textsOfOneLengthRunTogetherWithoutPadding() throws {
    let sample = try sample([#""w0""#, #""w1 w2""#, #""w3""#, #""w4 w5""#, #""w6 w7 w8""#])
    #expect(
      sample.batches.map { ids($0) } == [
        [2, 10, 11, 12, 3], [2, 5, 6, 3, 2, 8, 9, 3], [2, 4, 3, 2, 7, 3],
      ])
    #expect(sample.batches.map(\.count) == [1, 2, 2])
    #expect(sample.count == 5)
    for batch in sample.batches {
      guard case .integers(let mask) = batch.inputs["attention_mask"] else { continue }
      #expect(mask == Array(repeating: 1, count: ids(batch).count))
    }
  }

  @Test func copiesAreOfTheSameLengths() throws {
    let sample = try sample([#""w0 w1""#, #""w2 w3 w4""#], copies: 2)
    #expect(sample.batches.map(\.count) == [3, 3])
    #expect(sample.count == 6)
    for batch in sample.batches {
      let length = ids(batch).count / 3
      for row in 0..<3 {
        #expect(ids(batch)[row * length] == 2 && ids(batch)[(row + 1) * length - 1] == 3)
      }
    }
  }

  @Test func choosesEvenly() throws {
    let sample = try sample((0..<9).map { #""w\#($0)""# }, maximum: 3)
    #expect(sample.batches.map { ids($0) } == [[2, 5, 3, 2, 8, 3, 2, 11, 3]])
  }

  @Test func refusesInputsOfAnotherKind() throws {
    let found = refusal { _ = try sample([#""w0""#, #"{"values": [1]}"#]) }
    #expect(
      found == "lines.jsonl:2: [1.0]: is a list of values, the model takes a text")
  }

  @Test func namesTheLineOfAnInputTheModelCannotTake() throws {
    let set = try calibration([#"{"values": [1, 2, 3]}"#, #"{"values": [1, 2]}"#])
    let found = refusal {
      _ = try CalibrationSample(
        set, for: try denseModel(), settings: CalibrationSettings(),
        shapes: InputShapes(rowsPerInput: 1))
    }
    #expect(
      found == "lines.jsonl:2: [1.0, 2.0]: has 2 values, the model takes 3 ('x', 'y', 'z')")
  }

  @Test func featuresRunInBatches() throws {
    let sample = try CalibrationSample(
      try calibration(rows(300)), for: try denseModel(), settings: CalibrationSettings(),
      shapes: InputShapes(rowsPerInput: 1))
    #expect(sample.batches.map(\.count) == [256, 44])
  }
}
