import Testing

@testable import Imaging

struct ImageGeometryTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let resizing: ImageGeometry.Resizing
    let source: [Int]
    let resized: [Int]
    var testDescription: String { "\(source), \(resizing)" }
  }

  @Test(arguments: [
    Case(resizing: .shortestEdge(224), source: [4032, 3024], resized: [298, 224]),
    Case(resizing: .shortestEdge(224), source: [3024, 4032], resized: [224, 298]),
    Case(resizing: .shortestEdge(224), source: [7, 7], resized: [224, 224]),
    Case(resizing: .shortestEdge(3), source: [10, 3], resized: [10, 3]),
    Case(resizing: .shortestEdge(4096), source: [1, 1_000_000], resized: [4096, 4_096_000_000]),
    Case(resizing: .none, source: [5, 9], resized: [5, 9]),
    Case(resizing: .exactly(width: 3, height: 4), source: [5, 9], resized: [3, 4]),
    Case(resizing: .covering(width: 80, height: 48), source: [100, 100], resized: [80, 80]),
    Case(resizing: .covering(width: 80, height: 48), source: [301, 100], resized: [144, 48]),
    // 2.5 goes to the even side.
    Case(resizing: .covering(width: 1, height: 2), source: [5, 4], resized: [2, 2]),
  ])
  func resized(_ each: Case) {
    let geometry = ImageGeometry(
      resizing: each.resizing, centering: .before, width: 1, height: 1)
    let size = geometry.resized(width: each.source[0], height: each.source[1])
    #expect([size.width, size.height] == each.resized)
  }

  @Test func offsets() {
    func offset(_ centering: ImageGeometry.Centering, _ kept: Int, _ resized: Int) -> Int {
      ImageGeometry(resizing: .none, centering: centering, width: kept, height: kept)
        .offset(kept: kept, resized: resized)
    }
    #expect([4, 5, 6, 7, 8].map { offset(.before, 4, $0) } == [0, 0, 1, 1, 2])
    #expect([4, 5, 6, 7, 8].map { offset(.even, 4, $0) } == [0, 0, 1, 2, 2])
    #expect([1, 2, 3].map { offset(.before, 4, $0) } == [-2, -1, -1])
    #expect([1, 2, 3].map { offset(.even, 4, $0) } == [-1, -1, 0])
  }
}
