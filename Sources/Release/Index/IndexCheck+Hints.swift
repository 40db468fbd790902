/// The way out of each fault of an index.
extension IndexCheck.Fault.Kind {
  /// What a backup should give back.
  var files: String {
    switch self {
    case .lostLines: ReleaseIndex.fileName
    case .otherLines, .otherKey, .olderList:
      "\(ReleaseIndex.fileName) and \(ReleaseSums.fileName)"
    }
  }

  /// When to take the index at its word, and what that costs.
  ///
  /// - Parameter flag: how that is said.
  func occasion(_ flag: String) -> String {
    switch self {
    case .lostLines:
      "without one, say \(flag), which goes on without those lines; then build every release whose "
        + "archives lie here again from its project, the last one last, before 'verify' of the folder is sound"
    case .otherLines: "without one, \(flag) takes the lines at their word, so look at them first"
    case .otherKey: "after a key was added or replaced, say \(flag)"
    case .olderList: "where this list is the last one, say \(flag)"
    }
  }
}
