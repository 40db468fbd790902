import Testing

@testable import SelfTesting

/// Which outputs are near enough to those of the judged model.
struct ToleranceTests {
  @Test func embeddingsAreComparedByTheirDirection() {
    let limit = Tolerance.cosine(0.99)
    #expect(limit.fault([2, 0], expected: [1, 0]) == nil)
    #expect(limit.fault([1, 0.1], expected: [1, 0]) == nil)
    #expect(limit.fault([1, 0.2], expected: [1, 0]) == "has the cosine 0.9806, the limit is 0.99")
    #expect(limit.fault([-1, 0], expected: [1, 0]) != nil)
    #expect(limit.fault([0, 0], expected: [1, 0]) != nil)
  }

  @Test func numbersAreComparedByTheirSize() {
    let limit = Tolerance.difference(0.02)
    #expect(limit.fault([0.51, 0.49], expected: [0.5, 0.5]) == nil)
    #expect(limit.fault([0.53, 0.47], expected: [0.5, 0.5]) != nil)
    #expect(limit.fault([101], expected: [100]) == nil)
    #expect(limit.fault([103], expected: [100]) == "is off by 0.03, the limit is 0.02")
  }

  @Test(arguments: [Tolerance.cosine(-1), .difference(2)])
  func whatIsNotFiniteOrOfAnotherLengthIsNeverNearEnough(_ tolerance: Tolerance) {
    #expect(tolerance.fault([.nan, 1], expected: [1, 1]) != nil)
    #expect(tolerance.fault([.infinity, 1], expected: [1, 1]) != nil)
    #expect(tolerance.fault([1], expected: [1, 1]) != nil)
  }

  struct Model: SelfTestable {
    let outputs: [Float]
    func output(named name: String, for inputs: [TensorValue]) -> [Float] {
      name == "embedding" && inputs.map(\.name) == ["values", "features", "ids", "picture"]
        ? outputs : []
    }
  }

  /// Core ML gives the probabilities of both classes, a graph that of the second.
  @Test func ofTwoClassesTheSecondIsCompared() async throws {
    let value = try SelfTestFileTests.tensor("probabilities", [1], .float32([0.8]))
    let test = SelfTest(
      .references, .difference(0.02), [SelfTest.Case(inputs: [value], output: value)])
    struct Classifier: SelfTestable {
      let outputs: [Float]
      func output(named name: String, for inputs: [TensorValue]) -> [Float] { outputs }
    }
    try await test.run(on: Classifier(outputs: [0.2, 0.8]))
    await #expect(throws: SelfTestFailure.self) {
      try await test.run(on: Classifier(outputs: [0.8, 0.2]))
    }
    await #expect(throws: SelfTestFailure.self) {
      try await test.run(on: Classifier(outputs: [0.1, 0.1, 0.8]))
    }
  }

  @Test func aModelPassesWithItsOwnOutputsOnly() async throws {
    let test = try SelfTestFileTests.test()
    try await test.run(on: Model(outputs: [0.6, -0.8]))
    let error = await #expect(throws: SelfTestFailure.self) {
      try await test.run(on: Model(outputs: [0.8, 0.6]))
    }
    #expect(
      error?.description
        == "self-test 1: 'embedding' has the cosine 0.0, the limit is 0.995")
  }
}
