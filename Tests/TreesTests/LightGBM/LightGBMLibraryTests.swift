import Files
import Testing

@testable import Trees

/// Every model that the oracle environment trained with LightGBM, against what the library gives.
@Suite(.enabled(if: JudgedModel.folder != nil, "INGOT_TREES names no folder of models"))
struct LightGBMLibraryTests {
  @Test func modelsGiveTheNumbersOfTheLibrary() throws {
    let models = try JudgedModel.all(of: "lightgbm")
    #expect(models.count >= 40)
    for model in models {
      let file = try MappedFile(path: model.path)
      #expect(LightGBMModel.isLightGBM(start: file.start(64)), "\(model)")
      let read = try LightGBMModel.read(file)
      #expect(read.library == "LightGBM", "\(model)")
      #expect(read.features.count == read.ensemble.featureCount, "\(model)")
      try model.judge(read.ensemble)
    }
  }

  @Test func bothFormsAreTheSameTrees() throws {
    let models = try JudgedModel.all(of: "lightgbm")
    for model in models where model.folder.hasSuffix("-text") {
      let text = try LightGBMModel.read(try MappedFile(path: model.path))
      let json = model.folder.dropLast("-text".count) + "-json/model.json"
      let other = try LightGBMModel.read(try MappedFile(path: String(json)))
      #expect(text.features == other.features, "\(model)")
      #expect(text.task == other.task, "\(model)")
      #expect(Self.withSets(text.ensemble) == Self.withSets(other.ensemble), "\(model)")
      #expect(text.ensemble.leaves == other.ensemble.leaves, "\(model)")
      #expect(text.ensemble.right == other.ensemble.right, "\(model)")
    }
  }

  /// Of each branch what it compares with; sets are numbered as the forms have them.
  private static func withSets(_ ensemble: TreeEnsemble) -> [[UInt64]] {
    ensemble.rules.indices.map { branch in
      let threshold = ensemble.thresholds[branch]
      return [UInt64(ensemble.features[branch]), UInt64(ensemble.rules[branch].rawValue)]
        + (ensemble.rules[branch].contains(.isCategory)
          ? ensemble.categories[Int(threshold)].words : [threshold.bitPattern])
    }
  }

  @Test func aDataFrameGivesNamesOfCategories() throws {
    let models = try JudgedModel.all(of: "lightgbm")
    let frames = models.filter {
      $0.folder.hasSuffix("/frame-text") || $0.folder.hasSuffix("/frame-json")
    }
    #expect(frames.count == 2)
    for model in frames {
      let features = try LightGBMModel.read(try MappedFile(path: model.path)).features
      #expect(features.map(\.name) == ["age", "höhe", "a_b", "n", "zero", "city", "colour"])
      #expect(features[0].kind == .number)
      #expect(features[5].kind == .category(names: (0..<40).map(String.init)))
      #expect(features[6].kind == .category(names: ["blue", "green", "red"]))
    }
  }
}
