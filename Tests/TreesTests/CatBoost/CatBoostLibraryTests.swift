import Files
import Testing

@testable import Trees

/// Every model that the oracle environment trained with CatBoost, against what the library gives.
@Suite(.enabled(if: JudgedModel.folder != nil, "INGOT_TREES names no folder of models"))
struct CatBoostLibraryTests {
  @Test func modelsGiveTheNumbersOfTheLibrary() throws {
    let models = try JudgedModel.all(of: "catboost")
    #expect(models.count >= 30)
    for model in models {
      let file = try MappedFile(path: model.path)
      #expect(CatBoostModel.isCatBoost(start: file.start(64)), "\(model)")
      let read = try CatBoostModel.read(file)
      #expect(read.library.hasPrefix("CatBoost"), "\(model)")
      #expect(read.features.count == read.ensemble.featureCount, "\(model)")
      try model.judge(read.ensemble)
    }
  }

  @Test(arguments: [
    ("logloss", TreeTask.classification(labels: .texts(["no", "yes"]))),
    ("logloss-max", .classification(labels: .texts(["False", "True"]))),
    ("cross-entropy", .classification(labels: .integers([0, 1]))),
    ("multiclass", .classification(labels: .texts(["a", "b", "c", "d"]))),
    ("one-vs-all", .classification(labels: .integers([5, 6, 7, 8]))),
    ("multilabel", .regression), ("rmse", .regression),
  ])
  func classesHaveTheirNames(_ name: String, _ task: TreeTask) throws {
    let path = "\(JudgedModel.folder ?? "")/catboost/\(name)/model.json"
    let model = try CatBoostModel.read(try MappedFile(path: path))
    #expect(model.task == task)
    #expect(model.library == "CatBoost 1.2.10")
  }

  @Test func categoriesHaveTheirNames() throws {
    let path = "\(JudgedModel.folder ?? "")/catboost/categories/model.json"
    let features = try CatBoostModel.read(try MappedFile(path: path)).features
    #expect(features.map(\.name) == ["age", "weight", "a b", "colour", "size"])
    guard case .category(let names) = features[3].kind else {
      Issue.record("\(features[3])")
      return
    }
    #expect(Set(names) == ["red", "green", "blue", "höhe", "0", "1", "2"])
  }
}
