package import PackageNames

/// What decides about the versions that an app on a device may take.
package struct Device: Sendable {
  /// Of the app.
  package let bundleIdentifier: String
  /// The version of the library that runs the models.
  package let sdk: SemanticVersion
  /// What tells this installation from others, and nothing else of it.
  package let installID: String

  package init(bundleIdentifier: String, sdk: SemanticVersion, installID: String) {
    (self.bundleIdentifier, self.sdk, self.installID) = (bundleIdentifier, sdk, installID)
  }
}
