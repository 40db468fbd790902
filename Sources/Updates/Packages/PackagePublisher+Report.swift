package import PackageNames
package import TUF

extension PackagePublisher {
  /// A package to be published.
  package struct Archive: Equatable, Sendable {
    package let path: String
    /// The app that its place says it is for; nil where it has to be read for it.
    package let app: String?
    /// The SHA-256 that it must have, in hexadecimal; nil for any.
    package let sha256: String?

    package init(path: String, app: String? = nil, sha256: String? = nil) {
      (self.path, self.app, self.sha256) = (path, app, sha256)
    }
  }

  /// What a run did, or would do.
  package struct Report: Sendable {
    /// In the order of the archives.
    package internal(set) var outcomes: [Outcome] = []
    package internal(set) var refusals: [Refusal] = []
  }

  /// What a run did, or would do, for one customer.
  package struct Outcome: Equatable, Sendable {
    package let appID: String
    package let version: SemanticVersion
    /// Devices in ten thousand.
    package let permyriad: Int
    /// The same as before the run; nil where it was not offered.
    package let permyriadBefore: Int?
    /// Bytes of its files, and of what a device fetches that has none; with the version before it the bytes of
    /// deltas and of files without one.
    package let installedByteCount: Int
    package let wholeByteCount: Int
    package let updateByteCount: Int?
    /// The version before it.
    package let before: SemanticVersion?
    /// A later version that is offered to every device that may take this one; nil without one.
    package let outdoneBy: SemanticVersion?
    /// The tag of its files in an image layout; nil without one.
    package let tag: String?
    /// When the customer's root expires; nil where a dry run would make it.
    package let rootExpires: UpdateTime?

    /// Whether it was not offered before.
    package var isNew: Bool { permyriadBefore == nil }
  }

  /// Why a package is not offered.
  package struct Refusal: Sendable {
    /// Nil where the archive does not say whose it is, and for a fault of all.
    package let appID: String?
    package let error: any Error
  }
}
