import ArgumentParser
import Release

/// Options for the part of a build to do, and for its permissions.
struct BuildFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Make only this part of the models, keep them in the store, and pack nothing.",
      valueName: "i/n"),
    transform: BuildFlags.shard)
  var shard: Shard?

  @Option(
    help: ArgumentHelp(
      "Pack what the shards made, whose results lie in this folder; refused if one is missing.",
      valueName: "folder"))
  var merge: String?

  @Flag(help: "Let an app get an older version than it ever got.")
  var allowDowngrade = false

  @Flag(
    help: ArgumentHelp(
      """
      Take index.jsonl at its word where no SHA256SUMS signed with the project's key confirms it: \
      once, after a key is added or replaced, or over a list of an older Ingot. All packages are \
      packed again and compared.
      """))
  var acceptIndex = false

  @Flag(help: "List the models with the keys of their work, and do nothing.")
  var list = false

  var needsStore: Bool { shard != nil || merge != nil }

  func validate() throws {
    if shard != nil && merge != nil {
      throw ValidationError("--shard makes a part, --merge packs all parts: choose one")
    }
  }

  private static func shard(_ text: String) throws -> Shard {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1],
      let shard = Shard(number: number, of: count)
    else {
      throw ValidationError("'\(text)' is no shard; expected i/n such as 1/3")
    }
    return shard
  }
}
