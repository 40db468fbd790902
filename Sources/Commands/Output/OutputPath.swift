import Files
import Formats
import Graph

/// The path of the one file or package a command writes, looked at before any work is done.
struct OutputPath {
  let path: String
  /// The format of the model that is written; nil if it is not a model.
  var format: ModelFormat?
  /// The option that gave the path.
  var flag = "--output"

  /// Whether a folder is written.
  private var isFolder: Bool { format?.folder != nil }

  /// Refuses a path that is an input, holds an input, is of another kind, or whose folder is not
  /// there.
  ///
  /// Renaming over a device would replace it, so only regular files are replaced.
  func check(inputs: [String]) throws(Failure) {
    if inputs.contains(where: { Folder.isSame($0, path) }) {
      throw Failure(
        message: "\(path): is an input of this very command", hint: "choose another \(flag)")
    }
    try checkPlace(inputs: inputs)
    switch Folder.kind(of: path) {
    case .folder where isFolder: try checkReplaced(inputs: inputs)
    case .file where isFolder:
      throw Failure(message: "\(path): is a file, the output is a package, which is a folder")
    case .folder: throw Failure(message: "\(path): is a folder, the output is one file")
    case .other:
      throw Failure(message: "\(path): is a device or a pipe, the output is a regular file")
    case .file, .missing: break
    }
    guard !path.isEmpty, isFolder || path.utf8.last != UInt8(ascii: "/") else {
      throw Failure(message: "'\(path)': is no name of a file", hint: "choose another \(flag)")
    }
    if let format, isFolder, !Folder.name(of: path).hasSuffix(".\(format.name)") {
      throw Failure(
        message: "\(path): a \(format.type.noun) is called '….\(format.name)'",
        hint: "choose another \(flag)")
    }
    if format != nil, let kind = ModelFormat.otherKind(namedBy: path) {
      let names = ModelFormat.endings.joined(separator: " or ")
      throw Failure(
        message: "\(path): is the name of \(kind), which ingot does not write",
        hint: "call the output \(names)")
    }
    let folder = Folder.parent(of: path)
    guard Folder.kind(of: folder) == .folder else {
      throw Failure(
        message: "\(path): the folder '\(folder)' is not there",
        hint: "make the folder, or choose another \(flag)")
    }
  }
}

extension OutputPath {
  /// Whether two paths name one file, there or not.
  ///
  /// - Parameter folded: their names as they are compared.
  static func isSame(
    _ left: String, _ right: String, as folded: (String) -> String = { $0 }
  ) -> Bool {
    Folder.isSame(left, right)
      || folded(Folder.name(of: left)) == folded(Folder.name(of: right))
        && Folder.isSame(Folder.parent(of: left), Folder.parent(of: right))
  }

  // Only an older package that nothing is read from is replaced.
  private func checkReplaced(inputs: [String]) throws(Failure) {
    if let format, let rules = format.folder, !rules.isReplaceable(path) {
      throw Failure(
        message: "\(path): is a folder but no \(format.type.noun), and is not replaced",
        hint: "choose another \(flag)")
    }
    if inputs.contains(where: { Folder.isSame(Folder.parent(of: $0), path) }) {
      throw Failure(
        message: "\(path): holds an input of this very command", hint: "choose another \(flag)")
    }
  }
}

extension Model {
  /// Every file the model is read from.
  var inputFiles: [String] {
    weights.files + architecture.describingFiles.map { files.name(of: $0) }
  }
}
