/// What a file of CatBoost says.
struct CatBoostDocument {
  /// `catboost_version_info`, some lines.
  var versionInfo: String?
  /// The name of `loss_function`.
  var loss: String?
  var classes = Classes()
  /// `float_features`, by their `feature_index`.
  var numbers: [Int: Feature] = [:]
  /// `categorical_features`, by their `feature_index`.
  var categories: [Int: Feature] = [:]
  /// `cat_features_hash`: texts of categories of all features, in the order of the file.
  var categoryTexts: [String] = []
  /// The place in `categoryTexts` of a hash.
  var categoryPlaces: [UInt32: Int] = [:]
  /// `scale_and_bias`: what sums are multiplied by.
  var scale = 1.0
  /// `scale_and_bias`: what is added to each sum; empty where the file does not say.
  var bias: [Double] = []
  var trees: [CatBoostTree] = []

  /// A column of the rows.
  struct Feature {
    /// Its place among all features.
    var place: Int?
    /// Of its column; empty where it had none.
    var name = ""
    /// `nan_value_treatment`: where a missing number goes.
    var missing: Missing?
  }

  /// What a number that is missing is to `x > border`.
  enum Missing: String {
    /// As comparisons with NaN are: false.
    case asIs = "AsIs"
    case asFalse = "AsFalse"
    case asTrue = "AsTrue"
  }

  /// `class_params`.
  struct Classes {
    /// Names: texts, numbers or truth values.
    var names: [Name] = []
    /// Numbers, where there are no names.
    var numbers: [Double] = []
  }

  enum Name: Equatable {
    case text(String)
    case number(Double)
  }
}
