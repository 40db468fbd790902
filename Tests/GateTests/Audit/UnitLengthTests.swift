import ModelFixtures
import Testing

@testable import Gate
@testable import Inputs

/// Vectors of length 1 stay so.
struct UnitLengthTests {
  private static func reason(_ before: [[Float]], _ after: [[Float]]) -> String? {
    func matrix(_ rows: [[Float]]) -> OutputMatrix {
      OutputMatrix(rowCount: rows.count, width: 2, values: rows.flatMap { $0 })
    }
    return UnitLength.lost(before: matrix(before), after: matrix(after)).map {
      RefusalReason.length($0).sentence
    }
  }

  @Test func otherLengthsAreRefused() {
    #expect(
      Self.reason([[1, 0], [0.6, 0.8]], [[1, 0], [2.4, 3.2]])
        == "the baseline's vectors have length 1, the candidate's have not, first 4: an app that "
        + "compares them by a product sees others")
  }

  @Test func roundingIsNone() {
    #expect(Self.reason([[1, 0], [0.6, 0.8]], [[1.004, 0], [0.6, 0.799]]) == nil)
  }

  @Test func whereTheBaselineHasOtherLengthsNothingIsSaid() {
    #expect(Self.reason([[1, 0], [3, 4]], [[1, 0], [30, 40]]) == nil)
  }

  @Test func aCandidateThatDoesNotNormaliseIsRefused() throws {
    let candidate = try denseModel([[2, 0], [0, 2]])
    let references = try ModelFixtures.references([
      pairLine([1, 0], [0, 1]), pairLine([0.6, 0.8], [0.8, 0.6]),
    ])
    let verdict = try Gate(on: references, Limits(profile: .lenient), threshold: nil, jobs: 1)
      .judge([candidate], against: [denseModel([[1, 0], [0, 1]])])
    #expect(verdict.reasons.contains { $0.hasPrefix("the baseline's vectors have length 1") })
    #expect(verdict.outlooks.allSatisfy { !$0.isPassed })
  }
}
