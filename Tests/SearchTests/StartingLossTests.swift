import Gate
import Inputs
import Testing

@testable import Search

/// The loss that a search begins with.
struct StartingLossTests {
  private func embeddings(_ rows: [[Float]]) -> OutputMatrix {
    OutputMatrix(rowCount: rows.count, width: rows[0].count, values: rows.flatMap(\.self))
  }

  @Test(
    arguments: [
      // At right angles, whatever their lengths.
      ([[1, 0, 0], [0, 5, 0], [0, 0, 2]], 1),
      ([[1, 0], [-1, 0]], 2),
      ([[2, 0], [4, 0], [1, 0]], 0),
      // Cosines of 1, 0.6 and 0.6.
      ([[1, 0], [1, 0], [0.6, 0.8]], 1 - 2.2 / 3),
      // A row without a direction says nothing.
      ([[1, 0], [0, 1], [0, 0], [.nan, 1]], 1),
    ] as [([[Float]], Double)])
  func spreadIsTheMeanDistanceOfPairs(_ rows: [[Float]], _ spread: Double) {
    let found = StartingLoss(among: embeddings(rows)).spread
    #expect(abs(found - spread) < 1e-6, "\(found)")
  }

  @Test func embeddingsThatLieCloserTogetherAllowLessLoss() throws {
    let limits = try Limits(
      profile: .lenient,
      overrides: ["cosineMean": 0.5, "similarityDriftMax": 2, "neighbourOverlap": 0.9])
    let far = StartingLoss(among: embeddings([[1, 0], [0, 1]]))
    let near = StartingLoss(among: embeddings([[1, 0], [0.8, 0.6]]))
    #expect(abs(near.allowed(by: limits) / far.allowed(by: limits) - 0.2) < 1e-6)
    // Where neighbours do not decide, distances do not count.
    let others = try Limits(profile: .lenient, overrides: ["neighbourOverlap": 0])
    #expect(near.allowed(by: others) == far.allowed(by: others))
  }

  @Test func oneInputAloneIsTakenToBeOfTheUsualSpread() throws {
    let limits = try Limits(profile: .standard)
    let one = StartingLoss(among: embeddings([[1, 2, 3]])).allowed(by: limits)
    #expect(one > 0 && one < 1 - limits[.cosineMean])
  }
}
