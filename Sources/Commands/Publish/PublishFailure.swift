import ArgumentParser
import Packaging
import Updates

/// Says what keeps a repository from being written, and the way out.
func publishing<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let status as ExitCode {
    throw status
  } catch {
    throw Failure(publishing: error)
  }
}

extension Failure {
  /// What an error says that keeps a repository from being written, and the way out.
  init(publishing error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as KeyFolderError: self.init(message: "\(error)", hint: error.hint)
    case let error as PublishError:
      self.init(message: "\(error)", hint: error.hint, status: error.status)
    case let error as PackagingError:
      self.init(message: "\(error)", status: .verificationFailed)
    case let error as ImageLayoutError: self.init(message: "\(error)", hint: error.hint)
    default: self.init(message: words(of: error))
    }
  }
}

extension ImageLayoutError {
  /// The way out.
  fileprivate var hint: String {
    switch self {
    case .otherFolder, .otherIndex: "name another folder in --oci"
    case .busy: "try again when it has ended"
    case .tagged: "name another folder in --oci, or raise the version of the project's release"
    }
  }
}

extension PublishError {
  fileprivate var status: ExitStatus {
    if case .otherThanListed = self { .verificationFailed } else { .failed }
  }

  /// The way out.
  fileprivate var hint: String {
    switch self {
    case .unsound: "bring the folder back from a backup; what devices trust is what was published"
    case .noRepository: "'ingot publish PACKAGES' makes one"
    case .noKey(_, let path):
      "put it there as '\(path)', or name a folder with it in --keys, and a next key's in --new-keys"
    case .otherKeys:
      "name the folder of the keys in force in --keys: those of the last rotation, or else of the first publication"
    case .published, .withdrawn, .buildMetadata:
      "raise the version of the project's release, and build again"
    case .narrower:
      "say --narrow where that is meant; 'ingot publish withdraw' takes a version from all"
    case .unusable: "leave files out, or name them otherwise"
    case .noTimestamp: "bring it back from a backup, or publish the packages again"
    case .otherThanListed: "build again: somebody changed the file after it was listed"
    case .lostPack: "publish the package of that version again, which writes it anew"
    case .oneKey: "'ingot publish keys' makes four, and a customer's own are made by 'ssh-keygen'"
    case .sameKeys: "name a folder of other keys in --new-keys"
    case .busy: "try again when it has ended"
    case .notOffered: "'ingot publish' offers a version"
    }
  }
}

extension KeyFolderError {
  /// The way out.
  fileprivate var hint: String {
    switch self {
    case .isThere(let path):
      "go on with its keys by '--keys \(ShellWord.quoted(path))', or name a folder that is not there yet"
    case .missing:
      "name the folder of the repository's keys in --keys; for a new repository 'ingot publish keys' makes one"
    case .open(let path, _): "take the rights away with 'chmod 600 \(path)'"
    case .malformed:
      "a key is made by 'ingot publish keys', and a customer's own by 'ssh-keygen -t ed25519'"
    }
  }
}
