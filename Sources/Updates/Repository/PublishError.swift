import StrictJSON
import TUF

/// Why a repository is not written.
package enum PublishError: Error, Equatable, CustomStringConvertible {
  /// A repository whose own files do not hold.
  case unsound(folder: String, reason: String)
  /// A customer without a repository.
  case noRepository(appID: String)
  /// A signature is needed that the keys at hand do not make.
  case noKey(appID: String, role: String)
  /// The keys at hand are not those of the repository.
  case otherKeys(appID: String, role: String)
  /// A version that was published with other files.
  case published(appID: String, version: String)
  /// A version that is not offered.
  case notOffered(appID: String, version: String)

  package var description: String {
    switch self {
    case .unsound(let folder, let reason): "\(folder): the repository does not hold: \(reason)"
    case .noRepository(let appID): "'\(appID)' has no repository yet"
    case .noKey(let appID, let role): "'\(appID)': the key of '\(role)' is needed and not at hand"
    case .otherKeys(let appID, let role):
      "'\(appID)': the key of '\(role)' is not the one that the repository names"
    case .published(let appID, let version):
      "'\(appID)': version \(version) was published with other files, and a version never changes"
    case .notOffered(let appID, let version): "'\(appID)': version \(version) is not offered"
    }
  }

  /// The way out.
  package var hint: String {
    switch self {
    case .unsound: "bring the folder back from a backup; what devices trust is what was published"
    case .noRepository: "'ingot publish PACKAGES' makes one"
    case .noKey: "run it where the key is, or name a folder with it in --keys"
    case .otherKeys: "name the folder of the keys that the repository was made with in --keys"
    case .published: "raise the version of the project's release, and build again"
    case .notOffered: "'ingot publish' offers a version"
    }
  }
}
