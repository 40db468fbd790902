package import Weights

/// The result of an action.
package struct ActionResult: Equatable, Sendable {
  /// One file an action made; its bytes are a blob of the store.
  package struct Output: Equatable, Sendable {
    /// Parts joined by `/`, relative to wherever the user of the result wants the file.
    package let path: String
    package let digest: ContentDigest
    package let byteCount: Int

    package init(path: String, digest: ContentDigest, byteCount: Int) {
      self.path = path
      self.digest = digest
      self.byteCount = byteCount
    }
  }

  /// Most outputs of a result.
  package static let outputLimit = 1024
  /// Most bytes of an output's path, so that every result fits in `encodedLimit`.
  package static let pathLimit = 512
  /// Exit codes a result may have.
  package static let exitCodes = 0...255

  /// Sorted by the UTF-8 bytes of their paths.
  package let outputs: [Output]
  /// 0 = made; other codes are the action's own.
  package let exitCode: Int

  /// - Parameters:
  ///   - outputs: in any order, at most `outputLimit`; their paths differ, have at most `pathLimit`
  ///     bytes, no control characters and no parts that are empty, `.` or `..`.
  ///   - exitCode: one of `exitCodes`.
  package init(outputs: [Output], exitCode: Int) {
    let fault = ActionResult.fault(of: outputs, exitCode: exitCode)
    precondition(fault == nil, fault ?? "")
    self.init(checked: outputs, exitCode: exitCode)
  }

  init(checked outputs: [Output], exitCode: Int) {
    self.outputs = outputs.sorted {
      $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
    }
    self.exitCode = exitCode
  }
}
