import Files
import Foundation
import TestSupport
import Testing

@testable import Trees

/// What is read of small files, and what is refused.
struct CatBoostModelTests {
  struct Case: CustomTestStringConvertible {
    let old: String
    let new: String
    let words: String

    init(_ old: String, _ new: String, _ words: String) {
      (self.old, self.new, self.words) = (old, new, words)
    }

    var testDescription: String { "\(new): \(words)" }
  }

  private func read(_ text: String) throws -> TreeModel { try CatBoostModel.read(inMemory(text)) }

  @Test func aTreeOfLevelsIsRead() throws {
    let text = CatBoostSample.oblivious
    #expect(CatBoostModel.isCatBoost(start: Array(text.utf8.prefix(64))))
    let model = try read(text)
    #expect(model.library == "CatBoost 1.2.10")
    #expect(model.task == .classification(labels: .texts(["no", "yes"])))
    #expect(model.ensemble.transform == .sigmoid)
    #expect(
      model.features == [
        TreeFeature("age"), TreeFeature("colour", .category(names: ["green", "red"])),
        TreeFeature("f2"),
      ])
    #expect(model.ensemble.branchCount == 3)
    // 0.1 is less than the nearest number of 32 bits, and is rounded to it.
    for (row, sum) in [
      ([0.1, 0, 0], 1.5), ([0.2, 0, 0], 39.5), ([0.1, 1, 0], 599.5), ([.nan, 1, 0], 7999.5),
      ([0, .nan, 0], 1.5), ([0, 2, 0], 1.5), ([0, -1, 0], 1.5),
    ] { #expect(model.ensemble.sums(of: row) == [sum], "\(row)") }
  }

  @Test func nodesWithinEachOtherAreRead() throws {
    let model = try read(CatBoostSample.nested)
    #expect(model.library == "CatBoost")
    #expect(model.task == .classification(labels: .integers([5, 7, 9])))
    for (value, sums) in [
      (1.5, [1.0, 2, 3]), (.nan, [1, 2, 3]), (3, [4, 5, 6]), (4, [7, 8, 9]),
    ] { #expect(model.ensemble.sums(of: [value]) == sums, "\(value)") }
  }

  @Test(arguments: [
    ("RMSE", TreeEnsemble.Transform.identity), ("Poisson", .exponential),
    ("Quantile:alpha=0.1", .identity),
    ("CrossEntropy", .sigmoid),
  ])
  func lossesSayWhatOutputsAre(_ name: String, _ transform: TreeEnsemble.Transform) throws {
    let texts = [
      CatBoostSample.oblivious.replacingOccurrences(of: "Logloss", with: name),
      CatBoostSample.oblivious.replacingOccurrences(
        of: "\"params\": {\"loss_function\": {\"params\": {}, \"type\": \"Logloss\"}",
        with: "\"loss_function\": \"\(name)\", \"other\": {\"a\": 1"),
    ]
    for text in texts.suffix(name.contains(":") ? 1 : 2) {
      #expect(try read(text).ensemble.transform == transform)
    }
  }

  @Test(arguments: [
    Case(
      "Logloss", "RMSEWithUncertainty",
      "f: the loss 'RMSEWithUncertainty' gives a mean and the logarithm of a variance, which are no numbers of one "
        + "kind; train with 'RMSE' for the mean"),
    Case("Logloss", "New", "f: the loss 'New' is not known, or its outputs are not supported"),
    Case(
      "loss_function", "loss",
      "f: 'model_info' has no 'loss_function', which says what the outputs are"),
    Case("\"ctr_data\"", "\"new\"", "f:1:9: the model has the key 'new', which is not known"),
    Case("AsTrue", "AsNew", "f:7:77: 'nan_value_treatment' is 'AsNew', which is not known"),
    Case(
      "3052168893", "3052168894",
      "f: tree 0: asks for a category of feature 'colour' by the hash -1242798403, and "
        + "'cat_features_hash' does not say which it is; save the model with its 'pool'"),
    Case(
      "\"float_features\"",
      "\"ctrs\": [{\"borders\": [1], \"elements\": [{\"cat_feature_index\": 0}]}], \"float_features\"",
      "f: encodes 'colour' by statistics of the target (CTR), which is not supported; train with a "
        + "'one_hot_max_size' of the number of categories, or encode them before"),
    Case(
      "[1, 20, 300, 4000]", "[1, 20, 300]",
      "f: tree 0: has 3 'leaf_values' for 2 levels, which are 4 leaves"),
    Case(
      "[1, 20, 300, 4000]", "[1, NaN, 300, 4000]",
      "f: tree 0, node 5: is a leaf of [nan], which is not finite"),
    Case("[0.25]", "[0.25, 1]", "f: tree 1: has leaves of 2 numbers, others 1"),
    Case(
      "\"float_feature_index\": 0", "\"float_feature_index\": 5",
      "f: tree 0: asks for numeric feature 5, which 'float_features' lacks"),
    Case(
      "\"flat_feature_index\": 1", "\"flat_feature_index\": 0",
      "f: feature 'colour' has the 'flat_feature_index' 0, or that of another"),
    Case(
      "\"flat_feature_index\": 2", "\"flat_feature_index\": 2000000000",
      "f: feature '' has the 'flat_feature_index' 2000000000, or that of another"),
    Case("[2, [-1]]", "[2, [-1, 3]]", "f: 'scale_and_bias' has 2 biases, leaves 1 number"),
    Case("[\"no\", \"yes\"]", "[\"no\"]", "f: 'class_params' has 1 class, the outputs are of 2"),
    Case(
      "OneHotFeature", "New",
      "f:18:90: tree 0 has a split of type 'New', which is not known or lacks a value"),
  ])
  func whatIsNotSoundIsNamed(_ fault: Case) throws {
    try #require(CatBoostSample.oblivious.contains(fault.old))
    let text = CatBoostSample.oblivious.replacingOccurrences(of: fault.old, with: fault.new)
    do {
      _ = try read(text)
      Issue.record("read, expected \(fault.words)")
    } catch { #expect("\(error)" == fault.words) }
  }

  @Test(arguments: [
    Case("\"value\": [4, 5, 6]", "\"value\": [4, 5]", "f:8:37: a leaf has 2 numbers, others 3"),
    Case(
      "\"right\": {\"value\": [7, 8, 9], \"weight\": 1},", "",
      "f: tree 0, node 2: has neither a 'value' nor a 'split', 'left' and 'right'"),
  ])
  func nodesThatAreNotSoundAreNamed(_ fault: Case) throws {
    try #require(CatBoostSample.nested.contains(fault.old))
    let text = CatBoostSample.nested.replacingOccurrences(of: fault.old, with: fault.new)
    do {
      _ = try read(text)
      Issue.record("read, expected \(fault.words)")
    } catch { #expect("\(error)" == fault.words) }
  }

  @Test func depthIsBounded() throws {
    func nested(_ depth: Int) -> String {
      let split = """
        {"split": {"border": 3, "float_feature_index": 0, "split_type": "FloatFeature"},
         "right": {"value": 1}, "left":
        """
      return """
        {"features_info": {"float_features": [{"feature_index": 0, "flat_feature_index": 0}]},
         "model_info": {"loss_function": "RMSE"},
         "trees": [\(String(repeating: split, count: depth)) {"value": 7} \(String(repeating: "}", count: depth))]}
        """
    }
    #expect(try read(nested(4000)).ensemble.sums(of: [0]) == [7])
    #expect(throws: ScanError.self) { try read(nested(5000)) }
    let levels = String(
      repeating: ", {\"border\": 3, \"float_feature_index\": 0, \"split_type\": \"FloatFeature\"}",
      count: 62)
    let text = CatBoostSample.oblivious.replacingOccurrences(
      of: "\"value\": -1242798403}", with: "\"value\": -1242798403}" + levels)
    #expect(
      throws: TreeError(path: "f", tree: 0, fault: "has 64 levels, more than 24 are not supported")
    ) { try read(text) }
  }

  @Test func aPartOfAFileIsRefused() throws {
    for text in [CatBoostSample.oblivious, CatBoostSample.nested] {
      let bytes = Array(text.utf8)
      for count in 0..<bytes.count {
        #expect(throws: (any Error).self) { try CatBoostModel.read(inMemory(bytes[..<count])) }
      }
    }
  }

  @Test func filesWithChangedBytesAreReadOrRefused() throws {
    let seeds = [CatBoostSample.oblivious, CatBoostSample.nested].map { Array($0.utf8) }
    var mutator = TestMutator(seed: 6)
    var readCount = 0
    for _ in 0..<9000 {
      let bytes = mutator.next(from: seeds)
      guard let model = try? CatBoostModel.read(inMemory(bytes)) else { continue }
      readCount += 1
      let row = [Double](repeating: 1, count: model.ensemble.featureCount)
      #expect(model.ensemble.outputs(of: row).count == model.ensemble.outputCount)
    }
    #expect(readCount > 90)
  }
}
