import Files
import Foundation
import TestSupport
import Testing

@testable import Trees

/// Files that are not sound, or not known.
struct XGBoostFaultTests {
  struct Case: CustomTestStringConvertible {
    let old: String
    let new: String
    let words: String

    init(_ old: String, _ new: String, _ words: String) {
      (self.old, self.new, self.words) = (old, new, words)
    }

    var testDescription: String { "\(new): \(words)" }
  }

  @Test(arguments: [
    Case("reg:squarederror", "reg:new", "f: the objective 'reg:new' is not known"),
    Case(
      "reg:squarederror", "binary:hinge",
      "f: the objective 'binary:hinge' gives 0 or 1 alone, which is not supported; train with 'binary:logistic'"
    ),
    Case(
      "\"name\":\"gbtree\"", "\"name\":\"gblinear\"",
      "f: is a linear model (booster 'gblinear'), which has no trees; train with the booster 'gbtree' or 'dart'"
    ),
    Case("\"name\":\"gbtree\"", "\"name\":\"new\"", "f: the booster 'new' is not known"),
    Case("\"name\":\"gbtree\"", "\"name\":\"dart\"", "f: the booster 'dart' has no 'weight_drop'"),
    Case(
      "\"tree_info\":[0,0]", "\"tree_info\":[0]", "f: 'tree_info' has 1 value, there are 2 trees"),
    Case("\"tree_info\":[0,0]", "\"tree_info\":[0,1]", "f: tree 1: adds to output 1, there are 1"),
    Case(
      "\"tree_info\":[0,0]", "\"tree_info\":[0,-1]", "f: tree 1: adds to output -1, there are 1"),
    Case("\"num_trees\":\"2\"", "\"num_trees\":\"3\"", "f: 'num_trees' is '3', there are 2 trees"),
    Case(
      "\"num_feature\":\"2\",\"num_target\"", "\"num_feature\":\"3\",\"num_target\"",
      "f: 'feature_names' has 2 values, 'num_feature' is 3"),
    Case(
      "\"num_feature\":\"2\",\"num_target\"", "\"num_feature\":\"4000000000\",\"num_target\"",
      "f: 'num_feature' is 4000000000, more than 1048576 are not supported"),
    Case(
      "\"num_class\":\"0\"", "\"num_class\":\"1000000\"",
      "f: there are 1000000 outputs, expected 1 to 100000"),
    Case(
      "\"num_class\":\"0\"", "\"num_class\":\"-1\"",
      "f: 'num_class' is '-1', expected a whole number"),
    Case("reg:squarederror", "multi:softprob", "f: 'num_class' is 0, expected 2 or more"),
    Case("[2.5E-1]", "[1,2]", "f: 'base_score' has 2 values, there is 1 output"),
    Case("[2.5E-1]", "[1,", "f: 'base_score' is '[1,', expected a number or '[number, …]'"),
    Case("[2.5E-1]", "NaN", "f: 'base_score' is 'NaN', expected a number or '[number, …]'"),
    Case(
      "\"float\",\"c\"", "\"decimal\",\"c\"",
      "f: feature 0 is of type 'decimal', which is not known"),
    Case("\"id\":1", "\"id\":0", "f:1:956: tree 1 has the id 0"),
    Case(
      "\"num_nodes\":\"5\"", "\"num_nodes\":\"7\"",
      "f: tree 0: 'left_children' has 5 values, 'num_nodes' is 7"),
    Case(
      "\"num_nodes\":\"5\"", "\"num_nodes\":\"x\"",
      "f: tree 0: 'num_nodes' is 'x' and 'size_leaf_vector' '1'"),
    Case(
      "\"left_children\":[1,-1,3", "\"left_children\":[1,-1,9",
      "f: tree 0, node 2: has the children 9 and 4, which do not follow each other"),
    Case(
      "[2,-1,4,-1,-1]", "[2,-1,-3,-1,-1]",
      "f: tree 0, node 2: has the children 3 and -3, which do not follow each other"),
    Case(
      "[1,-1,3,-1,-1],\"loss_changes\":[1,0,1,0,0],\"parents\":[2147483647,0,0,2,2],\"right_children\":[2,-1,4,-1,-1]",
      "[1,-1,1,-1,-1],\"loss_changes\":[],\"parents\":[],\"right_children\":[2,-1,2,-1,-1]",
      "f: tree 0, node 2: is the child of two nodes, or of one below it"),
    Case(
      "[1,-1,3,-1,-1],\"loss_changes\":[1,0,1,0,0],\"parents\":[2147483647,0,0,2,2],\"right_children\":[2,-1,4,-1,-1]",
      "[1,-1,4,-1,-1],\"loss_changes\":[],\"parents\":[],\"right_children\":[2,-1,5,-1,-1]",
      "f: tree 0, node 2: has the child 5, the tree has 5 nodes"),
    Case(
      "\"split_indices\":[1,0,0,0,0]", "\"split_indices\":[1,0,2,0,0]",
      "f: tree 0, node 2: looks at feature 2, there are 2"),
    Case(
      "\"split_indices\":[1,0,0,0,0]", "\"split_indices\":[4294967296,0,0,0,0]",
      "f:1:669: is 4294967296, expected a whole number of 32 bits"),
    Case(
      "[1E-45,1E0,2.5E0,1E1,1E2]", "[1E-45,1E0,NaN,1E1,1E2]", "f: tree 0, node 2: compares with NaN"
    ),
    Case(
      "[1E-45,1E0,2.5E0,1E1,1E2]", "[1E-45,Infinity,1E0,1E1,1E2]",
      "f: tree 0, node 1: is a leaf of [inf], which is not finite"),
    Case(
      "\"categories_sizes\":[2]", "\"categories_sizes\":[3]",
      "f: tree 0, node 0: has 3 categories from 0 on, 'categories' has 2"),
    Case(
      "\"categories_sizes\":[2]", "\"categories_sizes\":[]",
      "f: tree 0: has 1 'categories_nodes', 1 'categories_segments' and 0 'categories_sizes'"),
    Case(
      "\"categories_segments\":[0]", "\"categories_segments\":[-1]",
      "f: tree 0, node 0: has 2 categories from -1 on, 'categories' has 2"),
    Case(
      "\"categories_nodes\":[0]", "\"categories_nodes\":[7]",
      "f: tree 0, node 7: is in 'categories_nodes', and asks for no category, or is in it twice"),
    Case(
      "\"categories\":[1,3]", "\"categories\":[1,16777216]",
      "f: tree 0, node 0: asks for category 16777216, expected 0..<16777216"),
    Case(
      "\"categories\":[1,3]", "\"categories\":[-1,3]",
      "f: tree 0, node 0: asks for category -1, expected 0..<16777216"),
    Case(
      "\"split_type\":[1,0,0,0,0]", "\"split_type\":[1,0,1,0,0]",
      "f: tree 0, node 2: asks for a category, and is not in 'categories_nodes'"),
    Case(
      "\"iteration_indptr\":[0,1,2]", "\"iteration_indptr\":[0,2,1]",
      "f: 'iteration_indptr' does not rise from 0 to the number of trees, 2"),
    Case(
      "\"enc\":[]", "\"enc\":[{\"type\":13,\"values\":[]},{\"type\":7,\"values\":[1]}]",
      "f: the categories of feature 1 are numbers with a fraction"),
    Case(
      "\"enc\":[]", "\"enc\":[{\"type\":13,\"values\":[]},{\"offsets\":[0,9],\"values\":[97]}]",
      "f: the categories of feature 1 begin at 0 and end at 9 of 1 bytes"),
    Case(
      "\"id\":0", "\"id\":0,\"bias\":1", "f:1:493: tree 0 has the key 'bias', which is not known"),
    Case(
      "\"num_target\":\"1\"", "\"num_target\":\"1\",\"scale\":\"2\"",
      "f:1:1401: 'learner_model_param' has the key 'scale', which is not known"),
    Case(
      "{\"learner\"", "{\"Model\"",
      "f:1:10: is a snapshot of training, with the key 'Model'; save the model with 'save_model'"),
    Case(
      ",\"objective\":{\"name\":\"reg:squarederror\",\"reg_loss_param\":{\"scale_pos_weight\":\"1\"}}",
      "", "f: 'objective' has no key 'name'"),
  ])
  func faultsAreNamed(_ fault: Case) throws {
    try #require(XGBoostSample.text.contains(fault.old))
    let text = XGBoostSample.text.replacingOccurrences(of: fault.old, with: fault.new)
      // Starts of iterations are only asked for where an estimator stopped early.
      .replacingOccurrences(
        of: "\"attributes\":{}",
        with: "\"attributes\":{\"best_iteration\":\"1\",\"scikit_learn\":\"{}\"}")
    let found: String
    do {
      _ = try XGBoostModel.read(inMemory(text))
      found = "no fault"
    } catch { found = "\(error)" }
    #expect(found == fault.words)
  }

  @Test(arguments: [
    Case(
      "\"right_children\":[2,1,0]", "\"right_children\":[2,2,0]",
      "f: tree 0, node 1: is leaf 2, 'leaf_weights' has 2"),
    Case(
      "\"num_target\":\"2\"", "\"num_target\":\"3\"",
      "f: 'base_score' has 2 values, there are 3 outputs"),
    Case(
      "\"size_leaf_vector\":\"2\"", "\"size_leaf_vector\":\"1\"",
      "f: tree 0: has 'leaf_weights', and 'size_leaf_vector' is 1"),
    Case(
      "\"size_leaf_vector\":\"2\"", "\"size_leaf_vector\":\"4000000000000000000\"",
      "f: tree 0, node 1: is leaf 1, 'leaf_weights' has 0"),
  ])
  func faultsOfVectorsAreNamed(_ fault: Case) throws {
    let text = XGBoostSample.vectors.replacingOccurrences(of: fault.old, with: fault.new)
    let found: String
    do {
      _ = try XGBoostModel.read(inMemory(text))
      found = "no fault"
    } catch { found = "\(error)" }
    #expect(found == fault.words)
  }
}
