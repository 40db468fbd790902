import Files
import StrictJSON

/// A Core ML package on disk: a folder `X.mlpackage`.
///
/// Reads only what is inside it, even if its manifest, its program or its links name other files.
package struct MLPackageFolder: Sendable {
  /// Largest manifest read, in bytes.
  static let manifestLimit = 1 << 20
  /// Most files, and most folders within each other, that `files()` lists.
  static let fileLimit = 1000
  static let depthLimit = 16

  /// The package's folder, as it was named.
  package var path: String { parts.path }
  package let manifest: MLPackageManifest
  /// The file that holds the model's description and its program.
  package var modelPath: String { Folder.join(path, modelName) }
  private let modelName: String
  private let parts: MLPackageFiles

  /// Whether a path names a package: a folder with a manifest.
  package static func isMLPackage(_ path: String) -> Bool {
    Folder.kind(of: Folder.join(path, MLPackageLayout.manifest)) == .file
  }

  /// Opens a package and checks that the parts its manifest names are there.
  package init(path: String) throws { try self.init(files: try MLPackageFiles(path: path)) }

  /// The same, wherever its files are.
  init(files: MLPackageFiles) throws {
    parts = files
    try files.checkStaysInside(MLPackageLayout.manifest)
    let text = try files.contents(
      of: MLPackageLayout.manifest, limit: MLPackageFolder.manifestLimit)
    manifest = try MLPackageManifest(
      parsing: text, origin: Folder.join(files.path, MLPackageLayout.manifest))
    modelName = Folder.join(MLPackageLayout.data, manifest.root.path)
    for item in [manifest.root] + manifest.items { try check(item) }
  }

  private func check(_ item: MLPackageManifest.Item) throws {
    let relative = Folder.join(MLPackageLayout.data, item.path)
    guard parts.kind(of: relative) != .missing else {
      throw CoreMLError.malformed(
        path: path, fault: "the manifest names \(quoted(item.path)), which is missing")
    }
    try parts.checkStaysInside(relative)
  }

  /// The model's bytes: one `Model` message.
  package func model() throws -> [UInt8] {
    try parts.contents(of: modelName, limit: CoreMLDigest.modelLimit)
  }

  /// The weights file that a blob reference of the program names.
  ///
  /// - Parameter fileName: `@model_path/` and a path from the folder that holds the program.
  package func weightsPath(_ fileName: String) throws -> String {
    Folder.join(path, try weightsName(fileName))
  }

  /// The same, from the package's folder.
  private func weightsName(_ fileName: String) throws -> String {
    let prefix = MLPackageLayout.modelFolder
    guard fileName.utf8.starts(with: prefix.utf8) else {
      throw CoreMLError.malformed(
        path: path,
        fault: "the program names the weights file \(quoted(fileName)), "
          + "expected a path that begins with '\(prefix)'")
    }
    let relative = String(decoding: fileName.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    if let fault = MLPackageLayout.fault(ofRelative: relative) {
      throw CoreMLError.malformed(
        path: path,
        fault: "the program names the weights file \(quoted(fileName)), whose path \(fault)")
    }
    let modelFolder = Folder.parent(of: Folder.join(MLPackageLayout.data, manifest.root.path))
    let fromPackage = Folder.join(modelFolder, relative)
    guard parts.kind(of: fromPackage) == .file else {
      throw CoreMLError.malformed(
        path: path,
        fault: "the program names the weights file \(quoted(fileName)), which is missing")
    }
    try parts.checkStaysInside(fromPackage)
    return fromPackage
  }

  /// Opens the weights file that a blob reference of the program names.
  package func blob(named fileName: String) throws -> BlobFile {
    try BlobFile(try parts.file(at: try weightsName(fileName)))
  }

  /// The paths of all files in the package from its folder, sorted by their UTF-8 bytes.
  package func files() throws -> [String] { try parts.all() }

  /// Maps a file of the package.
  func file(at relative: String) throws -> MappedFile { try parts.file(at: relative) }
}
