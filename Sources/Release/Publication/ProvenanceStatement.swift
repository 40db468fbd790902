package import Gate
import Graph
import PackageNames
package import Packaging
package import Weights
import Signatures
import StrictJSON

/// How, by whom and from what one archive was made: in-toto Statement v1 with SLSA Provenance v1.
///
/// It goes into a DSSE envelope beside the archive. It depends on neither clock nor machine: the
/// same build gives the same bytes. `specs/formats/provenance.md` lists the fields.
package struct ProvenanceStatement: Sendable {
  /// The builder: the program on any machine, which proves no more than Build L1.
  static let builder = "https://ingot.dev/cli"

  /// An archive on disk.
  package struct Archive: Equatable, Sendable {
    /// The file's name, without its folder.
    package let name: String
    package let sha256: ContentDigest
    /// The digest that its signature covers, 128 lower-case hexadecimal digits.
    package let sha512: String
    /// SHA-256 of the tar stream inside; nil without one.
    package let tarSHA256: ContentDigest?

    package init(
      name: String, sha256: ContentDigest, sha512: String, tarSHA256: ContentDigest?
    ) {
      self.name = name
      self.sha256 = sha256
      self.sha512 = sha512
      self.tarSHA256 = tarSHA256
    }
  }

  private let archive: Archive
  private let manifest: Manifest
  private let receipts: [PackagePath: RecordedReceipt]
  private let project: ContentDigest
  private let libraries: [String: String]

  /// Puts a statement together.
  ///
  /// - Parameters:
  ///   - manifest: the archive's manifest.
  ///   - receipts: every receipt of the archive, by its path in there.
  ///   - project: SHA-256 of the project file.
  ///   - libraries: versions of the libraries that packed the archive.
  package init(
    _ archive: Archive, _ manifest: Manifest, receipts: [PackagePath: RecordedReceipt],
    project: ContentDigest, libraries: [String: String] = ArchiveLibraries.versions
  ) {
    self.archive = archive
    self.manifest = manifest
    self.receipts = receipts
    self.project = project
    self.libraries = libraries
  }

  /// The payload of the envelope; always the same for the same facts.
  package var bytes: [UInt8] { CanonicalJSON.bytes(of: json) }

  var json: JSONValue {
    [
      "_type": "https://in-toto.io/Statement/v1",
      "predicateType": .string(AttestedSubjects.predicateType),
      "subject": .array(subjects),
      "predicate": ["buildDefinition": definition, "runDetails": details],
    ]
  }

  /// The archive, and the tar stream inside, which any version of libzstd packs and unpacks.
  private var subjects: [JSONValue] {
    let inner = archive.tarSHA256.map { digest in
      JSONValue.resource("\(archive.name): tar stream", digest)
    }
    let whole: JSONValue = [
      "name": .string(archive.name),
      "digest": ["sha256": .string(archive.sha256.hex), "sha512": .string(archive.sha512)],
    ]
    return [whole] + (inner.map { [$0] } ?? [])
  }

  private var definition: JSONValue {
    [
      "buildType": .string(AttestedSubjects.buildType),
      "externalParameters": [
        "project": ["digest": .digest(project)],
        "app": manifest.app.json,
        "package": [
          "name": .string(manifest.name), "version": .string(manifest.version.description),
        ],
        "compatibility": manifest.compatibility.json,
        "archive": .string(form.rawValue),
        "sourceDateEpoch": .integer(manifest.build.time.seconds),
      ],
      "internalParameters": [
        "models": .object(
          Dictionary(manifest.models.map { ($0.identity.title, parameters(of: $0)) }) { first, _ in
            first
          })
      ],
      "resolvedDependencies": .array(dependencies),
    ]
  }

  /// Only a zip archive holds no tar stream.
  private var form: ArchiveForm { archive.tarSHA256 == nil ? .zip : .tarZst }

  /// The options of a model, and its limits.
  private func parameters(of model: ModelEntry) -> JSONValue {
    var members: [String: JSONValue] = [
      "options": .object(model.compression.options.mapValues(JSONValue.string))
    ]
    members["limits"] = receipts[model.gate.receipt]?.limitsJSON
    members["threshold"] = model.threshold.map(JSONValue.string)
    return .object(members)
  }

  /// The files that the build read, by names within the project, sorted.
  private var dependencies: [JSONValue] {
    var inputs: [BuildInput] = manifest.build.inputs
    for model in manifest.models {
      for (path, digest) in receipts[model.gate.receipt]?.baseline.files ?? [:] {
        inputs.append(BuildInput(name: "\(model.identity.title)/model/\(path)", sha256: digest))
      }
    }
    return inputs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { .resource($0.name, $0.sha256) }
  }

  private var details: JSONValue {
    let versions = libraries.merging([BuildFacts.tool: manifest.build.toolVersion.description]) {
      _, tool in tool
    }
    return [
      "builder": [
        "id": .string(ProvenanceStatement.builder),
        "version": .object(versions.mapValues(JSONValue.string)),
      ],
      "byproducts": .array(products),
    ]
  }

  /// Every file of the archive; a receipt's with the gate's findings.
  private var products: [JSONValue] {
    let list = JSONValue.resource(Manifest.entryName, ContentDigest(of: manifest.bytes))
    return [list]
      + manifest.files.map { file in
        .resource(file.path.string, file.sha256, annotations: receipts[file.path]?.facts)
      }
  }
}

extension RecordedReceipt {
  fileprivate var limitsJSON: JSONValue? {
    if case .object(let members) = json { members["limits"] } else { nil }
  }

  /// The digests and metrics of the gate's comparison.
  fileprivate var facts: JSONValue? {
    guard case .object(let members) = json else { return nil }
    return [
      "baseline": .string(baseline.weights.hex), "candidate": .string(candidate.weights.hex),
      "references": .string(references.hex), "metrics": members["metrics"] ?? .null,
    ]
  }
}

extension JSONValue {
  /// A ResourceDescriptor of in-toto.
  fileprivate static func resource(
    _ name: String, _ digest: ContentDigest, annotations: JSONValue? = nil
  ) -> JSONValue {
    var members: [String: JSONValue] = ["name": .string(name), "digest": .digest(digest)]
    members["annotations"] = annotations
    return .object(members)
  }

  fileprivate static func digest(_ digest: ContentDigest) -> JSONValue {
    ["sha256": .string(digest.hex)]
  }
}
