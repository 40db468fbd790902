import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

struct KnownOutputsTests {
  /// Lines of one feature each, with the outputs that are known.
  private func set(_ samples: [(x: Float, known: [Float])]) throws -> ReferenceSet {
    try references(samples.map { #"{"input": {"values": [\#($0.x)]}, "output": \#($0.known)}"# })
  }

  private func check(_ rows: [[Float]], _ kind: Kind, _ set: ReferenceSet) -> String {
    refusal {
      try Gate.checkKnownOutputs(of: [try denseModel(rows, kind)], on: set, jobs: 1)
    }
  }

  private func record(
    _ rows: [[Float]], _ kind: Kind, _ set: ReferenceSet
  ) throws -> KnownRecord? {
    let model = try denseModel(rows, kind)
    return try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge([model], against: [model])
      .receipt?.known
  }

  private let fine = "(nothing was thrown)"
  private let features: [Float] = [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5]

  private func sigmoid(_ x: Float) -> Float {
    var sum = 1.0, term = 1.0
    // The exponential series, for small numbers only.
    for count in 1..<60 {
      term *= Double(-x) / Double(count)
      sum += term
    }
    return Float(1 / (1 + sum))
  }

  @Test func aRegressorTenTimesOffIsAnError() throws {
    let set = try set(features.map { ($0, [$0]) })
    let fault = check([[10]], .numbers, set)
    #expect(
      fault.hasPrefix(
        "refs.jsonl: the known outputs are missed on 9 of 10 samples\n"
          + "line 10, [5.0]: known 5, the baseline gives 50\n")
        || fault.hasPrefix(
          "refs.jsonl: the known outputs are missed by a scale\n"
            + "line 10, [5.0]: known 5, the baseline gives 50\n")
    )
    #expect(fault.contains("the right numbers are about the model's times 0.1: a scaling"))
    #expect(check([[1]], .numbers, set) == fine)
  }

  /// Of two labels by one number both may be known, as other models and libraries give them.
  @Test func bothOfTwoLabelsMayBeKnown() throws {
    let both = features.map { x in (x, [1 - sigmoid(x), sigmoid(x)]) }
    #expect(check([[1]], .binary, try set(both)) == fine)
    #expect(try record([[1]], .binary, try set(both))?.samples == 10)
    // They are compared as one is.
    let wrong = features.map { x in (x, [sigmoid(x), 1 - sigmoid(x)]) }
    #expect(check([[1]], .binary, try set(wrong)).contains("the known outputs are missed on"))
    let odd = check([[1]], .binary, try set([(1, [0.4, 0.4])]))
    #expect(
      odd.contains(
        "'output' has 2 numbers, the model gives 1, the probability p of the second of two labels; "
          + "write it, or [1 − p, p]"), "\(odd)")
    let score = check([[1]], .score, try set(both))
    #expect(score.contains("'output' has 2 numbers, the model gives 1"), "\(score)")
  }

  @Test func theGateItselfLooksAgain() throws {
    let set = try set(features.map { ($0, [$0]) })
    let model = try denseModel([[10]], .numbers)
    let fault = refusal {
      _ = try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge([model], against: [model])
    }
    #expect(fault.hasPrefix("refs.jsonl: the known outputs are missed"))
  }

  @Test func fewSamplesAreEnoughForAScale() throws {
    #expect(check([[10]], .numbers, try set([(3, [3])])) != fine)
    #expect(check([[10]], .numbers, try set([(3, [3]), (1, [1])])) != fine)
    #expect(check([[1.05]], .numbers, try set([(3, [3]), (1, [1]), (2, [2])])) != fine)
  }

  @Test func oneLineThatIsMissedAmongManyThatAreMetIsAnError() throws {
    var samples = features.map { (x: $0, known: [$0]) }
    samples[3].known = [0]
    let fault = check([[1]], .numbers, try set(samples))
    #expect(fault.contains("are missed on 1 of 10 samples\nline 4, [-1.0]: known 0, the baseline"))
    #expect(!fault.contains("line 5"))
  }

  @Test func aForgottenSigmoidIsAnError() throws {
    // A classifier whose only activation is the identity gives logits.
    for known in [features.map { sigmoid($0) }, features.map { $0 > 0 ? 1 : 0 }] {
      let right = OutputMatrix(rowCount: 10, width: 1, values: known)
      let logits = OutputMatrix(rowCount: 10, width: 1, values: features)
      let set = try set(zip(features, known).map { ($0, [$1]) })
      for scale in [ScoreScale.probabilities, .scores] {
        let outputs = try #require(
          KnownOutputs(
            of: set, meaning: .classes(labels: ["no", "yes"], width: 1, scale: scale),
            baseline: logits))
        let fault = refusal { _ = try outputs.record() }
        #expect(
          fault.contains("are labels or probabilities, from 0 to 1; the baseline's outputs are not")
        )
        #expect(fault.contains("line 10, [5.0]: known"))
        #expect(
          fault.contains("the sigmoid is missing; give the last layer the activation 'sigmoid'"))
        #expect(OutputHints.activation(ours: right, given: right) == nil)
      }
    }
  }

  @Test func probabilitiesAreMetUpToTheirRounding() throws {
    let known = features.map { (sigmoid($0) * 100).rounded() / 100 }
    let set = try set(zip(features, known).map { ($0, [$1]) })
    #expect(check([[1]], .binary, set) == fine)
    let record = try #require(try record([[1]], .binary, set))
    #expect(record.form == .outputs && record.samples == 10 && record.maxDifference < 0.006)
    #expect(check([[1.2]], .binary, set).contains("known outputs are missed on "))
    #expect(
      check([[-1]], .binary, set).hasSuffix(
        "it is the probability of the other label; swap 'labels'"))
  }

  @Test func labelsAreOutcomesAndNeedNotBeMet() throws {
    let set = try set(features.map { ($0, [$0 > 1 ? 1 : 0]) })
    let record = try #require(try record([[1]], .binary, set))
    #expect(record.form == .outcomes && record.samples == 10)
    #expect(record.maxDifference == Figures.rounded(Double(sigmoid(1))))
    let many = try self.set(
      (-20...20).map { Float($0) / 4 }.map { ($0, [$0 > 1 ? 1 : 0]) })
    #expect(check([[1]], .binary, many) == fine)
    // 16 labels of 41, and none of the pairs in order.
    #expect(
      check([[-1]], .binary, many).contains(
        "are labels that the baseline ranks the wrong way round: its outputs are in their order in 0 "
          + "of the pairs, chance is 0.5, and scatter leaves no less than 0.211\n"))
  }

  @Test func measuredValuesNeedNotBeMet() throws {
    let noise: [Float] = [0.4, -0.6, 0.1, 0.5, -0.3, 0.7, -0.8, 0.2, -0.2, 0.3]
    let set = try set(zip(features, noise).map { ($0, [$0 + $1]) })
    #expect(try record([[1]], .numbers, set)?.form == .outcomes)
    #expect(
      check([[10]], .numbers, set).contains("the right numbers are about the model's times 0.1"))
    #expect(
      check([[-1]], .numbers, set).contains("farther from the baseline's than from their own mean"))
  }

  @Test func withoutKnownOutputsNothingIsSaid() throws {
    let set = try references([#"{"input": {"values": [1]}}"#, #"{"input": {"values": [2]}}"#])
    #expect(try record([[1]], .numbers, set) == nil)
  }

  @Test func columnsInAnotherOrderAreNamed() throws {
    // softmax of (x, 0).
    let set = try set(features.map { ($0, [1 - sigmoid($0), sigmoid($0)]) })
    #expect(
      check([[1], [0]], .softmax, set)
        .hasSuffix("column 1 is the model's column 2: the labels are in another order"))
    #expect(check([[0], [1]], .softmax, set) == fine)
  }

  @Test func theReceiptSaysHowManyAndReadsBack() throws {
    let set = try set(features.map { ($0, [$0]) })
    let model = try denseModel([[1]], .numbers)
    let receipt = try #require(
      try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge([model], against: [model]).receipt)
    let text = receipt.json.compact
    #expect(
      text.contains(#""knownOutputs":{"form":"outputs","maxDifference":"0","samples":10}"#))
    #expect(try RecordedReceipt(Array(text.utf8), origin: "r").records(receipt))
    let forged = text.replacing(#""maxDifference":"0""#, with: #""maxDifference":"0.02""#)
    #expect(
      refusal { _ = try RecordedReceipt(Array(forged.utf8), origin: "r") }
        .hasSuffix("'maxDifference' is 0.02, known outputs are met up to 0.01"))
  }
}
