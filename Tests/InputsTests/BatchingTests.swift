import Graph
import ModelFixtures
import TestSupport
import Testing

@testable import Inputs

struct BatchingTests {
  @Test func everyInputIsInOneBatchAndFits() {
    var generator = SeededGenerator(seed: 5)
    for count in [0, 1, 2, 31, 32, 33, 500] {
      let lengths = (0..<count).map { _ in Int.random(in: 1...256, using: &generator) }
      let batches = Batching.plan(lengths: lengths)
      #expect(batches.flatMap(\.rows).sorted() == Array(0..<count))
      for batch in batches {
        #expect(batch.rows.count <= 32)
        #expect(batch.rows.count * batch.length <= 4096)
        #expect(batch.rows.map { lengths[$0] }.max() == batch.length)
      }
    }
  }

  @Test func paddingCostsLittle() {
    var generator = SeededGenerator(seed: 6)
    let lengths = (0..<2000).map { _ in Int.random(in: 4...60, using: &generator) }
    let padded = Batching.plan(lengths: lengths).reduce(0) { $0 + $1.rows.count * $1.length }
    #expect(Double(padded) < 1.03 * Double(lengths.reduce(0, +)))
  }

  @Test func unlikeLengthsAreKeptApart() {
    let batches = Batching.plan(lengths: [10] + Array(repeating: 128, count: 4) + [9])
    #expect(
      batches == [Batch(rows: [1, 2, 3, 4], length: 128), Batch(rows: [0, 5], length: 10)])
  }

  @Test func anInputLongerThanABatchRunsAlone() {
    #expect(
      Batching.plan(lengths: [5000, 5000])
        == [Batch(rows: [0], length: 5000), Batch(rows: [1], length: 5000)])
  }

  @Test func equalLengthsKeepTheirOrder() {
    #expect(Batching.plan(lengths: [3, 3, 3]) == [Batch(rows: [0, 1, 2], length: 3)])
  }

  @Test func rowsWithoutLength() {
    #expect(
      Batching.plan(count: 5, rows: 2).map(\.rows) == [[0, 1], [2, 3], [4]])
    #expect(Batching.plan(count: 0, rows: 2) == [])
  }

  /// A program takes one input at a time, padded to the next length it has.
  @Test func shapesOfAProgram() {
    #expect(
      Batching.plan(lengths: [3, 8, 4, 9, 1], shapes: .single(lengths: [4, 8, 16])) == [
        Batch(rows: [3], length: 16), Batch(rows: [1], length: 8), Batch(rows: [2], length: 4),
        Batch(rows: [0], length: 4), Batch(rows: [4], length: 4),
      ])
    #expect(Batching.plan(lengths: [], shapes: .single(lengths: [4])) == [])
    // What is longer than any was cut before; nothing is lost here.
    #expect(
      Batching.plan(lengths: [5], shapes: .single(lengths: [4])) == [Batch(rows: [0], length: 4)])
    let lengths = [3, 8, 4, 9, 1]
    #expect(Batching.plan(lengths: lengths, shapes: .any) == Batching.plan(lengths: lengths))
  }
}
