import Files
import Formats
import Gate
import Graph
import IngotTokenizers
import Packaging
import Project
import SelfTesting
import Store
import WeightCompression
import Weights

/// A store's copy of one encoder of a model, or of a whole model.
struct CachedEncoder {
  let store: ContentStore
  let result: ActionResult
  /// The prefix of its outputs' paths.
  let start: String

  /// Its outputs by their paths behind the start, in their order.
  private var outputs: [(path: String, output: ActionResult.Output)] {
    result.outputs.filter { $0.path.hasPrefix(start) }
      .map { (String($0.path.dropFirst(start.count)), $0) }
  }

  func receipt() throws -> RecordedReceipt? {
    guard let output = outputs.first(where: { $0.path == ModelStore.receiptPath })?.output else {
      return nil
    }
    return try RecordedReceipt(
      try store.bytes(of: output, limit: ModelStore.textLimit), origin: output.path)
  }

  /// What devices need to know of it.
  ///
  /// - Throws: `ModelStore.Foreign` where it is not there or not as it was written.
  func device() throws -> DeviceFacts {
    let key = String(decoding: try bytes(ModelStore.cacheKeyPath), as: UTF8.self)
    guard let cacheKey = ContentDigest(hex: key) else { throw ModelStore.Foreign() }
    return DeviceFacts(
      selfTest: try SelfTest(bytes(ModelStore.selfTestPath), origin: ModelStore.selfTestPath),
      inputs: try InputConfiguration(json: bytes(ModelStore.inputsPath)), cacheKey: cacheKey)
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    guard let output = outputs.first(where: { $0.path == path })?.output else {
      throw ModelStore.Foreign()
    }
    return try store.bytes(of: output, limit: SelfTest.byteLimit)
  }

  /// The recipe that a search found.
  ///
  /// - Throws: `ModelStore.Foreign` without one, `ProjectFaults` if it cannot be read.
  func recipe() throws -> Recipe {
    guard let output = outputs.first(where: { $0.path == ModelStore.recipePath })?.output else {
      throw ModelStore.Foreign()
    }
    // Every byte is held to the digest here.
    _ = try store.bytes(of: output, limit: ModelStore.textLimit)
    return try CompressionRecipes.recipe(store.path(of: output.digest))
  }

  /// Puts the model's files where packaging finds them, as links into the store.
  ///
  /// - Returns: nil when they are not those of the form.
  func emitted(as form: OutputForm, at path: String) throws -> EmittedModel? {
    var files: [EmittedModel.File] = []
    var companions: [String: [UInt8]] = [:]
    for (name, output) in outputs {
      if name.hasPrefix(ModelStore.companions) {
        companions[String(name.dropFirst(ModelStore.companions.count))] = try store.bytes(
          of: output, limit: ModelFiles.sizeLimit(of: name))
      } else if name == ModelStore.modelPath || name.hasPrefix(ModelStore.modelPath + "/") {
        let inner = String(name.dropFirst(ModelStore.modelPath.count + 1))
        let place = Folder.join(path, inner)
        try Folder.create(Folder.parent(of: place))
        try Folder.link(place, to: store.path(of: output.digest))
        files.append(
          EmittedModel.File(path: inner, byteCount: output.byteCount, digest: output.digest))
      }
    }
    guard companions.keys.allSatisfy(form.format.companions.contains),
      let digest = try digest(of: files, as: form)
    else { return nil }
    return EmittedModel(
      path: path, format: form.format, digest: digest, files: files, companions: companions)
  }

  /// The digest that a receipt names a model by; nil when its files are not those of the form.
  private func digest(
    of files: [EmittedModel.File], as form: OutputForm
  ) throws -> ContentDigest? {
    guard let folder = form.format.folder else { return files.count == 1 ? files[0].digest : nil }
    let named = Folder.join(ModelStore.modelPath, folder.namedFile)
    guard let model = outputs.first(where: { $0.path == named })?.output else { return nil }
    return try folder.digest(
      files.map { ($0.path, $0.digest) },
      try store.bytes(of: model, limit: folder.namedFileLimit))
  }
}
