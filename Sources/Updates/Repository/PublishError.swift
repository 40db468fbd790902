import Files
import StrictJSON
import TUF

/// Why a repository is not written.
package enum PublishError: Error, Equatable, CustomStringConvertible {
  /// A repository whose own files do not hold.
  case unsound(folder: String, reason: String)
  /// A customer without a repository.
  case noRepository(appID: String)
  /// Metadata of targets without a timestamp, which leads to them.
  case noTimestamp(appID: String)
  /// A signature is needed of a key that is not at its place.
  case noKey(appID: String, path: String)
  /// The keys at hand are not those of the repository.
  case otherKeys(appID: String, role: String)
  /// A version that was published with other files.
  case published(appID: String, version: String)
  /// A version that was withdrawn, and is to be offered again.
  case withdrawn(appID: String, version: String)
  /// A version with build metadata, which do not order versions.
  case buildMetadata(appID: String, version: String)
  /// A version that is offered to more devices than it is to be now; in ten thousand.
  case narrower(appID: String, version: String, from: Int, to: Int)
  /// A version that no client would take.
  case unusable(appID: String, version: String, reason: String)
  /// An archive with other bytes than the list beside it says, or than it had a moment before.
  case otherThanListed(archive: String, found: String, listed: String)
  /// The pack of a version that is offered is missing, or not what the metadata say.
  case lostPack(appID: String, version: String, reason: String)
  /// One key for two that must be different.
  case oneKey(appID: String, of: [String])
  /// The next keys are those that are in force.
  case sameKeys(appID: String)
  /// Another process writes the same repository.
  case busy(appID: String)
  /// A version that is not offered.
  case notOffered(appID: String, version: String)

  package var description: String {
    switch self {
    case .unsound(let folder, let reason): "\(folder): the repository does not hold: \(reason)"
    case .noRepository(let appID): "'\(appID)' has no repository yet"
    case .noTimestamp(let appID):
      "'\(appID)': metadata of targets are there, and no timestamp.json that leads to them"
    case .noKey(let appID, let path):
      "'\(appID)': the key '\(Folder.name(of: path))' is needed, and is not in '\(Folder.parent(of: path))'"
    case .otherKeys(let appID, let role):
      "'\(appID)': the key of '\(role)' is not the one that is in force"
    case .published(let appID, let version):
      "'\(appID)': version \(version) was published with other files, and a version never changes"
    case .withdrawn(let appID, let version):
      "'\(appID)': version \(version) was withdrawn, and devices have left it"
    case .buildMetadata(let appID, let version):
      "'\(appID)': version \(version) has build metadata, which do not say which version is newer"
    case .narrower(let appID, let version, let before, let share):
      "'\(appID)': version \(version) is offered to \(Self.percent(before)) % of devices, and is to be "
        + "offered to \(Self.percent(share)) %: the others would leave it for the version before"
    case .unusable(let appID, let version, let reason):
      "'\(appID)': no client would take version \(version): \(reason)"
    case .otherThanListed(let archive, let found, let listed):
      "\(archive): its SHA-256 is \(found), and it must be \(listed)"
    case .lostPack(let appID, let version, let reason):
      "'\(appID)': no device can take version \(version): \(reason)"
    case .oneKey(let appID, let names):
      "'\(appID)': \(Figures.list(names)) are one key, and each of them must be its own"
    case .sameKeys(let appID): "'\(appID)': the next keys are those that are in force"
    case .busy(let appID): "'\(appID)': another process writes the same repository"
    case .notOffered(let appID, let version): "'\(appID)': version \(version) is not offered"
    }
  }

  private static func percent(_ permyriad: Int) -> String {
    Figures.text(Double(permyriad) / 100, decimals: 2)
  }
}
