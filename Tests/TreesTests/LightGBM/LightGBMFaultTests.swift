import Files
import Foundation
import TestSupport
import Testing

@testable import Trees

/// Files that are not sound, or not known.
struct LightGBMFaultTests {
  struct Case: CustomTestStringConvertible {
    let old: String
    let new: String
    let words: String

    init(_ old: String, _ new: String, _ words: String) {
      (self.old, self.new, self.words) = (old, new, words)
    }

    var testDescription: String { "\(new): \(words)" }
  }

  private func expect(_ words: String, _ text: String) throws {
    do {
      _ = try LightGBMModel.read(inMemory(text))
      Issue.record("read, expected \(words)")
    } catch { #expect("\(error)" == words) }
  }

  @Test(arguments: [
    Case("version=v4", "version=v9", "f: 'version' is 'v9', expected v2, v3 or v4"),
    Case("binary sigmoid:1", "hinge", "f: the objective 'hinge' is not known"),
    Case(
      "binary sigmoid:1", "binary sigmoid:0",
      "f: the objective 'binary sigmoid:0' has a 'sigmoid' that is not above 0"),
    Case("binary sigmoid:1", "binary", "f: the objective 'binary' has no 'sigmoid'"),
    Case(
      "binary sigmoid:1", "regression sqrt",
      "f: the objective 'regression sqrt' squares its sums, which is not supported; "
        + "train with reg_sqrt=False"),
    Case(
      "binary sigmoid:1", "cross_entropy_lambda",
      "f: the objective 'cross_entropy_lambda' gives log(1 + exp(x)), which is not supported; "
        + "train with 'cross_entropy'"),
    Case(
      "binary sigmoid:1", "multiclass num_class:3",
      "f: 'num_class' is 1, the objective is 'multiclass num_class:3'"),
    Case(
      "binary sigmoid:1", "poisson power:2",
      "f: the objective 'poisson power:2' has the parameter 'power:2', which is not known"),
    Case("num_class=1", "num_class=2", "f: 'num_class' is 2, 'num_tree_per_iteration' 1"),
    Case(
      "num_class=1\nnum_tree_per_iteration=1", "num_class=1000000",
      "f: 'num_class' is 1000000, expected 1 to 100000"),
    Case(
      "num_class=1\nnum_tree_per_iteration=1", "num_class=3",
      "f: there are 2 trees, 'num_tree_per_iteration' is 3"),
    Case(
      "max_feature_idx=2", "max_feature_idx=2000000000",
      "f: 'max_feature_idx' is 2000000000, 'feature_names' has 3 names"),
    Case("age höhe", "age age", "f: 'feature_names' has a name twice"),
    Case(
      "label_index=0", "new_rule=0", "f:5:10: the model has the key 'new_rule', which is not known"),
    Case("0:33:2", "0:x:2", "f: feature 'city' has '0:x:2' in 'feature_infos'"),
    Case("none 0:33:2", "none", "f: 'feature_infos' has 2 values, 'feature_names' 3"),
    Case(
      "tree_sizes=359", "tree_sizes=356",
      "f: tree 1: begins 359 bytes behind the first, 356 by 'tree_sizes'"),
    Case(
      "tree_sizes=359 122", "tree_sizes=359", "f: 'tree_sizes' has 1 value, there is one more tree"
    ),
    Case(
      "tree_sizes=359 122", "tree_sizes=359 122 10",
      "f: has 2 trees, 'tree_sizes' has 3 values; the file looks truncated"),
    Case("Tree=1", "Tree=2", "f: tree 1: is number 2"),
    Case("num_leaves=4", "num_leaves=5", "f: tree 0: 'leaf_value' has 4 values, 'num_leaves' is 5"),
    Case(
      "left_child=2 -2 -1", "left_child=2 -2",
      "f: tree 0: 'left_child' has 2 values, there are 4 leaves"),
    Case(
      "left_child=2 -2 -1", "left_child=3 -2 -1",
      "f: tree 0, node 0: has the child branch 3, the tree has 3 branches and 4 leaves"),
    Case(
      "left_child=2 -2 -1", "left_child=2 -5 -1",
      "f: tree 0, node 1: has the child leaf 4, the tree has 3 branches and 4 leaves"),
    Case(
      "left_child=2 -2 -1", "left_child=2 0 -1",
      "f: tree 0, node 0: is the child of two nodes, or of one below it"),
    Case(
      "split_feature=0 2 0", "split_feature=0 3 0",
      "f: tree 0, node 1: looks at feature 3, there are 3"),
    Case("0.10000000000000001", "nan", "f: tree 0, node 0: compares with NaN"),
    Case(
      "0.10000000000000001", "0x1p3", "f:16:11: is '0x1p3', expected a number"),
    Case(
      "leaf_value=1 20", "leaf_value=inf 20",
      "f: tree 0, node 3: is a leaf of [inf], which is not finite"),
    Case(
      "decision_type=8", "decision_type=12",
      "f: tree 0, node 0: has the 'decision_type' 12, which is not known"),
    Case(
      "threshold=0.10000000000000001 0", "threshold=0.10000000000000001 1",
      "f: tree 0, node 1: asks for set 1.0 of categories, there are 1"),
    Case(
      "cat_boundaries=0 2", "cat_boundaries=0 3",
      "f: tree 0: 'cat_boundaries' do not rise from 0 to 2, the 'cat_threshold'"),
    Case(
      "cat_threshold=4 2", "cat_threshold=4 -2",
      "f:27:17: is '-2', expected a whole number of 32 bits without a sign"),
    Case(
      "is_linear=0", "is_linear=1",
      "f: tree 0: has leaves that are linear models, which are not supported; "
        + "train with linear_tree=False"),
    Case("end of trees", "end", "f:44:1: 'Tree=' or 'end of trees' is expected here"),
    Case("[[\"a\"", "[{\"a\"", "f: pandas_categorical:1:6: ':' is expected after a key"),
    Case("[[\"a\"", "[[\"b\"", "f: feature 'city' has a category twice"),
  ])
  func aTextIsRefused(_ fault: Case) throws {
    try #require(LightGBMSample.text.contains(fault.old))
    var text = LightGBMSample.text
    if let range = text.range(of: fault.old) { text.replaceSubrange(range, with: fault.new) }
    // Sizes matter to those alone that change them.
    if !fault.old.contains("tree_sizes"), !fault.old.hasPrefix("Tree=") {
      text = text.replacingOccurrences(of: "tree_sizes=359 122\n", with: "")
    }
    try expect(fault.words, text)
  }

  @Test(arguments: [
    Case("\"v4\"", "\"v9\"", "f: 'version' is 'v9', expected v2, v3 or v4"),
    Case(
      "\"name\": \"tree\"", "\"new\": 1", "f:1:9: the model has the key 'new', which is not known"),
    Case(
      "\"leaf_value\": 0.5", "\"leaf_const\": 0.5",
      "f: tree 1: has leaves that are linear models, which are not supported; "
        + "train with linear_tree=False"),
    Case(
      "\"leaf_value\": 20", "\"leaf_value\": NaN",
      "f: tree 0, node 5: is a leaf of [nan], which is not finite"),
    Case("\"num_leaves\": 4", "\"num_leaves\": 3", "f: tree 0: has 4 leaves, 'num_leaves' is 3"),
    Case("2||33", "2||-33", "f: tree 0, node 2: asks for the categories '2||-33', expected '0||3'"),
    Case(
      "2||33", "2||2147483647",
      "f: tree 0, node 2: asks for category 2147483647; the sets take more memory than fits"),
    Case(
      "\"split_feature\": 2", "\"split_feature\": 7",
      "f: tree 0, node 2: looks at feature 7, there are 3"),
    Case("\"tree_index\": 1", "\"tree_index\": 3", "f:20:19: 'tree_index' is 3, expected 1"),
    Case(
      "\"tree_index\": 0", "\"tree_index\": 9223372036854775807",
      "f:6:50: 'tree_index' is 9223372036854775807, expected 0"),
    Case(
      "\"Zero\"", "\"Some\"",
      "f:11:66: 'missing_type' is 'Some', expected None, Zero or NaN"),
  ])
  func aDumpIsRefused(_ fault: Case) throws {
    try #require(LightGBMSample.json.contains(fault.old))
    try expect(
      fault.words, LightGBMSample.json.replacingOccurrences(of: fault.old, with: fault.new))
  }

  @Test func aPartOfAFileIsRefused() throws {
    for form in [LightGBMSample.text, LightGBMSample.json] {
      let bytes = Array(form.utf8)
      // The text may lack what comes after its trees.
      let end =
        form == LightGBMSample.json
        ? bytes.count
        : form.range(of: "end of trees\n").map {
          form[..<$0.upperBound].utf8.count
        } ?? 0
      for count in 0..<end {
        #expect(throws: (any Error).self) { try LightGBMModel.read(inMemory(bytes[..<count])) }
      }
    }
  }

  @Test func filesWithChangedBytesAreReadOrRefused() throws {
    let unsized = LightGBMSample.text.replacingOccurrences(of: "tree_sizes=359 122\n", with: "")
    let seeds = [unsized, LightGBMSample.text, LightGBMSample.json].map { Array($0.utf8) }
    var mutator = TestMutator(seed: 5)
    var readCount = 0
    for _ in 0..<9000 {
      let bytes = mutator.next(from: seeds)
      guard let model = try? LightGBMModel.read(inMemory(bytes)) else { continue }
      readCount += 1
      let row = [Double](repeating: 1, count: model.ensemble.featureCount)
      #expect(model.ensemble.outputs(of: row).count == model.ensemble.outputCount)
    }
    #expect(readCount > 90)
  }
}
