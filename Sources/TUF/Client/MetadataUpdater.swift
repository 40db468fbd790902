/// Brings a client's metadata up to date, and finds targets.
///
/// Source: the TUF specification, section 5. A file of the client's own is used where it is still the one
/// that is wanted, so that a poll of an unchanged repository asks for two files.
package struct MetadataUpdater: Sendable {
  /// What a client takes at most.
  package struct Limits: Sendable {
    /// Bytes of a root.
    package var root = 512_000
    /// Bytes of a timestamp.
    package var timestamp = 16_384
    /// Bytes of a snapshot whose length is not known.
    package var snapshot = 2_000_000
    /// Bytes of metadata of targets whose length is not known.
    package var targets = 5_000_000
    /// New roots at a time.
    package var roots = 256
    /// Roles that are asked for one target.
    package var roles = 32

    package init() {}
  }

  private let source: any MetadataSource
  private let store: any MetadataStore
  private let limits: Limits
  package private(set) var trusted: TrustedMetadata
  /// Of the role that every repository has, once it is up to date.
  package private(set) var targets: Targets?

  /// - Parameters:
  ///   - now: the moment that expiry is judged by.
  ///   - appID: the app that all metadata must be for; nil where any is taken.
  /// - Throws: `MetadataError` where the store has no root, or one that does not hold.
  package init(
    source: any MetadataSource, store: any MetadataStore, now: UpdateTime, appID: String? = nil,
    limits: Limits = Limits()
  ) throws {
    (self.source, self.store, self.limits) = (source, store, limits)
    guard let root = try store.read("root") else { throw MetadataError.missing(file: "root.json") }
    trusted = try TrustedMetadata(root: root, now: now, appID: appID)
  }

  /// Takes what is new: roots, timestamp, snapshot, and metadata of targets, in this order.
  ///
  /// What holds is kept, even where something behind it does not.
  package mutating func refresh() async throws {
    try await refreshRoot()
    try await refreshTimestamp()
    try await refreshSnapshot()
    targets = try await targets("targets", trusted.root.targets, trusted.root.keys)
  }

  private mutating func refreshRoot() async throws {
    for _ in 0..<limits.roots {
      let name = "\(trusted.root.head.version + 1).root.json"
      guard let bytes = try await source.fetch(name, limit: limits.root) else { return }
      try trusted.take(root: bytes)
      try store.write(bytes, "root")
    }
    throw MetadataError.tooManyRoots(limit: limits.roots)
  }

  private mutating func refreshTimestamp() async throws {
    if let own = try store.read("timestamp") {
      ignoring { trusted throws(MetadataError) in _ = try trusted.take(timestamp: own) }
    }
    guard let bytes = try await source.fetch("timestamp.json", limit: limits.timestamp) else {
      throw MetadataError.noRepository
    }
    if try trusted.take(timestamp: bytes) { try store.write(bytes, "timestamp") }
  }

  private mutating func refreshSnapshot() async throws {
    let listed = try trusted.listedSnapshot()
    if let own = try store.read("snapshot"),
      ignoring({ trusted throws(MetadataError) in try trusted.take(snapshot: own, isOwn: true) })
    {
      return
    }
    let bytes = try await fetch("snapshot", listed, limit: limits.snapshot)
    try trusted.take(snapshot: bytes, isOwn: false)
    try store.write(bytes, "snapshot")
  }

  /// Takes something of the client's own, which may be what holds no more.
  ///
  /// - Returns: whether it holds.
  @discardableResult
  private mutating func ignoring(
    _ body: (inout TrustedMetadata) throws(MetadataError) -> Void
  ) -> Bool {
    do {
      try body(&trusted)
      return true
    } catch {
      return false
    }
  }

  /// Metadata of a role's targets, the client's own if it is still the one that the snapshot lists.
  private func targets(
    _ name: String, _ role: Role, _ keys: KeyRing
  ) async throws -> Targets {
    let listed = try trusted.listed(name)
    if let own = try store.read(name), let targets = try? trusted.targets(own, name, role, keys) {
      return targets
    }
    let bytes = try await fetch(name, listed, limit: limits.targets)
    let targets = try trusted.targets(bytes, name, role, keys)
    try store.write(bytes, name)
    return targets
  }

  private func fetch(_ role: String, _ listed: ListedFile, limit: Int) async throws -> [UInt8] {
    let name = trusted.root.isConsistent ? "\(listed.version).\(role).json" : "\(role).json"
    let limit = listed.facts.length.map { min($0, limit) } ?? limit
    guard let bytes = try await source.fetch(name, limit: limit) else {
      throw MetadataError.missing(file: name)
    }
    return bytes
  }

  // MARK: Targets

  /// What the repository says of a target, which a role at the top does before those it hands on to.
  ///
  /// Roles are asked depth first, in the order in which they are handed on to, each once. Metadata of a
  /// role are judged by the role that leads to them now, whoever led to them before.
  ///
  /// - Throws: `MetadataError.noTarget` where no role lists it.
  package func target(_ path: String) async throws -> Target {
    guard let targets else { throw MetadataError.missing(file: "targets.json") }
    var waiting: [Visit] = [.top(targets)]
    var seen: Set<String> = []
    while let visit = waiting.popLast(), seen.count < limits.roles {
      guard seen.insert(visit.name).inserted else { continue }
      let targets = try await metadata(of: visit)
      if let target = targets.targets[path] { return target }
      guard let delegations = targets.delegations else { continue }
      let next = delegations.roles.filter { $0.covers(path) }
      let last = next.firstIndex(where: \.isTerminating)
      if last != nil { waiting = [] }
      let asked = next.prefix(last.map { $0 + 1 } ?? next.count)
      waiting += asked.reversed().map { .delegated($0, delegations.keys) }
    }
    throw MetadataError.noTarget(path: path)
  }

  private enum Visit {
    case top(Targets)
    case delegated(DelegatedRole, KeyRing)

    var name: String {
      switch self {
      case .top: "targets"
      case .delegated(let role, _): role.name
      }
    }
  }

  private func metadata(of visit: Visit) async throws -> Targets {
    switch visit {
    case .top(let targets): targets
    case .delegated(let role, let keys): try await targets(role.name, role.role, keys)
    }
  }

  /// Where a target is, from where all targets are.
  package func place(of target: Target) -> String {
    target.fileName(isConsistent: trusted.root.isConsistent)
  }
}
