import ArgumentParser
import Files
import Store

/// Which store results come from and go to.
struct StoreFlags: ParsableArguments {
  @OptionGroup var location: StoreLocation

  @Flag(help: "Use no store: do all work, and keep nothing for later runs.")
  var noStore = false

  @Option(
    help: ArgumentHelp(
      "Address of a store shared over HTTP, asked for what the local one lacks; credentials belong "
        + "into ~/.netrc.",
      valueName: "url"))
  var remoteStore: String?

  func validate() throws {
    guard noStore else { return }
    if location.store != nil { throw ValidationError("--no-store and --store exclude each other") }
    if remoteStore != nil {
      throw ValidationError("--no-store and --remote-store exclude each other")
    }
  }

  /// Opens the store that is asked for; nil with `--no-store`, and where there is no place for one.
  func open(warn: @escaping @Sendable (String) -> Void) throws -> ContentStore? {
    guard !noStore, let folder = location.folder else { return nil }
    return try ContentStore(
      folder: folder, remote: try remoteStore.map { try RemoteStore(address: $0) }, warn: warn)
  }
}

/// The path of the local store.
struct StoreLocation: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Folder of the store; $INGOT_STORE, $XDG_CACHE_HOME/ingot or ~/.cache/ingot by default.",
      valueName: "folder"))
  var store: String?

  func validate() throws {
    if store == "" { throw ValidationError("--store '' names no folder") }
  }

  /// The folder, which need not be there; nil if no home folder is known.
  var folder: String? {
    if let store { return store }
    if let folder = variable("INGOT_STORE") { return folder }
    // A relative path there is to be ignored: https://specifications.freedesktop.org/basedir-spec
    if let caches = variable("XDG_CACHE_HOME"), caches.utf8.first == UInt8(ascii: "/") {
      return Folder.join(caches, "ingot")
    }
    return variable("HOME").map { Folder.join($0, ".cache/ingot") }
  }

  /// Opens a store that is there.
  func open(_ console: Console) throws -> ContentStore {
    guard let folder else {
      throw Failure(
        message: "there is no place for a store: neither HOME nor INGOT_STORE is set",
        hint: "name a folder with --store")
    }
    guard Folder.kind(of: Folder.join(folder, "cas")) == .folder else {
      throw Failure(
        message: "\(folder): there is no store", hint: "'ingot build' makes one; see --store")
    }
    return try ContentStore(folder: folder) { console.warn($0) }
  }

  private func variable(_ name: String) -> String? {
    System.environment(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
