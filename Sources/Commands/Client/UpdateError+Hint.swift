import IngotClient

extension UpdateError {
  /// A version that does not work here is refused; bytes and signatures that do not hold are not verified.
  var status: ExitStatus {
    switch self {
    case .unfit: .refused
    case .untrusted, .expired, .malformed, .other, .long: .verificationFailed
    case .unreachable, .status, .missing, .noRepository, .slow, .disk, .full, .busy: .failed
    }
  }

  /// The way out.
  var hint: String {
    switch self {
    case .status(_, 300..<400):
      "redirects are not followed: serve the repository at the address in device.json, or make a device with "
        + "the one that it leads to"
    case .unreachable, .status, .slow:
      "see whether the repository is served at the address in device.json; the device keeps its version"
    case .missing: "serve every file of the repository; the device keeps its version"
    case .noRepository:
      "see that the address in device.json is that of the folder with apps/ and blobs/, that it may be read, "
        + "and that 'ingot publish' made the app's repository there; the device keeps its version"
    case .expired(let file, _, _): "\(Self.renewal(of: file)); the device keeps its version"
    case .untrusted:
      "see that the repository is the one of this app; the device keeps its version"
    case .malformed, .other, .long: "publish the version again; the device keeps its version"
    case .full: "make room; nothing was fetched, and the device keeps its version"
    case .disk: "make room, or see who may write the folder"
    case .busy: "try again when it has ended"
    case .unfit: "the device keeps its version, and does not try this one again"
    }
  }

  /// What makes metadata hold again; a clock that goes wrong makes them seem to have expired.
  private static func renewal(of file: String) -> String {
    let command =
      if file.hasSuffix("root.json") {
        "'ingot publish rotate --same-keys' signs it again"
      } else if file.hasSuffix("targets.json") {
        "'ingot publish' with the packages signs it again"
      } else {
        "'ingot publish refresh' signs it again"
      }
    return "where the clock here is right, \(command)"
  }
}
