import Files
import StrictJSON

/// A Core ML package on disk: a folder `X.mlpackage`.
///
/// Whatever its manifest, its program and its links name, only what lies inside it is read.
package struct PackageFolder: Sendable {
  /// Largest manifest read, in bytes.
  static let manifestLimit = 1 << 20
  /// Most files, and most folders within each other, that `files()` lists.
  static let fileLimit = 1000
  static let depthLimit = 16

  /// The package's folder, as it was named.
  package let path: String
  package let manifest: PackageManifest
  /// The file that holds the model's description and its program.
  package let modelPath: String
  /// The package's folder without links on the way.
  private let resolvedPath: String

  /// Whether a path names a package: a folder with a manifest.
  package static func isPackage(_ path: String) -> Bool {
    Folder.kind(of: Folder.join(path, PackageLayout.manifest)) == .file
  }

  /// Opens a package and checks that the parts its manifest names are there.
  package init(path: String) throws {
    self.path = path
    resolvedPath = try Folder.resolved(path)
    let manifestPath = Folder.join(path, PackageLayout.manifest)
    try PackageFolder.check(PackageLayout.manifest, staysInside: resolvedPath, of: path)
    let text = try MappedFile.contents(of: manifestPath, limit: PackageFolder.manifestLimit)
    manifest = try PackageManifest(parsing: text, origin: manifestPath)
    modelPath = Folder.join(path, Folder.join(PackageLayout.data, manifest.root.path))
    for item in [manifest.root] + manifest.items { try check(item) }
  }

  private func check(_ item: PackageManifest.Item) throws {
    let relative = Folder.join(PackageLayout.data, item.path)
    guard Folder.kind(of: Folder.join(path, relative)) != .missing else {
      throw CoreMLError.malformed(
        path: path, fault: "the manifest names \(quoted(item.path)), which is missing")
    }
    try checkStaysInside(relative)
  }

  private func checkStaysInside(_ relative: String) throws {
    try PackageFolder.check(relative, staysInside: resolvedPath, of: path)
  }

  /// Refuses links that lead out of the package.
  private static func check(
    _ relative: String, staysInside resolvedPath: String, of path: String
  ) throws {
    let resolved = try Folder.resolved(Folder.join(path, relative))
    guard resolved.utf8.starts(with: (resolvedPath + "/").utf8) else {
      throw CoreMLError.malformed(
        path: path, fault: "\(quoted(relative)) is a link that leads out of the package")
    }
  }

  /// The model's bytes: one `Model` message.
  package func model() throws -> [UInt8] {
    try MappedFile.contents(of: modelPath, limit: CoreMLDigest.modelLimit)
  }

  /// The weights file that a blob reference of the program names.
  ///
  /// - Parameter fileName: `@model_path/` and a path from the folder that holds the program.
  package func weightsPath(_ fileName: String) throws -> String {
    let prefix = PackageLayout.modelFolder
    guard fileName.utf8.starts(with: prefix.utf8) else {
      throw CoreMLError.malformed(
        path: path,
        fault: "the program names the weights file \(quoted(fileName)), "
          + "expected a path that begins with '\(prefix)'")
    }
    let relative = String(decoding: fileName.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    if let fault = PackageLayout.fault(ofRelative: relative) {
      throw CoreMLError.malformed(
        path: path,
        fault: "the program names the weights file \(quoted(fileName)), whose path \(fault)")
    }
    let modelFolder = Folder.parent(of: Folder.join(PackageLayout.data, manifest.root.path))
    let fromPackage = Folder.join(modelFolder, relative)
    let place = Folder.join(path, fromPackage)
    guard Folder.kind(of: place) == .file else {
      throw CoreMLError.malformed(
        path: path,
        fault: "the program names the weights file \(quoted(fileName)), which is missing")
    }
    try checkStaysInside(fromPackage)
    return place
  }

  /// Opens the weights file that a blob reference of the program names.
  package func blob(named fileName: String) throws -> BlobFile {
    try BlobFile(path: try weightsPath(fileName))
  }

  /// The paths of all files in the package from its folder, sorted by their UTF-8 bytes.
  package func files() throws -> [String] {
    var files: [String] = []
    try list("", depth: 0, into: &files)
    return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func list(_ folder: String, depth: Int, into files: inout [String]) throws {
    guard depth <= PackageFolder.depthLimit else {
      throw CoreMLError.malformed(
        path: path,
        fault: "holds folders more than \(PackageFolder.depthLimit) deep in each other")
    }
    for name in try Folder.names(in: Folder.join(path, folder)) {
      let relative = Folder.join(folder, name)
      try checkStaysInside(relative)
      switch Folder.kind(of: Folder.join(path, relative)) {
      case .folder: try list(relative, depth: depth + 1, into: &files)
      case .file: files.append(relative)
      case .other, .missing:
        throw CoreMLError.malformed(
          path: path, fault: "holds \(quoted(relative)), which is neither a file nor a folder")
      }
      guard files.count <= PackageFolder.fileLimit else {
        throw CoreMLError.malformed(
          path: path, fault: "holds more than \(PackageFolder.fileLimit) files")
      }
    }
  }
}
