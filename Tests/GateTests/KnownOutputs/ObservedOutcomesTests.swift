import Files
import Foundation
import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

/// Observed outcomes are told from a model's outputs, and prove less.
struct ObservedOutcomesTests {
  private let features: [Float] = [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5]
  private let fine = "(nothing was thrown)"

  /// The output of a model other than `[[1]]`, near enough to be of use.
  private func bent(_ x: Float) -> Float { x + x * x / 7.3 }

  private func tenths(_ value: Float) -> Float { (value * 10).rounded() / 10 }

  /// Lines of one feature each, with what is known under a key.
  private func set(
    _ key: String, _ inputs: some Sequence<Float>, _ known: (Float) -> Float
  ) throws -> ReferenceSet {
    try references(
      inputs.map { #"{"input": {"values": [\#($0)]}, "\#(key)": [\#(known($0))]}"# })
  }

  private func check(_ rows: [[Float]], _ kind: Kind, _ set: ReferenceSet) -> String {
    refusal {
      try Gate.checkKnownOutputs(of: [try denseModel(rows, kind)], on: set, jobs: 1)
    }
  }

  private func judge(_ set: ReferenceSet) throws -> Verdict {
    let model = try denseModel([[1]], .numbers)
    return try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge([model], against: [model])
  }

  @Test func numbersThatAProgramComputedMustBeMet() throws {
    let fault = check([[1]], .numbers, try set("output", features, bent))
    #expect(fault.hasPrefix("refs.jsonl: the known outputs are missed on 9 of 10 samples\n"))
    #expect(
      fault.hasSuffix(
        "'output' is what the model gave where it was trained: write what was observed as "
          + "'outcome'"), "\(fault)")
  }

  @Test(arguments: ["output", "outcome"])
  func measuredNumbersProveNothingOfTheReadingAndSaySo(_ key: String) throws {
    let verdict = try judge(try set(key, features) { tenths(bent($0)) })
    let known = try #require(verdict.known)
    #expect(known.form == .outcomes && verdict.receipt?.known == known)
    let caution = try #require(known.caution)
    #expect(
      caution.hasPrefix(
        "the known outputs were taken as observed outcomes: they differ from what the model gives "
          + "by up to \(Figures.plain(known.maxDifference)) "))
    #expect(caution.hasSuffix("give what the model itself gave"))
    #expect(known.caution { $0 == .sourceCheck ? "X" : nil } == caution + ", or X")
    #expect(verdict.json.compact.contains(#""knownOutputs":{"caution":"the known outputs"#))
  }

  /// Noise as large as the signal hides no scale.
  @Test func outcomesOfAnotherScaleAreMissedWhateverTheirNoise() throws {
    let inputs = (0..<200).map { Float($0) / 10 - 10 }
    let noisy = try set("outcome", inputs) { tenths($0 + 10 * sin($0 * 1000)) }
    #expect(check([[1]], .numbers, noisy) == fine)
    for wrong in [Float(0.1), 10] {
      #expect(
        check([[wrong]], .numbers, noisy).hasPrefix("refs.jsonl: the known outputs are "),
        "\(wrong)")
    }
    #expect(
      check([[0.1]], .numbers, noisy).contains("the right numbers are about the model's times "))
  }

  /// Their mean tells them without a model.
  @Test func outcomesThatAreAllAlikeAreMissed() throws {
    #expect(
      check([[1]], .numbers, try set("outcome", features) { _ in 0 }).contains(
        "farther from the baseline's than from their own mean"))
  }

  /// A slope that regularisation reduced is not taken for a fault of reading.
  @Test func aModelThatShrinksItsOutputsIsOfUse() throws {
    let shrunken = try set("outcome", features) { tenths($0 * 1.4 + 0.3 * sin($0 * 1000)) }
    #expect(check([[1]], .numbers, shrunken) == fine)
  }

  @Test func outputsThatAreMetNeedNoCaution() throws {
    let verdict = try judge(try set("output", features) { $0 })
    #expect(verdict.known?.form == .outputs && verdict.known?.caution == nil)
  }

  @Test func computedNumbersMayBeStatedToBeOutcomes() throws {
    let set = try set("outcome", features, bent)
    #expect(try judge(set).known?.form == .outcomes)
    #expect(
      check([[-1]], .numbers, set).contains("farther from the baseline's than from their own mean"))
    #expect(
      check([[10]], .numbers, set).contains("the right numbers are about the model's times 0.1"))
  }

  @Test(arguments: ["output", "outcome"])
  func fewerThanEightNumbersMustBeMet(_ key: String) throws {
    let few = try set(key, features.prefix(7)) { tenths(bent($0)) }
    #expect(
      check([[1]], .numbers, few).contains(
        "are missed, and 7 samples of observed outcomes say nothing: 8 are needed\n"))
    #expect(check([[1]], .numbers, try set(key, features.prefix(7)) { $0 }) == fine)
  }

  /// Seven labels may all be wrong by scatter: they prove nothing, and that is said.
  @Test(arguments: ["output", "outcome"])
  func fewLabelsContradictNoClassifier(_ key: String) throws {
    let few = try set(key, features.prefix(7)) { $0 > 0 ? 1 : 0 }
    for row in [Float(1), -1] {
      #expect(check([[row]], .binary, few) == fine)
      let model = try denseModel([[row]], .binary)
      let verdict = try Gate(on: few, Limits(), threshold: nil, jobs: 1).judge(
        [model], against: [model])
      #expect(verdict.known?.form == .outcomes)
      #expect(verdict.known?.caution?.contains("proves nothing of how the model is read") == true)
    }
  }

  /// A set may hold only what is rare; the model gives it less than one half, and is right.
  @Test func labelsOfOneKindContradictNoClassifier() throws {
    let rare = try set("outcome", (0..<20).map { Float($0) / 10 - 5 }) { _ in 1 }
    #expect(check([[1]], .binary, rare) == fine)
  }

  /// Scores of any size rank what was observed; as 'output', labels are not scores.
  @Test(arguments: [Float(1), 30])
  func scoresTakeLabelsThatWereObserved(_ size: Float) throws {
    let inputs = (-20...20).map { Float($0) / 4 }
    let label = { (x: Float) -> Float in x > 1 ? 1 : 0 }
    let observed = try set("outcome", inputs, label)
    #expect(check([[size]], .score, observed) == fine)
    #expect(
      check([[-size]], .score, observed).contains(
        "are labels that the baseline ranks the wrong way round"))
    let stated = check([[size]], .score, try set("output", inputs, label))
    #expect(stated.contains("from 0 to 1; the baseline's outputs are not"))
    #expect(stated.hasSuffix(", or write labels that were observed as 'outcome'"), "\(stated)")
  }

  @Test func outcomesOfAClassifierAreLabels() throws {
    let fault = check([[1]], .binary, try set("outcome", features) { _ in 0.5 })
    #expect(fault.contains("are outcomes of a classifier and not all labels, 0 or 1\n"))
    #expect(fault.hasSuffix("write probabilities that the model gave as 'output'"))
  }

  @Test func aSetKnowsOneOfTheTwo() {
    let output = #"{"input": {"values": [1]}, "output": [1]}"#
    let outcome = #"{"input": {"values": [2]}, "outcome": [1]}"#
    #expect(
      refusal { _ = try references([output, outcome]) }
        == "refs.jsonl:2:1: this line has 'outcome', line 1 has 'output'; a set knows one of the two"
    )
    #expect(
      refusal {
        _ = try references([#"{"input": {"values": [1]}, "output": [1], "outcome": [1]}"#])
      } == "refs.jsonl:1:1: a sample has 'output', what the model gives, or 'outcome', what was "
        + "observed, not both")
    #expect(
      refusal { _ = try references(["x,output,outcome", "1,2,3"], origin: "r.csv") }
        == "r.csv:1:10: a table has a column 'output' or 'outcome', not both")
  }

  @Test func tablesHaveOutcomes() throws {
    let samples = try references(["x,y,outcome", "1,2,0.5", "3,4,"], origin: "refs.csv")
    #expect(
      samples.content
        == .samples([
          .init(input: 0, output: [0.5], line: 2, isOutcome: true),
          .init(input: 1, output: nil, line: 3),
        ]))
    #expect(samples.features == ["x", "y"])
    #expect(samples.decision == "refs.csv: read as CSV: the features 'x', 'y' with outcomes")
  }

  @Test func digitsAreThoseOfTheShortestDecimal() {
    for (value, digits) in [
      (31.27, 4), (0.1, 1), (2.1911376, 8), (100, 1), (1.5e-7, 2), (0.00123, 3), (-12.5, 3),
      (0, 0),
    ] as [(Float, Int)] {
      #expect(ComputedNumbers.digits(of: value) == digits, "\(value)")
    }
    #expect(!ComputedNumbers.areMost([12_345_678, 31.27, 0.5]))
    #expect(ComputedNumbers.areMost([1.2345678, 31.271234, 0.5]))
    #expect(!ComputedNumbers.areMost([]))
  }
}
