import Files
import Gate
import Graph
package import StrictJSON
package import Weights
import Zstd

/// Checks an archive against its own manifest, in memory and without trust.
///
/// Memory stays bounded for any archive: the manifest has a limit, as have a receipt and the file
/// that names a folder, held one at a time or a few small ones together; everything else is hashed as
/// it streams by. Nothing is written to disk. `verifyOpening` opens the models as well.
package enum PackageVerifier {
  /// Verifies a whole archive.
  ///
  /// - Throws: `PackagingError` when it is not sound, `FileError` when it cannot be read.
  package static func verify(_ path: String) throws -> VerifiedPackage {
    try verify(path, sink: nil)
  }

  /// The same, handing over the files as they are read.
  ///
  /// - Parameter progress: told how many bytes of the files were read, of how many.
  /// - Throws: errors from the sink, too. Then, as with every fault, drop everything it took.
  static func verify(
    _ path: String, sink: (any EntrySink)?,
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws -> VerifiedPackage {
    try reading(path) { file, reader in
      let check = EntryCheck(reader, sink: sink, progress: progress)
      let package = try verify(file, reader, check)
      try sink?.finish()
      return package
    }
  }

  /// Verifies an archive that was just written, under any name.
  ///
  /// - Parameters:
  ///   - written: the manifest, whose bytes are in the one byte form if they are found.
  ///   - sha256: of the archive as it was written.
  ///   - jobs: threads; faults do not depend on it.
  static func verify(
    _ path: String, as form: ArchiveForm, _ decoder: ZstdDecoder,
    written: WrittenManifest, sha256: ContentDigest, jobs: Int
  ) throws -> VerifiedPackage {
    try naming(path) {
      let file = try MappedFile(path: path)
      let reader = try reader(of: file, form, decoder)
      let check = EntryCheck(reader, written: written, jobs: jobs)
      return try verify(file, reader, check, written: sha256)
    }
  }

  private static func verify(
    _ file: MappedFile, _ reader: any EntryReader, _ check: consuming EntryCheck,
    written: ContentDigest? = nil
  ) throws -> VerifiedPackage {
    let manifest = try check.manifest(origin: file.path)
    try check.files(of: manifest)
    return VerifiedPackage(
      path: file.path, manifest: manifest, sha256: written ?? ContentDigest(of: file),
      tarSHA256: reader.tarDigest, byteCount: file.byteCount, contents: check.contents,
      readings: check.readings)
  }

  /// Opens an archive of any form; faults that `body` finds in it name the archive.
  static func reading<Result>(
    _ path: String, _ body: (MappedFile, any EntryReader) throws -> Result
  ) throws -> Result {
    try naming(path) {
      let file = try MappedFile(path: path)
      let form = try ArchiveForm(of: file)
      return try body(file, try reader(of: file, form, try ZstdDecoder()))
    }
  }

  private static func reader(
    of file: MappedFile, _ form: ArchiveForm, _ decoder: ZstdDecoder
  ) throws(ArchiveFault) -> any EntryReader {
    switch form {
    case .tarZst: try TarReader(file, decoder)
    case .zip: try ZipReader(file)
    }
  }

  private static func naming<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let fault as ArchiveFault {
      throw PackagingError.unsound(archive: path, fault: fault)
    }
  }
}

/// An archive that is what it claims to be; nothing but `PackageVerifier` can make one.
package struct VerifiedPackage: Sendable {
  package let path: String
  package let manifest: Manifest
  /// SHA-256 of the archive.
  package let sha256: ContentDigest
  /// SHA-256 of the tar stream inside, which does not depend on the version of libzstd; nil for a
  /// zip archive, which does not depend on a library at all.
  package let tarSHA256: ContentDigest?
  /// Size of the archive.
  package let byteCount: Int
  /// SHA-256 of the content of every file but the manifest, as it was read.
  package let contents: [PackagePath: ContentDigest]
  /// How each model was read, according to its receipt, by the receipt's path.
  package let readings: [PackagePath: ReadingFacts]

  fileprivate init(
    path: String, manifest: Manifest, sha256: ContentDigest, tarSHA256: ContentDigest?,
    byteCount: Int, contents: [PackagePath: ContentDigest],
    readings: [PackagePath: ReadingFacts]
  ) {
    self.path = path
    self.manifest = manifest
    self.sha256 = sha256
    self.tarSHA256 = tarSHA256
    self.byteCount = byteCount
    self.contents = contents
    self.readings = readings
  }

  /// A few lines for people.
  ///
  /// - Parameter isAuthenticated: whether it is known who signed it; otherwise what it says of itself
  ///   is a claim.
  package func summary(isAuthenticated: Bool) -> String {
    var text = "\(path): sound\n"
    text += "  \(manifest.name) \(manifest.version) for app \(manifest.app.id)\n"
    text += "  sha256 \(sha256), \(byteCount) bytes\n"
    let families = Dictionary(grouping: manifest.models) { $0.identity.family }
    var told: Set<String> = []
    for model in manifest.models {
      if let family = model.identity.family {
        guard told.insert(family).inserted else { continue }
        text += summary(
          ofFamily: family, families[family, default: []], isAuthenticated: isAuthenticated)
        continue
      }
      text += "  model '\(model.identity.name)'\(model.identity.words), "
      text += "\(model.compression.method), \(model.compression.bytes) bytes, "
      if !isAuthenticated { text += "claims to have " }
      text += limitLines(of: model).joined(separator: "\n    ") + "\n"
      for line in readings[model.gate.receipt]?.lines ?? [] { text += "    \(line)\n" }
    }
    return text
  }

  /// The report of `ingot verify --json`.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "verdict": "sound", "path": .string(path), "sha256": .string(sha256.hex),
      "bytes": .integer(byteCount), "manifest": manifest.json,
      "sourceChecks": .object(sourceChecks), "limits": limitsJSON,
      "warnings": .object(warnings), "coverage": .object(coverage),
      "searches": .object(searches),
    ]
    if let tarSHA256 { members["tarSha256"] = .string(tarSHA256.hex) }
    return .object(members)
  }
}

extension VerifiedPackage {
  /// The gate's warnings when it passed each model, by the model's title.
  private var warnings: [String: JSONValue] {
    manifest.models.reduce(into: [:]) { all, model in
      let warnings = readings[model.gate.receipt]?.warnings ?? []
      all[model.identity.title] = .array(warnings.map(JSONValue.string))
    }
  }

  /// How much the references reach of each model, by its title; null if this was not checked.
  private var coverage: [String: JSONValue] {
    manifest.models.reduce(into: [:]) { all, model in
      all[model.identity.title] = readings[model.gate.receipt]?.coverage?.json ?? .null
    }
  }

  /// The search that found each model, by its title; null if none did.
  private var searches: [String: JSONValue] {
    manifest.models.reduce(into: [:]) { all, model in
      all[model.identity.title] = readings[model.gate.receipt]?.search?.json ?? .null
    }
  }

  /// The source check of each model, by its title; null if there was none.
  private var sourceChecks: [String: JSONValue] {
    manifest.models.reduce(into: [:]) { all, model in
      all[model.identity.title] =
        readings[model.gate.receipt]?.source.map { .string($0.words) } ?? .null
    }
  }
}

extension ModelIdentity {
  private var part: String { encoder.map { ", \($0.rawValue) encoder" } ?? "" }

  /// Names a flow's model or an encoder, for people.
  fileprivate var words: String {
    switch self {
    case .shared: part
    case .flow(let id, _, let modelVersion, _): " version \(modelVersion), flow \(id)\(part)"
    }
  }
}
