package import Files
package import Packaging
package import Store

/// The parameters of a build.
package struct BuildRequest {
  /// A folder with `ingot.yaml`, or the file itself.
  package var project: String
  /// The folder that paths of the project may not leave; the project's own when nil.
  package var root: String?
  /// The folder for the packages; made when missing.
  package var output: String
  package var tool: BuildTool
  /// The one moment that packages know; the value of `SOURCE_DATE_EPOCH`.
  package var time: Timestamp
  /// Threads; the bytes do not depend on it.
  package var jobs = 1
  /// The store of models' outcomes; nothing is kept when nil.
  package var store: ContentStore?
  /// Whether an app may get an older version than it ever got.
  package var allowsDowngrade = false
  /// Whether the index is taken at its word where no list signed with the project's key confirms it.
  package var acceptsIndex = false
  /// A folder with the results of every shard; then no model is made here.
  package var shards: String?
  /// Names what the user may type, for reasons.
  package var naming: UserOption.Names = { _ in nil }

  package init(project: String, output: String, tool: BuildTool, time: Timestamp) {
    self.project = project
    self.output = output
    self.tool = tool
    self.time = time
  }
}
