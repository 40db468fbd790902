package import Files
import Formats
import Packaging
package import StrictJSON
import Weights

/// The differences between two archives, two models or two output folders, the first cause first.
package struct Comparison: Sendable {
  /// The kind of file or folder at a path.
  private enum Subject: String {
    case archive = "a package archive"
    case model = "a model"
    case output = "an output folder"
  }

  private let left: String
  private let right: String
  /// Empty only where every byte is the same.
  package let causes: [Cause]
  /// Of two archives that differ: which models give interchangeable outputs.
  package let keys: [KeyComparison]

  package var isSame: Bool { causes.isEmpty }

  /// Compares the files or folders at two paths.
  ///
  /// - Parameter progress: told each step; of output folders only bytes.
  /// - Throws: `ComparisonError` when the two cannot be compared, and errors from reading them.
  package init(
    _ left: String, _ right: String,
    progress: @escaping (ComparisonStep) -> Void = { _ in }
  ) throws {
    self.left = left
    self.right = right
    for path in [left, right] where Folder.kind(of: path) == .missing {
      throw ComparisonError.missing(path)
    }
    let subjects = (Comparison.subject(of: left), Comparison.subject(of: right))
    guard subjects.0 == subjects.1 else {
      throw ComparisonError.unlike(
        left: left, subjects.0.rawValue, right: right, subjects.1.rawValue)
    }
    switch subjects.0 {
    case .archive: (causes, keys) = try Comparison.archives(left, right, progress)
    case .model: (causes, keys) = (try Comparison.models(left, right, progress), [])
    case .output: (causes, keys) = (try Comparison.outputs(left, right, progress), [])
    }
  }

  private static func subject(of path: String) -> Subject {
    guard Folder.kind(of: path) == .folder else {
      return ArchiveForm(ofName: path) == nil ? .model : .archive
    }
    guard ModelFormat.meant(by: path) == nil else { return .model }
    let names = (try? Folder.names(in: path)) ?? []
    return names.contains(where: Identifiers.isAppID) ? .output : .model
  }

  /// Unpacks both where their bytes differ.
  private static func archives(
    _ left: String, _ right: String, _ progress: @escaping (ComparisonStep) -> Void = { _ in }
  ) throws -> (causes: [Cause], keys: [KeyComparison]) {
    let bytes = try ByteDifference.cause(left, right) { progress(.comparing($0, of: $1)) }
    guard let bytes else { return ([], []) }
    let folder = try Folder.createTemporary(
      in: System.environment("TMPDIR") ?? "/tmp", prefix: "ingot-diff-")
    // Removing it may fail only on a broken disk; that must not hide the answer.
    defer { try? Folder.remove(folder) }
    let places = (Folder.join(folder, "left"), Folder.join(folder, "right"))
    let unpacking = { progress(.unpacking($0, of: $1)) }
    let packages = (
      try PackageExtractor.extract(left, to: places.0, progress: unpacking),
      try PackageExtractor.extract(right, to: places.1, progress: unpacking)
    )
    let difference = try PackageDifference(
      between: UnpackedPackage(packages.0, in: places.0),
      and: UnpackedPackage(packages.1, in: places.1), progress: progress)
    let keys = KeyComparison.all(packages.0.manifest, packages.1.manifest)
    guard difference.causes.isEmpty else { return (difference.causes, keys) }
    // Manifests name every byte inside, and both are sound.
    return ([packing(packages.0, packages.1, bytes)], keys)
  }

  /// Why two archives of the same files are not the same bytes.
  private static func packing(
    _ left: VerifiedPackage, _ right: VerifiedPackage, _ bytes: Cause
  ) -> Cause {
    let forms = (left.tarSHA256 == nil, right.tarSHA256 == nil)
    let why =
      forms.0 == forms.1
      ? "the same tar stream in another frame, as another version of libzstd writes it"
      : "the one is tar.zst, the other zip"
    return Cause(
      kind: .archive, left: left.sha256.hex, right: right.sha256.hex,
      note: "both hold the same files: \(why); \(bytes.note ?? "")")
  }

  private static func models(
    _ left: String, _ right: String, _ progress: (ComparisonStep) -> Void
  ) throws -> [Cause] {
    let bytes = try FolderDifference.causes(
      left, right, progress: { progress(.comparing($0, of: $1)) })
    guard !bytes.isEmpty else { return [] }
    return try ModelDifference.causes(left, right, progress: progress) + bytes
  }

  /// Compares every file by its path, archives in depth.
  private static func outputs(
    _ left: String, _ right: String, _ progress: (ComparisonStep) -> Void
  ) throws -> [Cause] {
    try FolderDifference.causes(
      left, right, progress: { progress(.comparing($0, of: $1)) }
    ) { path in
      guard ArchiveForm(ofName: path) != nil else { return nil }
      return try archives(Folder.join(left, path), Folder.join(right, path)).causes.map { cause in
        var cause = cause
        cause.package = path
        return cause
      }
    }
  }
}

extension Comparison {
  /// The text for people: the first cause, and briefly the rest.
  package var text: String { text { _ in nil } }

  /// The same with options as `name` spells them.
  package func text(_ name: UserOption.Names) -> String {
    guard let first = causes.first else { return "\(left) and \(right) are the same\n" }
    var text = "\(left) and \(right) differ\n\(first)\n"
    if causes.count > 1 { text += "also:\n" }
    for cause in causes.dropFirst().prefix(Comparison.shownCauses) { text += "  \(cause)\n" }
    let rest = causes.count - 1 - Comparison.shownCauses
    if rest > 0 {
      text += "  and \(rest) more" + (name(.json).map { "; \($0) lists all" } ?? "") + "\n"
    }
    return text + keys.map { "\($0.sentence)\n" }.joined()
  }

  /// Most causes that are shown to people behind the first.
  private static let shownCauses = 20

  /// The report of `ingot diff --json`.
  package var json: JSONValue {
    [
      "verdict": isSame ? "same" : "different", "left": .string(left), "right": .string(right),
      "causes": .array(causes.map(\.json)), "cacheKeys": .array(keys.map(\.json)),
    ]
  }
}

/// Why two things cannot be compared.
package enum ComparisonError: Error, Equatable, CustomStringConvertible {
  /// They are of different kinds, said in words.
  case unlike(left: String, String, right: String, String)
  /// One of them is not there.
  case missing(String)
  /// Folders nest deeper than any that Ingot writes or reads.
  case tooDeep(path: String)

  package var description: String {
    switch self {
    case .unlike(let left, let kind, let right, let other):
      "\(left) is \(kind), \(right) is \(other); compare two of a kind"
    case .missing(let path): "\(path.isEmpty ? "''" : path): is not there"
    case .tooDeep(let path): "\(path): holds folders that nest too deeply"
    }
  }
}
