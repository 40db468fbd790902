import Testing

@testable import Calibration

@Suite struct EvenChoiceTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let count: Int
    let maximum: Int
    let indices: [Int]
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "nothing", count: 0, maximum: 3, indices: []),
    Case(name: "fewer than wanted", count: 2, maximum: 3, indices: [0, 1]),
    Case(name: "as many as wanted", count: 3, maximum: 3, indices: [0, 1, 2]),
    Case(name: "the middles of stretches", count: 9, maximum: 3, indices: [1, 4, 7]),
    Case(name: "uneven stretches", count: 10, maximum: 4, indices: [1, 3, 6, 8]),
    Case(name: "none wanted", count: 10, maximum: 0, indices: []),
  ]

  @Test(arguments: cases) func chooses(_ testCase: Case) {
    #expect(EvenChoice.indices(of: testCase.count, maximum: testCase.maximum) == testCase.indices)
  }

  @Test func neverChoosesTwice() {
    for count in 1...200 {
      for maximum in 1...count {
        let indices = EvenChoice.indices(of: count, maximum: maximum)
        #expect(indices.count == maximum)
        #expect(zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 })
        #expect(indices[0] >= 0 && indices[maximum - 1] < count)
      }
    }
  }
}
