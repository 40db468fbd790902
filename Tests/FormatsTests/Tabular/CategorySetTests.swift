import Testing
import Trees

@testable import Formats

/// Branches over the numbers of an encoder become sets of one category.
struct CategorySetTests {
  /// The trees of some stumps, each over one number of an encoder.
  private func trees(
    categories: Int, _ asked: [Int]
  ) throws -> (own: TreeEnsemble, folded: Result<TreeEnsemble, any Error>) {
    let category = TabularCategory(
      name: "city", labels: .integers(Array(0..<categories)), unknown: .isZero, filling: nil)
    let cells = (0..<categories).map { TabularCell(.category(category, place: $0)) }
    var builder = try TreeEnsembleBuilder(
      path: "a", featureCount: categories, base: [0],
      precision: .init(roundsFeatures: false, addsFloats: false), transform: .identity)
    for place in asked {
      try builder.add(
        TreeNodes([
          .branch(feature: place, threshold: 0.5, rule: [], left: 1, right: 2), .leaf([1]),
          .leaf([2]),
        ]))
    }
    let own = try builder.finish()
    return (own, Result { try CellTrees(cells, at: TabularPlace("a")).ensemble(own) })
  }

  @Test func branchesOfOneCategoryShareASet() throws {
    let (own, folded) = try trees(categories: 300, [7, 299, 7, 299, 7])
    let made = try folded.get()
    #expect(made.categories.count == 2)
    for city in [7, 8, 299] {
      let row = (0..<300).map { $0 == city ? 1.0 : 0 }
      for tree in 0..<5 {
        let (old, new) = (own.leaf(of: row, tree), made.leaf(of: [Double(city)], tree))
        #expect(own.leaves[old] == made.leaves[new])
      }
    }
  }

  /// A set has a bit for each category up to its own: all of them would take the square of their number.
  @Test func setsOfManyCategoriesAreLimited() throws {
    #expect(throws: Never.self) { try trees(categories: 2000, Array(0..<2000)).folded.get() }
    let error = #expect(throws: TabularError.self) {
      try trees(categories: 9000, Array(0..<9000)).folded.get()
    }
    #expect(
      error?.description
        == "a: compares 'city' with so many categories that their sets would take more than "
        + "4608000 bytes; train the trees with fewer")
  }
}
