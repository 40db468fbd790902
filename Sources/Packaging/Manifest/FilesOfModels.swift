import Formats
import StrictJSON

/// Finds the files of each model of a manifest, of any number of models.
struct FilesOfModels {
  private let ofModels: [String: [FileEntry]]
  private let ofPaths: [PackagePath: FileEntry]

  init(_ manifest: Manifest) {
    ofModels = manifest.filesOfModels
    ofPaths = Dictionary(manifest.files.map { ($0.path, $0) }) { first, _ in first }
  }

  /// The model's own files, its companions and its receipt, sorted by path.
  func files(of model: ModelEntry) -> [FileEntry] {
    let others = model.format.companions.compactMap { try? model.identity.companionPath($0) }
    return
      (ofModels[model.path.string, default: []]
      + ([model.gate.receipt] + others).compactMap { ofPaths[$0] })
      .sorted { $0.path < $1.path }
  }
}

extension ModelEntry {
  /// The files of a model in a bill of materials; the model itself holds the hash of a single file.
  func component(_ files: FilesOfModels) -> JSONValue {
    let parts = files.files(of: self)
    let single = parts.first { $0.path == path }
    return component(hash: single?.sha256, parts: parts.filter { $0.path != path })
  }
}
