import Files
import Formats
import Inputs

extension OutputPath {
  /// Refuses the file behind the standard input where that is read, and places inside a package.
  func checkPlace(inputs: [String]) throws(Failure) {
    if inputs.contains(InputFile.standardInput), Folder.isSame(path, descriptor: 0) {
      throw Failure(
        message: "\(path): is the file behind stdin, an input of this very command",
        hint: "choose another \(flag)")
    }
    if let package = OutputPath.enclosingPackage(of: path) {
      throw Failure(
        message: "\(path): lies in the package '\(package)', which holds nothing but its own files",
        hint: "choose another \(flag)")
    }
  }

  /// Refuses a name that promises something else than an array.
  func checkArray() throws(Failure) {
    guard let kind = ModelFormat.kindBesidesArray(namedBy: path) else { return }
    throw Failure(
      message: "\(path): is the name of \(kind), the output is a numpy array",
      hint: "call the output '….npy'")
  }

  /// Refuses files of the model's folder, also those that are not read: which are read depends on which
  /// there are. What Ingot wrote there before is replaced.
  ///
  /// - Parameter model: as given; only a folder holds files of its own.
  func check(besides model: String) throws(Failure) {
    guard Folder.kind(of: model) == .folder, Folder.kind(of: path) == .file, !isOfIngot,
      OutputPath.folders(around: path).contains(where: { Folder.isSame($0, model) })
    else { return }
    throw Failure(
      message: "\(path): is a file of the model's folder '\(model)', and is not replaced",
      hint: "choose another \(flag)")
  }

  /// Whether the file is a compressed model where one is written, or a recipe where one is.
  private var isOfIngot: Bool {
    if format != nil {
      return (try? ModelLoader.open(path)).map { ModelFormat.storage(ofOpened: $0) != nil } ?? false
    }
    let text = try? MappedFile.contents(of: path, limit: 1 << 20)
    return text?.starts(with: "ingot-recipe:".utf8) ?? false
  }

  /// The nearest model that is a folder around a path, by the name of a folder above it.
  private static func enclosingPackage(of path: String) -> String? {
    folders(around: path).first { ModelFormat.isFolder(called: Folder.name(of: $0)) }
  }

  /// The folders around a path, the nearest first, links followed; empty if the nearest is missing,
  /// which the check of a path says.
  private static func folders(around path: String) -> [String] {
    guard var folder = try? Folder.resolved(Folder.parent(of: path)) else { return [] }
    var folders = [folder]
    while folder != "/" {
      folder = Folder.parent(of: folder)
      folders.append(folder)
    }
    return folders
  }
}
