import Files
import Packaging
import WeightCompression

extension ContractSection {
  /// Where the faults of a whole project gather.
  package final class Log {
    package var faults = ProjectFaults()
    /// Compression recipes that were read, by their files; nil for a faulty one.
    var recipes: [String: Recipe?] = [:]
    /// The folder that paths may not leave, where one was named.
    private let root: String?
    /// The folder that paths may not leave; none until the project file is known.
    private(set) var bounds: ProjectBounds?

    /// - Parameter root: the folder that paths may not leave; the project's own when nil.
    package init(root: String? = nil) { self.root = root }

    /// Keeps the paths of a project in its folder, or in the one that was named instead.
    package func bind(toProject folder: String) { bounds = ProjectBounds(root: root ?? folder) }

    /// Whether a path stays in the project; noted when it leaves.
    ///
    /// - Parameter words: the path's name in messages, such as `'source'`.
    package func holds(_ path: String, _ words: String, at place: Place) -> Bool {
      guard let bounds else { return true }
      guard bounds.hold(path) else {
        leave(path, words, at: place, bounds)
        return false
      }
      switch bounds.stray(in: path) {
      case nil: return true
      case .leaving(let stray): leave(stray, "\(words) holds a link:", at: place, bounds)
      case .hidden(let folder, let reason):
        faults.add(
          .pathOutside, place,
          "\(words): '\(folder.asciiEscaped)' cannot be looked through for links that leave the "
            + "project: \(reason)", hint: "remove or rename what is in the way")
      }
      return false
    }

    private func leave(
      _ path: String, _ words: String, at place: Place, _ bounds: ProjectBounds
    ) {
      faults.add(
        .pathOutside, place,
        "\(words) '\(path.asciiEscaped)' leads out of '\(bounds.root.asciiEscaped)', which a project "
          + "may not leave", hint: "move it there",
        option: .init(", or name a folder that holds both with ", .root))
    }
  }
}

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
        // What is not a link is where its folder is.
        if Folder.isLink(inner), !hold(inner) { return .leaving(inner) }
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
