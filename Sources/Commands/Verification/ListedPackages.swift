import Files
import Packaging
import Signatures
import StrictJSON
import Weights

/// The packages of a list of digests: each is opened as `verify` opens one alone, one after another,
/// so that a list covers sound packages and not only bytes.
struct ListedPackages {
  private let folder: String
  private let files: [(path: String, sha256: String)]

  /// - Parameters:
  ///   - sums: a list whose files are as listed; those that are called packages count.
  ///   - folder: where its paths begin.
  init(of sums: SumsFile, in folder: String) {
    self.folder = folder
    files = sums.files.filter { ArchiveForm(ofName: $0.path) != nil }
  }

  /// How many there are.
  var count: Int { files.count }

  /// The faults of packages, a sentence for each, in the order of the list.
  ///
  /// - Parameters:
  ///   - progress: told how many were looked at, of how many.
  ///   - look: called with each sound one; returns any other fault of it. None is kept.
  /// - Throws: `FileError` when one cannot be read, or a model takes more memory than may be used;
  ///   errors from `look`.
  func faults(
    progress: (Int, Int) -> Void, _ look: (VerifiedPackage) throws -> String?
  ) throws -> [String] {
    try files.enumerated().compactMap { place, file in
      defer { progress(place + 1, files.count) }
      do {
        let package = try PackageVerifier.verifyOpening(Folder.join(folder, file.path))
        if let fault = try PackagePlace.fault(of: package) { return fault.words }
        guard package.sha256.hex == file.sha256 else {
          return "\(package.path): has changed while it was verified"
        }
        return try look(package)
      } catch let error as PackagingError {
        return "\(error)"
      }
    }
  }

  /// A line for people; empty without any.
  var text: String {
    count == 0 ? "" : "  models: opened, all of \(Figures.count(count, "package"))\n"
  }

  /// The checks done, for JSON.
  var checked: [String] { count == 0 ? [] : ["models"] }
}
