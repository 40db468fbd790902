import Packaging
import Updates

/// Says what keeps a repository from being written, and the way out.
func publishing<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as KeyFolderError {
    throw Failure(message: "\(error)", hint: error.hint)
  } catch let error as PublishError {
    throw Failure(message: "\(error)", hint: error.hint)
  } catch let error as PackagingError {
    throw Failure(message: "\(error)", status: .verificationFailed)
  } catch let error as ImageLayoutError {
    throw Failure(message: "\(error)", hint: error.hint)
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
  /// The way out.
  fileprivate var hint: String {
    switch self {
    case .unsound: "bring the folder back from a backup; what devices trust is what was published"
    case .noRepository: "'ingot publish PACKAGES' makes one"
    case .noKey: "run it where the key is, or name a folder with it in --keys"
    case .otherKeys: "name the folder of the keys that the repository was made with in --keys"
    case .published, .withdrawn, .buildMetadata:
      "raise the version of the project's release, and build again"
    case .narrower:
      "say --narrow where that is meant; 'ingot publish withdraw' takes a version from all"
    case .unusable: "leave files out, or name them otherwise"
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
    case .missing: "'ingot publish keys' makes a folder of keys"
    case .open(let path, _): "take the rights away with 'chmod 600 \(path)'"
    case .malformed:
      "a key is made by 'ingot publish keys', and a customer's own by 'ssh-keygen -t ed25519'"
    }
  }
}
