import Files
import Offers
import StrictJSON
import TUF
import Updates

/// Bytes of metadata that a device fetches, each step taken by the client's own updater from the repository's files.
struct MetadataSteps {
  /// From nothing but the root that the app brings along, the pack of the newest version included.
  let first: Int
  /// Where nothing changed.
  let poll: Int
  /// The files of metadata, by role.
  let sizes: [String: Int]

  init(of customer: CustomerRepository, in repository: String, now: UpdateTime) async throws {
    let folder = Folder.join(repository, RepositoryPath.metadata(customer.appID))
    let source = CountingSource(folder)
    let store = MemoryStore(
      root: try MappedFile.contents(of: Folder.join(folder, "1.root.json"), limit: 1 << 20))
    func refresh() async throws -> Int {
      var updater = try MetadataUpdater(
        source: source, store: store, now: now, appID: customer.appID)
      let before = source.count
      try await updater.refresh()
      return source.count - before
    }
    let metadata = try await refresh()
    let pack = try customer.required().entries.last?.pack.length ?? 0
    (first, poll) = (metadata + pack, try await refresh())
    sizes = try Dictionary(
      uniqueKeysWithValues: ["timestamp", "snapshot", "targets"].map {
        ($0, try store.read($0)?.count ?? 0)
      })
  }

  var json: JSONValue {
    [
      "firstUpdate": .integer(first), "poll": .integer(poll),
      "files": .object(sizes.mapValues { .integer($0) }),
    ]
  }
}

/// The files of a folder, counting what is fetched.
private final class CountingSource: MetadataSource {
  private let folder: String
  private let total = Mutex(0)

  init(_ folder: String) { self.folder = folder }

  var count: Int { total.withLock { $0 } }

  func fetch(_ file: String, limit: Int) async throws -> [UInt8]? {
    let path = Folder.join(folder, file)
    guard Folder.kind(of: path) == .file else { return nil }
    let bytes = try MappedFile.contents(of: path, limit: limit)
    total.withLock { $0 += bytes.count }
    return bytes
  }
}

/// What a device trusts.
private final class MemoryStore: MetadataStore {
  private let files: Mutex<[String: [UInt8]]>

  init(root: [UInt8]) { files = Mutex(["root": root]) }

  func read(_ role: String) throws -> [UInt8]? { files.withLock { $0[role] } }
  func write(_ bytes: [UInt8], _ role: String) throws { files.withLock { $0[role] = bytes } }
}
