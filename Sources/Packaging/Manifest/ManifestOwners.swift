import Formats
import StrictJSON

/// Checks the lists of a manifest: order, uniqueness, and that each file belongs to one model.
struct ManifestOwners {
  private let manifest: Manifest
  /// The object at which faults are placed.
  private let object: JSONObject
  private let entries: [PackagePath: FileEntry]
  private let filesOfModels: [String: [FileEntry]]

  init(_ manifest: Manifest, _ object: JSONObject) {
    self.manifest = manifest
    self.object = object
    entries = Dictionary(manifest.files.map { ($0.path, $0) }) { first, _ in first }
    filesOfModels = manifest.filesOfModels
  }

  func check() throws(JSONError) {
    let (models, files) = (manifest.models, manifest.files)
    guard !models.isEmpty else { throw fault("'models' is empty") }
    for (left, right) in zip(files, files.dropFirst()) where !(left.path < right.path) {
      throw fault("'files' is not sorted at '\(right.path)'")
    }
    for (left, right) in zip(models, models.dropFirst()) where !(left.path < right.path) {
      throw fault("'models' is not sorted at '\(right.path)'")
    }
    var folded: Set<String> = [Manifest.entryName]
    for file in files where !folded.insert(file.path.folded).inserted {
      throw fault("file '\(file.path)' appears twice, or differs from another only in case")
    }
    for file in files {
      if let outer = file.path.foldedParents.first(where: folded.contains) {
        throw fault("file '\(file.path)' lies inside the file '\(outer)'")
      }
    }
    try checkOwners()
    if let clash = models.map(\.identity).firstClash {
      throw fault("'\(clash.title)' shares its name with another model")
    }
  }

  private func checkOwners() throws(JSONError) {
    var owned: Set<PackagePath> = []
    for model in manifest.models {
      let name = model.identity.title
      guard model.path == (try? model.identity.path(format: model.format)),
        model.gate.receipt == (try? model.identity.receiptPath())
      else { throw fault("the paths of model '\(name)' are not those of its name") }
      for (path, role) in try parts(of: model) {
        guard entries[path]?.role == role, owned.insert(path).inserted else {
          throw fault("'\(path)' is not a file of its own with role '\(role)'")
        }
      }
      let bytes = filesOfModels[model.path.string, default: []].reduce(0) { $0 + $1.size }
      guard bytes == model.compression.bytes else {
        let files = model.format.folder == nil ? "file" : "files"
        throw fault("'bytes' of model '\(name)' is not the size of its \(files)")
      }
    }
    guard manifest.build.inputs == Manifest.inputs(of: manifest.models) else {
      throw fault("the inputs of 'build' are not those of the models")
    }
    try checkBill()
    if let stray = manifest.files.first(where: { $0.role != .sbom && !owned.contains($0.path) }) {
      throw fault("file '\(stray.path)' belongs to no model")
    }
  }

  /// Checks that there is one bill of materials; what it says is checked when its entry comes by.
  private func checkBill() throws(JSONError) {
    let name = BillOfMaterials.entryName
    let bills = manifest.files.filter { $0.role == .sbom }
    guard bills.count == 1, bills[0].path.string == name else {
      throw fault("exactly one file has the role 'sbom', which is '\(name)'")
    }
  }

  /// Every file that belongs to a model, with the role it must have.
  private func parts(
    of model: ModelEntry
  ) throws(JSONError) -> [(path: PackagePath, role: FileEntry.Role)] {
    let receipt = (model.gate.receipt, FileEntry.Role.receipt)
    guard let folder = model.format.folder else { return [(model.path, .model), receipt] }
    let named = "\(model.path)/\(folder.namedFile)"
    let files = filesOfModels[model.path.string, default: []]
    guard let file = files.first(where: { $0.path.string == named }) else {
      throw fault("model '\(model.identity.title)' has no file '\(named)'")
    }
    guard file.size <= folder.namedFileLimit else {
      throw fault("'\(named)' has \(file.size) bytes, the limit is \(folder.namedFileLimit)")
    }
    let companions = folder.companions.compactMap { name in
      (try? model.identity.companionPath(name)).flatMap { entries[$0] }
        .map { ($0.path, folder.role(ofCompanion: name)) }
    }
    return files.map { ($0.path, .model) } + [receipt] + companions
  }

  private func fault(_ words: String) -> JSONError { object.error(words, at: object.position) }
}
