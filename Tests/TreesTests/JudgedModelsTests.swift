import Testing

/// That what judges the readers is enough, and not looser than the pages say.
@Suite(.enabled(if: JudgedModel.folder != nil, "INGOT_TREES names no folder of models"))
struct JudgedModelsTests {
  /// A library, and how many of its models there are at least.
  @Test(arguments: [("catboost", 36), ("lightgbm", 58), ("sklearn", 32), ("xgboost", 96)])
  func eachLibraryHasItsModels(_ library: String, _ fewest: Int) throws {
    let models = try JudgedModel.all(of: library)
    #expect(models.count >= fewest)
    #expect(models.allSatisfy { $0.rows.count == 1000 && $0.expected.count == 1000 })
    #expect(models.allSatisfy { $0.tolerance <= 1e-6 })
    let missing = models.filter { $0.rows.contains { $0.contains { $0.isNaN } } }
    #expect(missing.count >= 7)
    // Sums that a library makes in 32 or 64 bits are its own, bit for bit.
    if library == "xgboost" || library == "lightgbm" {
      let sums = models.filter(\.isOfSums)
      #expect(sums.count >= 20 && sums.allSatisfy { $0.tolerance == 0 })
    }
  }

  /// One that is saved in several forms is one.
  @Test func thereAreFortyEstimators() throws {
    let endings = ["-json", "-text", "-ubj", "-outputs", "-sums"]
    let all = try ["catboost", "lightgbm", "sklearn", "xgboost"].flatMap { library in
      try JudgedModel.all(of: library).map { model in
        let ending = endings.first(where: model.testDescription.hasSuffix)
        return "\(library) \(model.testDescription.dropLast(ending?.count ?? 0))"
      }
    }
    #expect(Set(all).count >= 100)
  }
}
