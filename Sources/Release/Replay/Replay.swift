package import Files
import Gate
import IngotTokenizers
package import Packaging
import Project
package import Proving
import SelfTesting

/// Proves the models of a package again: the gate judges what the archive holds against the models
/// as trained, on the reference sets of the project, and must write the receipts that are recorded.
package enum Replay {
  /// Largest receipt that is read, in bytes; what verified is never larger.
  private static let receiptLimit = 1 << 20

  /// Replays every model of a package.
  ///
  /// - Parameters:
  ///   - package: a package that was verified; its archive is read again.
  ///   - project: a folder with `ingot.yaml`, or the file itself. Models that the package does
  ///     not hold are not looked at, nor are customers but the package's own, who may be missing.
  ///   - root: the folder that paths of the project may not leave; the project's own when nil.
  ///   - jobs: threads.
  ///   - temporary: the folder in which the models are unpacked for the time this takes.
  ///   - progress: told which model is replayed, its family if it is of one, counted from 1, of how many.
  ///   - stepping: told each step of the gate, from any thread.
  ///   - naming: names what the user may type, for reasons.
  /// - Throws: `ProjectFaults` when the project file cannot be read, `PackagingError` or `FileError`
  ///   when the archive is not the one that was verified, or cannot be unpacked.
  package static func run(
    _ package: VerifiedPackage, project path: String, root: String? = nil, jobs: Int,
    in temporary: String = System.environment("TMPDIR") ?? "/tmp",
    progress: (_ model: String, _ family: String?, _ number: Int, _ count: Int) -> Void = {
      _, _, _, _ in
    },
    stepping: @escaping @Sendable (Prover.Step) -> Void = { _ in },
    naming: @escaping UserOption.Names = { _ in nil }
  ) throws -> ReplayReport {
    let log = ContractSection.Log(root: root)
    guard let project = ProjectReader.read(path, log: log) else { throw log.faults }
    let workshop = try Folder.createTemporary(in: temporary, prefix: ".ingot-")
    // Removing it may fail only on a broken disk; that must not hide the findings.
    defer { try? Folder.remove(workshop) }
    let content = Folder.join(workshop, "package")
    guard try PackageExtractor.extract(package.path, to: content).sha256 == package.sha256 else {
      throw FileError.failed(
        doing: "replay", path: package.path, reason: "it has changed since it was verified")
    }
    let (app, models) = (package.manifest.app, package.manifest.models)
    let customer = project.customer(of: app, root: root)
    let partsOfModels = Dictionary(grouping: models) { $0.identity.of(nil) }
    var outcomes: [ModelIdentity: ReplayReport.Outcome] = [:]
    for (index, model) in models.enumerated() where outcomes[model.identity] == nil {
      // Encoders of one model were judged together.
      let parts = partsOfModels[model.identity.of(nil), default: []]
      progress(
        parts.count > 1 ? model.identity.name : model.identity.title, model.identity.family,
        index + 1, models.count)
      let source = ReplaySource(of: model.identity, app: package.manifest.app, in: project)
      if let source, !source.isHeld(in: project, log) { throw log.faults }
      let found = try replay(parts, in: content, against: source, jobs: jobs, stepping, naming) {
        ManifestReplay($0, of: app, customer, in: project)
      }
      for (part, outcome) in zip(parts, found) { outcomes[part.identity] = outcome }
    }
    return ReplayReport(
      models: models.compactMap { model in
        outcomes[model.identity].map {
          ReplayReport.Model(
            name: model.identity.title, family: model.identity.family, outcome: $0,
            limits: package.limits(of: model))
        }
      })
  }

  /// What an unpacked package says of a model to devices; nil in packages of before they did.
  private static func device(of model: ModelEntry, in content: String) throws -> DeviceFacts? {
    guard let test = model.selfTest, let inputs = model.inputConfiguration,
      let cacheKey = model.cacheKey
    else { return nil }
    func bytes(_ path: PackagePath) throws -> [UInt8] {
      try MappedFile.contents(of: Folder.join(content, path.string), limit: SelfTest.byteLimit)
    }
    return DeviceFacts(
      selfTest: try SelfTest(bytes(test), origin: test.string),
      inputs: try InputConfiguration(json: bytes(inputs)), cacheKey: cacheKey)
  }

  /// - Parameter models: a model, or all encoders of one.
  private static func replay(
    _ models: [ModelEntry], in content: String, against source: ReplaySource?, jobs: Int,
    _ stepping: @escaping @Sendable (Prover.Step) -> Void, _ naming: @escaping UserOption.Names,
    telling manifest: (ModelEntry) -> ManifestReplay?
  ) throws -> [ReplayReport.Outcome] {
    guard let source else {
      return models.map { _ in .impossible(reason: "the project does not know this model") }
    }
    let parts = try models.map { model in
      let path = Folder.join(content, model.gate.receipt.string)
      return ModelReplay.Part(
        encoder: model.identity.encoder,
        receipt: try RecordedReceipt(
          try MappedFile.contents(of: path, limit: receiptLimit), origin: path),
        candidate: Folder.join(content, model.path.string),
        device: try device(of: model, in: content), manifest: manifest(model))
    }
    return ModelReplay(
      parts: parts, source: source, jobs: jobs, naming: naming, stepping: stepping
    ).run()
  }
}
