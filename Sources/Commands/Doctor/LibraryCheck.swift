import Execution
import ImageDecoding
import Packaging
import Store
import Weights

/// The libraries the program was started with, without which it would not have started, and libcurl.
enum LibraryCheck: MachineCheck {
  static func findings(_ subject: DoctorSubject) -> [MachineFinding] {
    let archives = ArchiveLibraries.versions
    let images = ImageLibraries.versions
    return [
      finding("libarchive", archives["libarchive"] ?? "", minimum: [3, 4], "libarchive13"),
      finding("libzstd", archives["libzstd"] ?? "", minimum: [1, 4], "libzstd1"),
      finding("libpng", images["libpng"] ?? "", minimum: [1, 6], "libpng16-16"),
      finding("libjpeg-turbo", images["libjpeg-turbo"] ?? "", minimum: [2], "libjpeg62-turbo"),
      finding("oneDNN", MatrixProduct.libraryVersion, minimum: [2], "libdnnl2"),
      finding("zlib", InflateLibrary.version, minimum: [1, 2], "zlib1g"), remoteStore,
    ]
  }

  /// The one library that is loaded only when it is needed.
  private static var remoteStore: MachineFinding {
    guard let version = RemoteStore.libraryVersion else {
      return MachineFinding(
        name: "libcurl", status: .warning, found: "not there; only --remote-store needs it",
        mend: "apt-get install libcurl4")
    }
    return finding("libcurl", version, minimum: [7, 62], "libcurl4")
  }

  private static func finding(
    _ name: String, _ version: String, minimum: [Int], _ package: String
  ) -> MachineFinding {
    let numbers = version.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.lexicographicallyPrecedes(minimum) else {
      return MachineFinding(name: name, status: .ok, found: version)
    }
    let wanted = minimum.map(String.init).joined(separator: ".")
    return MachineFinding(
      name: name, status: .warning, found: "\(version), tried with \(wanted) and newer",
      mend: "apt-get install --only-upgrade \(package)")
  }
}
