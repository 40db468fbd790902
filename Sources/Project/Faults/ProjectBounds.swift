import Files

/// The folder that the paths of a project may not leave, through any link.
///
/// Who may edit a project is not always who may read the machine that builds it: a pull request
/// must not choose which files of the machine are read, shown or shipped.
struct ProjectBounds {
  /// Something in a model's folder that keeps it from being used.
  enum Stray {
    /// A link that leads out.
    case leaving(String)
    /// A folder whose names cannot be read, so that any of them may lead out.
    case hidden(String, reason: String)
  }

  /// The folder, as it is named in messages.
  let root: String
  /// The folder without links; nil if it cannot be found.
  private let resolved: String?

  init(root: String) {
    self.root = root
    resolved = try? Folder.resolved(root)
  }

  /// Whether a path leads into the folder, as far as it leads anywhere.
  func hold(_ path: String) -> Bool {
    guard let resolved, let place = Self.place(of: path) else { return false }
    // Bytes, as the system compares names: texts are equal that name two folders.
    return place.utf8.elementsEqual(resolved.utf8)
      || place.utf8.starts(with: (resolved == "/" ? "/" : resolved + "/").utf8)
  }

  /// The first file below a model's folder, by name, that a link brings in from outside; nil if
  /// there is none.
  ///
  /// - Parameter path: of a model; a file is judged by its own path.
  func stray(in path: String) -> Stray? {
    // Nothing is outside of the root.
    if resolved == "/" { return nil }
    var seen: Set<[UInt8]> = []
    return stray(in: path, &seen)
  }

  /// - Parameter seen: folders that were looked through, without links.
  private func stray(in path: String, _ seen: inout Set<[UInt8]>) -> Stray? {
    guard Folder.kind(of: path) == .folder else { return nil }
    do throws(FileError) {
      guard seen.insert(Array(try Folder.resolved(path).utf8)).inserted else { return nil }
      for name in try Folder.names(in: path) {
        let inner = Folder.join(path, name)
        if !hold(inner) { return .leaving(inner) }
        if let stray = stray(in: inner, &seen) { return stray }
      }
      return nil
    } catch {
      return .hidden(path, reason: error.fault)
    }
  }

  /// Where a path leads: what is there of it without links, then what is missing; nil if `..`
  /// follows on what is missing, and where what is there cannot be told in words.
  private static func place(of path: String) -> String? {
    var found = path
    var missing: [String] = []
    while true {
      if let place = try? Folder.resolved(found) {
        return missing.reversed().reduce(place, Folder.join)
      }
      let name = Folder.name(of: found)
      let parent = Folder.parent(of: found)
      guard Folder.kind(of: found) == .missing, name != "..", parent != found else { return nil }
      missing.append(name)
      found = parent
    }
  }
}
