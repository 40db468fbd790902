package import Files

/// A package that would be a step back for its app.
package struct Downgrade: Equatable, Sendable, NamesOptions {
  package let version: String
  /// The newest version that the app has.
  package let newest: String
  /// The file that says the version.
  let projectFile: String

  package func words(_ name: UserOption.Names) -> String {
    "version \(version) is older than \(newest), which the app has; raise 'version' in "
      + projectFile + (name(.allowDowngrade).map { ", or say \($0)" } ?? "")
  }
}
