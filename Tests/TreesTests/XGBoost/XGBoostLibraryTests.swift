import Files
import Testing

@testable import Trees

/// Every model that the oracle environment trained with XGBoost, against what the library gives.
@Suite(.enabled(if: JudgedModel.folder != nil, "INGOT_TREES names no folder of models"))
struct XGBoostLibraryTests {
  @Test func modelsGiveTheNumbersOfTheLibrary() throws {
    let models = try JudgedModel.all(of: "xgboost")
    #expect(models.count >= 40)
    for model in models {
      let file = try MappedFile(path: model.path)
      #expect(XGBoostModel.recognises(file.start(64)), "\(model)")
      let read = try XGBoostModel.read(file)
      #expect(read.library.hasPrefix("XGBoost "), "\(model)")
      #expect(read.features.count == read.ensemble.featureCount, "\(model)")
      try model.judge(read.ensemble)
    }
  }
}
