import Files

/// The folder that the paths of a project may not leave, whatever links they follow.
///
/// Who may edit a project is not always who may read the machine that builds it: a pull request
/// must not choose which files of the machine are read, shown or shipped.
struct ProjectBounds {
  /// The folder, as it is named in messages.
  let root: String
  /// The folder without links; nil where it cannot be found.
  private let resolved: String?

  init(root: String) {
    self.root = root
    resolved = try? Folder.resolved(root)
  }

  /// Whether a path leads into the folder, as far as it leads anywhere.
  func hold(_ path: String) -> Bool {
    guard let resolved, let place = Self.place(of: path) else { return false }
    return place == resolved || place.hasPrefix(resolved == "/" ? "/" : resolved + "/")
  }

  /// The first file of a model's folder, by name, that a link brings in from outside; nil where there
  /// is none.
  ///
  /// - Parameter path: of a model; a file is judged by its own path.
  func stray(in path: String, depth: Int = 4) -> String? {
    guard depth > 0, Folder.kind(of: path) == .folder, let names = try? Folder.names(in: path)
    else { return nil }
    for name in names {
      let inner = Folder.join(path, name)
      if !hold(inner) { return inner }
      if let stray = stray(in: inner, depth: depth - 1) { return stray }
    }
    return nil
  }

  /// Where a path leads: what is there of it without links, then what is missing; nil where `..`
  /// follows on what is missing.
  private static func place(of path: String) -> String? {
    var found = path
    var missing: [String] = []
    while true {
      if let place = try? Folder.resolved(found) {
        return missing.reversed().reduce(place, Folder.join)
      }
      let name = Folder.name(of: found)
      let parent = Folder.parent(of: found)
      guard name != "..", parent != found else { return nil }
      missing.append(name)
      found = parent
    }
  }
}
