import Files
import Gate
import Graph
import Packaging
import Weights

/// A package that was verified and unpacked into a folder.
struct UnpackedPackage {
  let manifest: Manifest
  private let folder: String

  /// - Parameter folder: the folder with the files of the package.
  init(_ package: VerifiedPackage, in folder: String) {
    manifest = package.manifest
    self.folder = folder
  }

  /// The path of a model.
  func path(of model: ModelEntry) -> String { Folder.join(folder, model.path.string) }

  /// The receipt of a model.
  func receipt(of model: ModelEntry) throws -> RecordedReceipt {
    let path = Folder.join(folder, model.gate.receipt.string)
    return try RecordedReceipt(try MappedFile.contents(of: path, limit: 1 << 20), origin: path)
  }

  /// Digests of the files a model consists of, in the order of their paths.
  func digests(of model: ModelEntry) -> [ContentDigest] {
    let folder = model.path.string + "/"
    return manifest.files.filter { $0.path == model.path || $0.path.string.hasPrefix(folder) }
      .map(\.sha256)
  }
}

/// The differences in a model between two packages that their manifests do not show.
struct ModelContents {
  /// The files that describe what was trained, and the first tensor.
  private(set) var trained = Causes()
  /// Single limits.
  private(set) var limits = Causes()

  /// Compares only by manifests; nothing if one does not carry its limits.
  init(of left: ModelEntry, comparedWith right: ModelEntry) {
    guard let own = left.gate.limits, let other = right.gate.limits else { return }
    limits.compare(.limits, own.texts, other.texts, model: left.identity.title)
  }

  /// Reads receipts, and tensors where files differ.
  ///
  /// - Parameter progress: told each tensor.
  init(
    of left: ModelEntry, in package: UnpackedPackage, comparedWith right: ModelEntry,
    in other: UnpackedPackage, progress: (ComparisonStep) -> Void
  ) throws {
    let name = left.identity.title
    let (receipt, otherReceipt) = (
      try package.receipt(of: left), try other.receipt(of: right)
    )
    trained.compare(
      .baseline, receipt.baseline.files.mapValues(\.hex),
      otherReceipt.baseline.files.mapValues(\.hex), model: name)
    if left.format == right.format, package.digests(of: left) != other.digests(of: right) {
      let tensors = try ComparedTensors(package.path(of: left))
      trained.add(
        try tensors.difference(
          to: try ComparedTensors(other.path(of: right)), model: name, progress: progress))
    }
    limits.compare(.limits, receipt.limits.texts, otherReceipt.limits.texts, model: name)
  }
}
