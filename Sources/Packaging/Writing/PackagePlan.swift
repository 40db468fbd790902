import Files
import Formats
import Gate
import Graph
import Inputs
import StrictJSON
import Weights

/// A manifest, and where the bytes of each of its files come from; nothing is written yet.
package struct PackagePlan {
  enum Content {
    case bytes([UInt8])
    /// A file on disk.
    case file(path: String)
  }

  package let manifest: Manifest
  /// In the order of `manifest.files`.
  let contents: [Content]

  /// Plans a package.
  ///
  /// - Throws: when two models have one name, letter case aside, and when an encoder is missing that
  ///   another one was judged together with.
  package init(_ terms: PackageTerms, _ models: [PackagedModel]) throws(PackagingError) {
    var entries: [ModelEntry] = []
    var files: [(FileEntry, Content)] = []
    if let clash = models.map(\.identity).firstClash { throw .duplicateModel(name: clash.title) }
    try PartnerCheck.check(models)
    for model in models {
      let path = try model.identity.path(format: model.format)
      let receiptPath = try model.identity.receiptPath()
      entries.append(try PackagePlan.entry(model, at: path, receipt: receiptPath))
      files += try PackagePlan.files(of: model, at: path)
      files.append(PackagePlan.file(model.receipt.packedBytes, at: receiptPath, role: .receipt))
      for (name, bytes) in model.emitted.companions {
        files.append(
          PackagePlan.file(
            bytes, at: try model.identity.companionPath(name),
            role: model.format.folder?.role(ofCompanion: name) ?? .preprocessing))
      }
    }
    guard !models.isEmpty else {
      throw .badTerms(field: "models", found: "none", expected: "at least one model")
    }
    files.sort { $0.0.path < $1.0.path }
    let listed = try PackagePlan.manifest(terms, entries, files.map(\.0))
    let bill = BillOfMaterials(listed).bytes
    files.append(
      PackagePlan.file(bill, at: try PackagePath(BillOfMaterials.entryName), role: .sbom))
    files.sort { $0.0.path < $1.0.path }
    contents = files.map(\.1)
    manifest = listed.listing(files.map(\.0))
  }

  /// The manifest, as far as it goes without the bill of materials.
  private static func manifest(
    _ terms: PackageTerms, _ models: [ModelEntry], _ files: [FileEntry]
  ) throws(PackagingError) -> Manifest {
    if let text = terms.licenses.first(where: { !License.isIdentifier($0) }) {
      throw .badTerms(field: "licenses", found: text, expected: "identifiers such as Apache-2.0")
    }
    return Manifest(
      app: terms.app, name: Manifest.name(for: terms.app), version: terms.version,
      compatibility: terms.compatibility, models: models.sorted { $0.path < $1.path },
      files: files, licenses: Set(terms.licenses).sorted(),
      build: BuildFacts(
        toolVersion: terms.toolVersion, inputs: Manifest.inputs(of: models), time: terms.time))
  }

  /// The files of a model on disk.
  private static func files(
    of model: PackagedModel, at path: PackagePath
  ) throws(PackagingError) -> [(FileEntry, Content)] {
    guard model.format.folder != nil else {
      // A single file is held to the very digest that the receipt proves.
      let entry = FileEntry(
        path: path, size: model.emitted.byteCount, sha256: model.receipt.candidate.weights,
        role: .model)
      return [(entry, .file(path: model.emitted.path))]
    }
    var files: [(FileEntry, Content)] = []
    for file in model.emitted.files {
      let entry = FileEntry(
        path: try PackagePath("\(path)/\(file.path)"), size: file.byteCount, sha256: file.digest,
        role: .model)
      files.append((entry, .file(path: Folder.join(model.emitted.path, file.path))))
    }
    return files
  }

  private static func file(
    _ bytes: [UInt8], at path: PackagePath, role: FileEntry.Role
  ) -> (FileEntry, Content) {
    let entry = FileEntry(
      path: path, size: bytes.count, sha256: ContentDigest(of: bytes), role: role)
    return (entry, .bytes(bytes))
  }

  private static func entry(
    _ model: PackagedModel, at path: PackagePath, receipt: PackagePath
  ) throws(PackagingError) -> ModelEntry {
    ModelEntry(
      identity: model.identity, path: path, format: model.format,
      architecture: model.receipt.architecture, inputs: model.terms.inputs,
      outputs: model.terms.outputs, prompt: model.terms.prompt,
      threshold: model.receipt.threshold.map(Figures.plain),
      compression: CompressionFacts(
        method: model.terms.method, options: model.terms.options,
        originalBytes: model.terms.originalBytes, bytes: model.emitted.byteCount),
      gate: try PackagePlan.gateFacts(model.receipt, at: receipt))
  }

  private static func gateFacts(
    _ receipt: DriftReceipt, at path: PackagePath
  ) throws(PackagingError) -> GateFacts {
    let metrics = GateFacts.flatten(receipt.json["metrics"])
    for (key, value) in metrics where !Identifiers.isDecimal(value) {
      throw .badTerms(field: key, found: value, expected: "a decimal number")
    }
    return GateFacts(
      profile: receipt.limits.profile.rawValue, limits: receipt.limits, metrics: metrics,
      baseline: receipt.baseline.weights, references: receipt.references, receipt: path)
  }
}
