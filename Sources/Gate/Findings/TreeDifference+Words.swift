import StrictJSON
import Trees

extension TreeDifference {
  /// The difference as a sentence.
  ///
  /// - Parameter feature: that a decision is about.
  func sentence(_ feature: String) -> String {
    switch self {
    case .treeCount(let baseline, let candidate):
      return "the candidate has \(Figures.count(candidate, "tree")), the baseline has \(baseline)"
    case .width:
      return "the candidate's trees take or give another number of values than the baseline's"
    case .precision:
      return "the candidate's trees round features to 32 bits, the baseline's do not"
    case .outputs(let tree):
      return "tree \(tree) of the candidate adds to other outputs than the baseline's"
    case .layout(let tree):
      return
        "tree \(tree) of the candidate is laid out so differently from the baseline's that the two "
        + "cannot be compared"
    case .decision(let tree, _, .missing):
      return
        "tree \(tree) of the candidate sends missing values of \(quoted(feature)) another way than "
        + "the baseline's"
    case .decision(let tree, _, let parted):
      return
        "tree \(tree) of the candidate decides otherwise than the baseline's: it divides the rows of "
        + "one of its leaves \(parted.words(quoted(feature)))"
    }
  }

  /// `what`, and the `tree` and `value` that it names.
  var members: [String: JSONValue] {
    switch self {
    case .treeCount(let baseline, let candidate):
      ["what": "count", "baseline": .integer(baseline), "candidate": .integer(candidate)]
    case .width: ["what": "width"]
    case .precision: ["what": "precision"]
    case .outputs(let tree): ["what": "outputs", "tree": .integer(tree)]
    case .layout(let tree): ["what": "layout", "tree": .integer(tree)]
    case .decision(let tree, _, let parted):
      parted.members.merging(["tree": .integer(tree)]) { $1 }
    }
  }
}

extension TreeDifference.Parted {
  fileprivate func words(_ feature: String) -> String {
    switch self {
    case .missing: "by whether \(feature) is missing"
    case .threshold(let number): "at \(TreeFinding.number(number)) of \(feature)"
    case .equal(let number): "by whether \(feature) is \(TreeFinding.number(number))"
    case .categories: "by the categories of \(feature)"
    }
  }

  fileprivate var members: [String: JSONValue] {
    switch self {
    case .missing: ["what": "missing"]
    case .threshold(let number): ["what": "threshold", "value": .double(number)]
    case .equal(let number): ["what": "equal", "value": .double(number)]
    case .categories: ["what": "categories"]
    }
  }
}
