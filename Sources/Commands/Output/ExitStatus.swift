import ArgumentParser

/// Every exit status of the program but 0 (done) and 64 (wrong usage, the parser's own).
enum ExitStatus: Int32 {
  /// A bad file, a bad project, a full disk.
  case failed = 1
  /// The gate refused a model.
  case refused = 3
  /// An archive is not the one it claims to be.
  case verificationFailed = 4

  var code: ExitCode { ExitCode(rawValue) }
}
