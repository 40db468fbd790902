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
