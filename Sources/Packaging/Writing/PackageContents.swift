import Files
import Formats
import Gate
import Graph
import IngotTokenizers
import Inputs
import SelfTesting
import StrictJSON
package import Weights

/// A manifest, and where the bytes of each of its files come from; nothing is written yet.
package struct PackageContents {
  enum Content: Sendable {
    case bytes([UInt8])
    /// A file on disk.
    case file(path: String)
  }

  package let manifest: Manifest
  /// In the order of `manifest.files`.
  let contents: [Content]

  /// A model's entry, and its files.
  private typealias Part = (entry: ModelEntry, files: [(FileEntry, Content)])

  /// Plans a package.
  ///
  /// - Parameter jobs: threads; the plan does not depend on it.
  /// - Throws: when two models have one name, letter case aside, and when an encoder is missing that
  ///   another one was judged together with.
  package init(
    _ details: PackageDetails, _ models: [PackagedModel], jobs: Int = 1
  ) throws(PackagingError) {
    if let clash = models.map(\.identity).firstClash { throw .duplicateModel(name: clash.title) }
    try PartnerCheck.check(models)
    let parts = try Workers.map(models.count, jobs: jobs) { index throws(PackagingError) in
      try PackageContents.part(models[index])
    }
    let entries = parts.map(\.entry)
    var files = parts.flatMap(\.files)
    guard !models.isEmpty else {
      throw .badField(field: "models", found: "none", expected: "at least one model")
    }
    files.sort { $0.0.path < $1.0.path }
    let listed = try PackageContents.manifest(details, entries, files.map(\.0))
    let bill = BillOfMaterials(listed).bytes
    files.append(
      PackageContents.file(bill, at: try PackagePath(BillOfMaterials.entryName), role: .sbom))
    files.sort { $0.0.path < $1.0.path }
    contents = files.map(\.1)
    manifest = listed.listing(files.map(\.0))
  }

  private static func part(_ model: PackagedModel) throws(PackagingError) -> Part {
    let path = try model.identity.path(format: model.format)
    let receiptPath = try model.identity.receiptPath()
    var files = try files(of: model, at: path)
    files.append(file(model.receipt.packedBytes, at: receiptPath, role: .receipt))
    files += try self.files(of: model.device, of: model.identity)
    for (name, bytes) in model.emitted.companions {
      files.append(
        file(
          bytes, at: try model.identity.companionPath(name),
          role: model.format.folder?.role(ofCompanion: name) ?? .preprocessing))
    }
    return (try entry(model, at: path, receipt: receiptPath), files)
  }

  /// The manifest, as far as it goes without the bill of materials.
  private static func manifest(
    _ details: PackageDetails, _ models: [ModelEntry], _ files: [FileEntry]
  ) throws(PackagingError) -> Manifest {
    if let text = details.licenses.first(where: { !License.isIdentifier($0) }) {
      throw .badField(field: "licenses", found: text, expected: "identifiers such as Apache-2.0")
    }
    return Manifest(
      app: details.app, name: Manifest.name(for: details.app), version: details.version,
      compatibility: details.compatibility, models: models.sorted { $0.path < $1.path },
      files: files, licenses: Set(details.licenses).sorted(),
      build: BuildFacts(
        toolVersion: details.toolVersion, inputs: Manifest.inputs(of: models), time: details.time))
  }

  /// The files of a model.
  private static func files(
    of model: PackagedModel, at path: PackagePath
  ) throws(PackagingError) -> [(FileEntry, Content)] {
    guard model.format.folder != nil else {
      // A single file is held to the very digest that the receipt proves.
      let entry = FileEntry(
        path: path, size: model.emitted.byteCount, sha256: model.receipt.candidate.weights,
        role: .model)
      return [(entry, model.emitted.held.map(Content.bytes) ?? .file(path: model.emitted.path))]
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

  /// What devices need to know of a model, as files.
  private static func files(
    of device: DeviceFacts?, of identity: ModelIdentity
  ) throws(PackagingError) -> [(FileEntry, Content)] {
    guard let device else { return [] }
    return [
      file(device.inputsBytes, at: try identity.inputsPath(), role: .preprocessing),
      file(device.selfTestBytes, at: try identity.selfTestPath(), role: .selftest),
    ]
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
      architecture: model.receipt.architecture, inputs: model.details.inputs,
      outputs: model.details.outputs, prompt: model.details.prompt,
      threshold: model.receipt.threshold.map(Figures.plain), cacheKey: model.device?.cacheKey,
      inputConfiguration: model.device == nil ? nil : try model.identity.inputsPath(),
      selfTest: model.device == nil ? nil : try model.identity.selfTestPath(),
      compression: CompressionFacts(
        method: model.details.method, options: model.details.options,
        originalBytes: model.details.originalBytes, bytes: model.emitted.byteCount),
      gate: try PackageContents.gateFacts(model.receipt, at: receipt))
  }

  private static func gateFacts(
    _ receipt: DriftReceipt, at path: PackagePath
  ) throws(PackagingError) -> GateFacts {
    let metrics = GateFacts.flatten(receipt.json["metrics"])
    for (key, value) in metrics where !Identifiers.isDecimal(value) {
      throw .badField(field: key, found: value, expected: "a decimal number")
    }
    return GateFacts(
      profile: receipt.limits.profile.rawValue, limits: receipt.limits, metrics: metrics,
      baseline: receipt.baseline.weights, references: receipt.references, receipt: path)
  }
}

/// Checks that an archive holds nothing but what its customer is due.
///
/// The due models come from elsewhere than the archive: from the customer list and the models made
/// for it. The digests compared are those of the bytes in the archive.
package struct LeakCheck: Sendable {
  private let app: String
  private let expected: [PackagePath: ContentDigest]

  /// - Parameters:
  ///   - app: the customer's app.
  ///   - expected: every file the customer may get, by its path in the archive; without the bill of
  ///     materials, which verification holds to the manifest.
  package init(app: AppDetails, expected: [PackagePath: ContentDigest]) {
    self.app = app.id
    self.expected = expected
  }

  /// Checks an archive.
  ///
  /// - Parameter owner: says whose a content is, for the message; asked only for a leak.
  /// - Throws: `PackagingError.otherApp` or `.leak`.
  package func check(
    _ package: VerifiedPackage, owner: (ContentDigest) -> String? = { _ in nil }
  ) throws(PackagingError) {
    guard package.manifest.app.id == app else {
      throw .otherApp(archive: package.path, found: package.manifest.app.id, expected: app)
    }
    for file in package.manifest.files where file.role != .sbom {
      // The digest that was read; verification has ensured one for every file.
      let digest = package.contents[file.path] ?? file.sha256
      guard digest != expected[file.path] else { continue }
      throw .leak(
        archive: package.path, path: file.path.string, digest: digest, owner: owner(digest))
    }
  }
}
