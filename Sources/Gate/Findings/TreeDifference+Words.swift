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
    case .features(let baseline, let candidate):
      return
        "the candidate's trees take \(Figures.count(candidate, "number")) of a row, the baseline's \(baseline)"
    case .outputCount(let baseline, let candidate):
      return
        "the candidate's trees give \(Figures.count(candidate, "number")), the baseline's \(baseline)"
    case .precision:
      return "the candidate's trees round features to 32 bits, the baseline's do not"
    case .outputs(let tree, let baseline, let candidate):
      let last = baseline.upperBound - 1
      return "tree \(tree) of the candidate adds to output \(candidate), the baseline's to "
        + (baseline.count == 1
          ? "output \(last)" : "outputs \(baseline.lowerBound) to \(last)")
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
    case .features(let baseline, let candidate):
      ["what": "features", "baseline": .integer(baseline), "candidate": .integer(candidate)]
    case .outputCount(let baseline, let candidate):
      ["what": "width", "baseline": .integer(baseline), "candidate": .integer(candidate)]
    case .precision: ["what": "precision"]
    case .outputs(let tree, let baseline, let candidate):
      [
        "what": "outputs", "tree": .integer(tree), "candidate": .integer(candidate),
        "baseline": .array(baseline.map(JSONValue.integer)),
      ]
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
    case .categories(let codes):
      codes.isEmpty
        ? "by the categories of \(feature)"
        : "by the categories of \(feature), such as \(codes.count == 1 ? "code" : "codes") "
          + codes.map(String.init).joined(separator: ", ")
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
