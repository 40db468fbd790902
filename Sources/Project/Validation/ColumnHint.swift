import Graph
import Inputs

/// How a project says which columns of a table are no features.
enum ColumnHint {
  static let ofColumns =
    "a column that is not a feature is left out with 'ignore: COLUMN' under 'gate'; 'label: COLUMN' "
    + "names the one of true labels"

  private static let ofLabels =
    "name the column of true labels, 'label: COLUMN' under 'gate' (in JSON lines the key is 'label', "
    + "beside 'input'), or take 'calibrationError' out of 'limits'"

  /// What to do about a fault; nil where columns are not at fault.
  static func words(for error: EvaluationError) -> String? {
    switch error {
    case .unlabelled: return ofLabels
    case .otherColumns(_, let columns, let features):
      // Where a feature is missing as well, columns have other names.
      return Set(features).isSubset(of: columns) ? ofColumns : nil
    default: return nil
    }
  }

  /// What to do about a reference set that cannot be read.
  static func words(for model: Model, references path: String) -> String {
    // What is not a number in a table is mostly in a column that is not a feature.
    guard case .features = model.architecture.input, InputFile.isTable(named: path) else {
      return ExampleLine.referenceHint(for: model)
    }
    return ofColumns
  }
}
