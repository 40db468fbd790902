/// Small models of CatBoost, of both kinds of trees.
package enum CatBoostSample {
  /// Tree 0 asks for a number and a category, tree 1 nothing.
  package static let oblivious = """
    {"ctr_data": null,
     "features_info": {
      "cat_features_hash": [{"hash": 1390465085, "value": "green"}, {"hash": 3052168893, "value": "red"}],
      "categorical_features": [{"feature_id": "colour", "feature_index": 0, "feature_name": "colour",
       "flat_feature_index": 1, "values": [-1242798403]}],
      "float_features": [{"borders": [0.10000000149011612], "feature_id": "age", "feature_index": 0,
       "flat_feature_index": 0, "has_nans": true, "nan_value_treatment": "AsTrue"},
       {"borders": [], "feature_id": "", "feature_index": 1, "flat_feature_index": 2, "has_nans": false,
       "nan_value_treatment": "AsIs"}]},
     "model_info": {"catboost_version_info": "Branch: tags/v1.2.10\\n",
      "class_params": {"class_label_type": "String", "class_names": ["no", "yes"],
       "class_to_label": [0, 1], "classes_count": 0},
      "params": {"loss_function": {"params": {}, "type": "Logloss"}, "deep": {"a": [1]}}},
     "oblivious_trees": [
      {"leaf_values": [1, 20, 300, 4000], "leaf_weights": [1, 1, 1, 1],
       "splits": [{"border": 0.10000000149011612, "float_feature_index": 0, "split_index": 0,
        "split_type": "FloatFeature"},
        {"cat_feature_index": 0, "split_index": 1, "split_type": "OneHotFeature", "value": -1242798403}]},
      {"leaf_values": [0.25], "splits": null}],
     "scale_and_bias": [2, [-1]]}
    """

  package static let nested = """
    {"features_info": {
      "float_features": [{"borders": [1.5], "feature_id": "age", "feature_index": 0,
       "flat_feature_index": 0, "has_nans": true, "nan_value_treatment": "AsFalse"}]},
     "model_info": {"class_params": {"class_names": [5, 7, 9]},
      "params": {"loss_function": {"type": "MultiClass"}}},
     "scale_and_bias": [1, [0, 0, 0]],
     "trees": [{"left": {"value": [1, 2, 3], "weight": 1},
      "right": {"left": {"value": [4, 5, 6], "weight": 1}, "right": {"value": [7, 8, 9], "weight": 1},
       "split": {"border": 3, "float_feature_index": 0, "split_index": 1, "split_type": "FloatFeature"}},
      "split": {"border": 1.5, "float_feature_index": 0, "split_index": 0, "split_type": "FloatFeature"}}]}
    """
}
