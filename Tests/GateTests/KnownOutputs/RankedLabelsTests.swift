import Foundation
import Graph
import ModelFixtures
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

/// Observed labels contradict a classifier only where scatter does not explain it.
struct RankedLabelsTests {
  private func ranked(_ outputs: [Float], _ labels: [Float], width: Int = 1) -> RankedLabels? {
    func matrix(_ values: [Float]) -> OutputMatrix {
      OutputMatrix(rowCount: values.count / width, width: width, values: values)
    }
    return RankedLabels(outputs: matrix(outputs), labels: matrix(labels))
  }

  /// Probabilities around one half, and labels that are drawn by them.
  private func drawn(
    _ generator: inout SeededGenerator, count: Int, strength: Double, offset: Double
  ) -> (outputs: [Float], labels: [Float]) {
    let outputs = (0..<count).map { _ in
      1 / (1 + exp(-strength * Double.random(in: -1...1, using: &generator) - offset))
    }
    let labels = outputs.map { Double.random(in: 0..<1, using: &generator) < $0 ? Float(1) : 0 }
    return (outputs.map { Float($0) }, labels)
  }

  @Test func pairsAreCountedByHand() throws {
    // Of the six pairs of a 1 and a 0 five are in order: 0.4 is behind 0.5.
    let one = try #require(ranked([0.1, 0.5, 0.4, 0.9, 0.95], [0, 0, 1, 1, 1]))
    #expect(one.area == 5.0 / 6)
    // Their standard deviation is the root of 3 · 2 · 6 / 12.
    #expect((one.minByScatter - (0.5 - 3.0902 * 3.0.squareRoot() / 6)).magnitude < 1e-12)
    // Equal outputs count for the model.
    #expect(try #require(ranked([0.5, 0.5, 0.5], [1, 0, 1])).area == 1)
    #expect(ranked([0.1, 0.9], [1, 1]) == nil)
  }

  /// Both columns of a softmax say what one does.
  @Test func twoColumnsAreOne() throws {
    var generator = SeededGenerator(seed: 5)
    let (outputs, labels) = drawn(&generator, count: 30, strength: 1, offset: 0)
    let one = try #require(ranked(outputs, labels))
    let two = try #require(
      ranked(outputs.flatMap { [1 - $0, $0] }, labels.flatMap { [1 - $0, $0] }, width: 2))
    #expect((one.area - two.area).magnitude < 1e-12)
    #expect((one.minByScatter - two.minByScatter).magnitude < 1e-12)
  }

  /// Models that are right and tell hardly anything; many rank the labels below chance.
  @Test(arguments: [(count: 30, offset: 0.0), (count: 200, offset: -3.5), (count: 12, offset: 1.0)])
  func noRightWeakClassifierIsContradicted(_ test: (count: Int, offset: Double)) {
    var generator = SeededGenerator(seed: 17)
    var belowChance = 0
    for _ in 0..<200 {
      let (outputs, labels) = drawn(
        &generator, count: test.count, strength: 0.1, offset: test.offset)
      guard let ranked = ranked(outputs, labels) else { continue }
      belowChance += ranked.area < 0.5 ? 1 : 0
      #expect(!ranked.contradict, "\(ranked)")
    }
    #expect(belowChance > 50)
  }

  @Test func everyFlippedSignOfAUsefulClassifierIsContradicted() throws {
    var generator = SeededGenerator(seed: 23)
    for _ in 0..<200 {
      let (outputs, labels) = drawn(&generator, count: 100, strength: 6, offset: 0)
      #expect(try #require(ranked(outputs.map { 1 - $0 }, labels)).contradict)
      #expect(try #require(ranked(outputs, labels)).contradict == false)
    }
  }

  /// One sample without the label and outputs that are nearly all equal: the normal approximation
  /// says nothing there, and no contradiction is made of it.
  @Test func tiesAreNoContradiction() throws {
    let outputs = [Float](repeating: 0.9, count: 30) + [Float](repeating: 0.1, count: 970)
    let labels: [Float] = [0] + [Float](repeating: 1, count: 999)
    #expect(try #require(ranked(outputs, labels)).contradict == false)
  }

  /// Every label is one place off.
  @Test func labelsInAnotherOrderAreContradicted() throws {
    let labels = (0..<90).flatMap { row in (0..<3).map { $0 == row % 3 ? Float(1) : 0 } }
    let right = labels.map { 0.1 + 0.7 * $0 }
    let moved = (0..<90).flatMap { row in (0..<3).map { right[row * 3 + ($0 + 1) % 3] } }
    #expect(try #require(ranked(right, labels, width: 3)).area == 1)
    #expect(try #require(ranked(moved, labels, width: 3)).contradict == false)
    var generator = SeededGenerator(seed: 3)
    let noisy = moved.map { $0 + Float.random(in: 0..<0.01, using: &generator) }
    #expect(try #require(ranked(noisy, labels, width: 3)).contradict)
  }
}
