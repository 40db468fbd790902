import Files
import Weights

/// Writes files into a folder that holds none of them.
struct StarterWriter {
  let folder: String

  /// Writes all files, the first one last: it tells that the rest is there.
  ///
  /// - Throws: `Failure` naming every file that is there already; then nothing was written.
  func write(_ files: [StarterFile]) throws {
    let present = files.map(\.path).compactMap(conflict)
    guard present.isEmpty else {
      throw Failure(
        message: "\(folder): nothing was written, these are there already:",
        details: Set(present).sorted(), hint: "choose an empty folder")
    }
    var written: [String] = []
    do {
      for file in files.reversed() {
        let path = Folder.join(folder, file.path)
        try Folder.create(Folder.parent(of: path))
        try write(file.content, to: path)
        written.append(path)
      }
    } catch {
      // Half a project would only block the next attempt.
      for path in written { try? Folder.remove(path) }
      throw error
    }
  }

  private func write(_ content: StarterFile.Content, to path: String) throws(FileError) {
    var file = try AtomicFile(path: path)
    switch content {
    case .text(let text): try file.write(Array(text.utf8))
    case .vector(let values): try NpyWriter.write(vector: values, to: &file)
    case .matrix(let values, let rows, let columns):
      try NpyWriter.write(values, rows: rows, columns: columns, to: &file)
    }
    try file.commit()
  }

  /// The obstacle at a file's path: something of its name, or no folder where it needs one.
  private func conflict(_ file: String) -> String? {
    var path = file
    if isThere(Folder.join(folder, path)) { return path }
    while Folder.parent(of: path) != "." {
      path = Folder.parent(of: path)
      let kind = Folder.kind(of: Folder.join(folder, path))
      if kind == .file || kind == .other { return path }
    }
    return nil
  }

  /// Whether a folder has an entry of that name, a link that leads nowhere included.
  private func isThere(_ path: String) -> Bool {
    let names = try? Folder.names(in: Folder.parent(of: path))
    return names?.contains(Folder.name(of: path)) ?? false
  }
}
