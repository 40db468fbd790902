import Files
import Formats
import Graph

/// The files beside a Core ML package for the app that runs it.
struct PreparationFiles {
  private let folder: String
  /// By name.
  private let texts: [String: [UInt8]]

  /// - Parameters:
  ///   - candidate: the model as read back from the package.
  ///   - trained: the model that the package was made from.
  ///   - format: of the package.
  ///   - path: of the package.
  /// - Throws: `Failure` when a file is there and differs; nothing is written then.
  init(_ candidate: Model, of trained: Model, in format: FolderFormat, beside path: String) throws {
    folder = Folder.parent(of: path)
    var texts = try format.companionFiles(candidate)
    let page = try UsagePage(
      candidate, trained: trained, package: Folder.name(of: path), files: texts.keys.sorted())
    texts[UsagePage.file] = Array(page.text.utf8)
    self.texts = texts
    for (name, bytes) in texts {
      let place = Folder.join(folder, name)
      switch Folder.kind(of: place) {
      case .missing: break
      case .file
      where try MappedFile.contents(of: place, limit: ModelFiles.sizeLimit(of: name)) == bytes:
        break
      default:
        throw Failure(
          message: "\(place): is there already and differs from what --with-preparation puts there",
          hint: "move it away, or choose an --output in another folder")
      }
    }
  }

  /// Their names, sorted.
  var names: [String] { texts.keys.sorted() }

  /// Writes the files that are missing, each whole or not at all.
  func write() throws {
    for (name, bytes) in texts.sorted(by: { $0.key < $1.key }) {
      let place = Folder.join(folder, name)
      if Folder.kind(of: place) == .missing { try AtomicFile.write(bytes, to: place) }
    }
  }
}
