package import Formats
package import Gate
package import Graph
package import IngotFeatures
package import PackageNames
package import Weights

/// The contents of a package and its terms; `manifest.json`, its first entry.
///
/// The format is in `specs/formats/package.md` and `specs/schemas/manifest.schema.json`.
package struct Manifest: Equatable, Sendable {
  /// Version of the format; readers refuse any other.
  package static let schemaVersion = 1
  /// The name of the manifest's own entry.
  package static let entryName = "manifest.json"
  /// Largest manifest that is read, in bytes; and how many values it has, at most.
  package static let sizeLimit = 12 << 20
  static let valueLimit = 500_000
  /// Most models that a project may put into one package, so that no manifest is too large.
  package static let modelLimit = 5_000

  package let app: AppDetails
  package let name: String
  package let version: SemanticVersion
  package let compatibility: SDKRange
  /// Sorted by path.
  package let models: [ModelEntry]
  /// Every file but the manifest, sorted by path.
  package let files: [FileEntry]
  /// SPDX identifiers of the licences the content is under, sorted, each once; may be empty.
  package let licenses: [String]
  package let build: BuildFacts

  /// The name of a package for an app.
  static func name(for app: AppDetails) -> String { app.bundleIdentifiers[0] + ".models" }

  /// The same with other files, sorted by path.
  func listing(_ files: [FileEntry]) -> Manifest {
    Manifest(
      app: app, name: name, version: version, compatibility: compatibility, models: models,
      files: files, licenses: licenses, build: build)
  }

  /// The inputs of a package's models: each as trained, and its reference set.
  static func inputs(of models: [ModelEntry]) -> [BuildInput] {
    let inputs = models.flatMap { model in
      [
        BuildInput(name: "\(model.identity.title)/model", sha256: model.gate.baseline),
        BuildInput(name: "\(model.identity.title)/references", sha256: model.gate.references),
      ]
    }
    return inputs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Bytes of all files together.
  package var installedBytes: Int { files.reduce(0) { $0 + $1.size } }

  /// The files of each model, by the model's path.
  var filesOfModels: [String: [FileEntry]] {
    Dictionary(grouping: files.filter { $0.role == .model }, by: \.path.ofModel)
  }

  /// Bytes of the tar stream of a package with this manifest.
  ///
  /// - Parameter manifestBytes: size of the manifest's own entry.
  package func tarByteCount(manifestBytes: Int) -> Int {
    files.reduce(Tar.entryByteCount(manifestBytes) + Tar.endByteCount) {
      $0 + Tar.entryByteCount($1.size)
    }
  }
}

/// The app a package is for.
package struct AppDetails: Equatable, Sendable {
  /// UUID, lower case.
  package let id: String
  /// In the order given; at least one.
  package let bundleIdentifiers: [String]

  /// Checks the identifiers.
  package init(id: String, bundleIdentifiers: [String]) throws(PackagingError) {
    guard Identifiers.isAppID(id) else {
      throw .badField(field: "appId", found: id, expected: "a UUID in lower case")
    }
    for bundle in bundleIdentifiers where !Identifiers.isBundleIdentifier(bundle) {
      throw .badField(
        field: "bundleIdentifiers", found: bundle, expected: "a name such as com.example.app")
    }
    guard !bundleIdentifiers.isEmpty,
      Set(bundleIdentifiers).count == bundleIdentifiers.count
    else {
      throw .badField(
        field: "bundleIdentifiers", found: bundleIdentifiers.joined(separator: " "),
        expected: "at least one name, each once")
    }
    self.id = id
    self.bundleIdentifiers = bundleIdentifiers
  }
}

/// Which SDK versions may load a package: from `minimum` up to but not including `below`.
package struct SDKRange: Equatable, Sendable {
  package let minimum: SemanticVersion
  package let below: SemanticVersion?

  /// Checks that the range holds a version.
  package init(minimum: SemanticVersion, below: SemanticVersion?) throws(PackagingError) {
    if let below, !(minimum < below) {
      throw .badField(
        field: "belowSDK", found: below.description, expected: "a version after \(minimum)")
    }
    self.minimum = minimum
    self.below = below
  }
}

/// One model of a package.
package struct ModelEntry: Equatable, Sendable {
  package let identity: ModelIdentity
  /// The model's file, or the folder of its files.
  package let path: PackagePath
  package let format: ModelFormat
  /// Name of the architecture that the gate ran.
  package let architecture: String
  package let inputs: [TensorDescription]
  package let outputs: [TensorDescription]
  /// Text that an app puts before every text; nil without one.
  package let prompt: String?
  /// From which similarity or probability the app decides, a decimal number; nil if it does not.
  package let threshold: String?
  /// Names the embeddings that the model gives; nil in packages of before manifests carried it.
  package let cacheKey: ContentDigest?
  /// Path in the package of what says how its inputs are made; nil in packages of before it was there.
  package let inputConfiguration: PackagePath?
  /// Path of its self-test in the package; nil in packages of before there were any.
  package let selfTest: PackagePath?
  package let compression: CompressionFacts
  package let gate: GateFacts
}

/// Describes one input or output of a model.
package struct TensorDescription: Equatable, Sendable {
  /// Types that an input or output may have; `image` is a pixel buffer, RGB, whose shape is
  /// [1, 3, height, width].
  package static let dtypes = [
    "float32", "float16", "float64", "int32", "int64", "string", "image",
  ]

  package let name: String
  /// One of `dtypes`.
  package let dtype: String
  /// -1 means an axis of any length.
  package let shape: [Int]
  /// Names of the features, in order; empty if they have none.
  package let features: [String]
  /// What their values are; nil where they are plain numbers along the last axis.
  package let schema: FeatureSchema?
  /// Names of the classes, in order; empty without any.
  package let labels: ClassLabels

  package init(
    name: String, dtype: String, shape: [Int], features: [String] = [],
    schema: FeatureSchema? = nil, labels: ClassLabels = []
  ) {
    precondition(TensorDescription.dtypes.contains(dtype), "unknown type \(dtype)")
    self.name = name
    self.dtype = dtype
    self.shape = shape
    self.features = features
    self.schema = schema
    self.labels = labels
  }
}

/// How compression changed a model's size.
package struct CompressionFacts: Equatable, Sendable {
  /// The requested compression, in words.
  package let method: String
  /// Options of compression and format, by names of letters; decimal numbers in plain form.
  package let options: [String: String]
  /// Bytes of the weights that the model uses, as 32-bit floats.
  package let originalBytes: Int
  /// Bytes of the model's file or files.
  package let bytes: Int
}

/// The gate's findings; the receipt has them in full.
package struct GateFacts: Equatable, Sendable {
  package let profile: String
  /// Every limit that was applied; nil in packages of before manifests carried them.
  package let limits: Limits?
  /// Decimal numbers by name, such as `cosine.mean`.
  package let metrics: [String: String]
  /// The model as trained.
  package let baseline: ContentDigest
  /// The reference set.
  package let references: ContentDigest
  /// Path of the receipt in the package.
  package let receipt: PackagePath
}

/// One file of a package.
package struct FileEntry: Equatable, Sendable {
  package enum Role: String, CaseIterable, Sendable {
    case model, receipt, sbom
    /// Turns texts into tokens.
    case tokenizer
    /// Describes how inputs are made: sizes and numbers for images, and the input configuration.
    case preprocessing
    /// Inputs and outputs of a model, which devices run before they use it.
    case selftest
  }

  package let path: PackagePath
  package let size: Int
  package let sha256: ContentDigest
  package let role: Role
}

/// The tool that made a package, and its inputs.
///
/// Versions of the libraries that compress are left out: the content of an archive does not depend
/// on them.
package struct BuildFacts: Equatable, Sendable {
  /// The name of the tool that writes packages.
  package static let tool = "ingot"

  package let toolVersion: SemanticVersion
  /// The inputs, by names within the project; sorted by name.
  package let inputs: [BuildInput]
  /// The one moment that the package knows.
  package let time: Timestamp
}

/// A content that went into a build.
package struct BuildInput: Hashable, Sendable {
  package let name: String
  package let sha256: ContentDigest

  package init(name: String, sha256: ContentDigest) {
    self.name = name
    self.sha256 = sha256
  }
}
