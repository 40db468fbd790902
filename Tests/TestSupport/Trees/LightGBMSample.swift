/// Small models of LightGBM, of both forms, with the same trees.
package enum LightGBMSample {
  /// Tree 0 asks a number and then a category; tree 1 is a leaf.
  package static let text = """
    tree
    version=v4
    num_class=1
    num_tree_per_iteration=1
    label_index=0
    max_feature_idx=2
    objective=binary sigmoid:1
    feature_names=age höhe city
    feature_infos=[-1:2.5] none 0:33:2
    tree_sizes=359 122

    Tree=0
    num_leaves=4
    num_cat=1
    split_feature=0 2 0
    split_gain=3 2 1
    threshold=0.10000000000000001 0 -1.5e+00
    decision_type=8 1 6
    left_child=2 -2 -1
    right_child=1 -3 -4
    leaf_value=1 20 300 -0.25
    leaf_weight=1 1 1 1
    leaf_count=1 1 1 1
    internal_value=0 0 0
    internal_weight=0 0 0
    internal_count=4 2 2
    cat_boundaries=0 2
    cat_threshold=4 2
    is_linear=0
    shrinkage=1


    Tree=1
    num_leaves=1
    num_cat=0
    split_feature=
    threshold=
    left_child=
    right_child=
    leaf_value=0.5
    is_linear=0
    shrinkage=1


    end of trees

    feature_importances:
    age=2

    parameters:
    [boosting: gbdt]
    [categorical_feature: 2]
    end of parameters

    pandas_categorical:[["a", "b", 2, 3.5, true\(names(29))]]

    """

  package static let json = """
    {"name": "tree", "version": "v4", "num_class": 1, "num_tree_per_iteration": 1, "label_index": 0,
     "max_feature_idx": 2, "objective": "binary sigmoid:1", "average_output": false,
     "feature_names": ["age", "höhe", "city"], "monotone_constraints": [],
     "feature_infos": {"age": {"min_value": -1, "max_value": 2.5, "values": []},
      "city": {"min_value": 0, "max_value": 33, "values": [0, 33, 2]}},
     "tree_info": [{"tree_index": 0, "num_leaves": 4, "num_cat": 1, "shrinkage": 1,
      "tree_structure": {"split_index": 0, "split_feature": 0, "split_gain": 3, "threshold": 0.1,
       "decision_type": "<=", "default_left": false, "missing_type": "NaN", "internal_value": 0,
       "internal_weight": 0, "internal_count": 4,
       "left_child": {"split_index": 2, "split_feature": 0, "split_gain": 1, "threshold": -1.5,
        "decision_type": "<=", "default_left": true, "missing_type": "Zero", "internal_value": 0,
        "internal_weight": 0, "internal_count": 2,
        "left_child": {"leaf_index": 0, "leaf_value": 1, "leaf_weight": 1, "leaf_count": 1},
        "right_child": {"leaf_index": 3, "leaf_value": -0.25, "leaf_weight": 1, "leaf_count": 1}},
       "right_child": {"split_index": 1, "split_feature": 2, "split_gain": 2, "threshold": "2||33",
        "decision_type": "==", "default_left": false, "missing_type": "None", "internal_value": 0,
        "internal_weight": 0, "internal_count": 2,
        "left_child": {"leaf_index": 1, "leaf_value": 20, "leaf_weight": 1, "leaf_count": 1},
        "right_child": {"leaf_index": 2, "leaf_value": 300, "leaf_weight": 1, "leaf_count": 1}}}},
      {"tree_index": 1, "num_leaves": 1, "num_cat": 0, "shrinkage": 1,
       "tree_structure": {"leaf_value": 0.5, "leaf_count": 4}}],
     "feature_importances": {"age": 2},
     "pandas_categorical": [["a", "b", 2, 3.5, true\(names(29))]]}
    """

  private static func names(_ count: Int) -> String {
    (0..<count).map { ", \"n\($0)\"" }.joined()
  }
}
