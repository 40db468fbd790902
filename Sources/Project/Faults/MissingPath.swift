import Files
import Packaging

/// How far a path leads that leads nowhere.
struct MissingPath {
  let path: String
  /// The deepest part of the path that is there.
  let found: String
  /// The path up to the first name that is missing.
  let missing: String

  /// - Parameter path: of something that is not there.
  init(_ path: String) {
    self.path = path
    var missing = path
    var found = Folder.parent(of: path)
    while found != missing, Folder.kind(of: found) == .missing {
      (missing, found) = (found, Folder.parent(of: found))
    }
    self.missing = missing
    self.found = found
  }

  /// Whether the first missing name is the last of the path.
  private var isWhole: Bool { missing.utf8.count >= path.utf8.count }

  /// `the source 'a/b/c' is not there, nor is the folder 'a/b'`.
  func words(_ kind: String) -> String {
    "\(kind) '\(path.asciiEscaped)' is not there"
      + (isWhole ? "" : ", nor is the folder '\(missing.asciiEscaped)'")
  }

  /// The name that was probably meant, or the others of its kind there.
  var hint: String? {
    if let suggestion { return suggestion }
    guard Folder.kind(of: found) == .folder else { return "'\(found.asciiEscaped)' is a file" }
    let alike = names.filter(isAlike)
    guard (1...6).contains(alike.count) else { return nil }
    return "there is only \(alike.map { "'\($0.asciiEscaped)'" }.joined(separator: ", "))"
  }

  /// Whether a name is of the kind that is missing: a folder, or a file with the same ending.
  private func isAlike(_ name: String) -> Bool {
    if !isWhole { return Folder.kind(of: Folder.join(found, name)) == .folder }
    func ending(_ name: String) -> Substring? {
      name.lastIndex(of: ".").map { name[$0...] }
    }
    return ending(name) == ending(Folder.name(of: missing))
  }

  /// The name that was probably meant, if one there is near.
  var suggestion: String? {
    Suggestion.nearest(to: Folder.name(of: missing), among: names).map {
      "did you mean '\($0.asciiEscaped)'?"
    }
  }

  /// The names in the folder of the missing one, hidden files aside.
  private var names: [String] {
    ((try? Folder.names(in: found)) ?? []).filter { !$0.hasPrefix(".") }
  }
}
