import Files
import Weights

/// A store behind the plain HTTP paths of build caches: GET and PUT of `ac/<64 hex>` and
/// `cas/<64 hex>` below one address.
///
/// Its answers are not trusted: blobs are hashed, results read by the rules. A failure is warned of
/// and counts as missing; after repeated failures the store is not asked again (`RemoteHealth`).
package final class RemoteStore: Sendable {
  let client: HTTPClient
  let health: RemoteHealth
  let patience: Patience
  /// Seconds of a clock that only goes forward.
  let seconds: @Sendable () -> Double
  /// Results that were found, until the caller says whether they are useful.
  let trials = Mutex<[ActionKey: RemoteTrial]>([:])
  /// Blobs that the server is known to have, whole.
  private let known = Mutex<Set<ContentDigest>>([])

  /// The address without credentials.
  package var address: String { client.address.description }

  /// A store at an address; nothing is asked yet.
  ///
  /// - Parameter address: `http://…` or `https://…`, without query and fragment. Credentials in it
  ///   are used and never shown; `~/.netrc` is the better place for them.
  package convenience init(address: String) throws(StoreError) {
    try self.init(address: address, patience: Patience())
  }

  init(
    address: String, patience: Patience,
    seconds: @escaping @Sendable () -> Double = { System.monotonicSeconds() }
  ) throws(StoreError) {
    client = HTTPClient(try RemoteAddress(address), patience: patience)
    health = RemoteHealth(lostLimit: patience.lostSeconds)
    self.patience = patience
    self.seconds = seconds
  }

  /// The result of an action, as the server tells it; its blobs may be missing.
  ///
  /// It is on trial until `end` is told whether it was useful.
  func result(for key: ActionKey, warn: (String) -> Void) -> ActionResult? {
    let path = "ac/\(key)"
    var bytes: [UInt8] = []
    let body = HTTPBody(limit: ActionResult.encodedLimit) { piece in
      unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    guard let seconds = get(path, body, .getResult, warn) else { return nil }
    do throws(BadResult) {
      let result = try ActionResult(encoded: bytes, for: key)
      health.worked(.getResult)
      spend(seconds, for: bytes.count, on: key, .getResult, warn)
      return result
    } catch {
      warn("\(client.url(path)): is corrupt and not used: \(error)")
      lose(seconds, by: .getResult, warn)
      return nil
    }
  }

  /// Gets a blob of a result into the local store.
  ///
  /// - Returns: whether it is there now, whole.
  func fetch(
    _ output: ActionResult.Output, of key: ActionKey, into layout: StoreLayout,
    warn: (String) -> Void
  ) -> Bool {
    let path = "cas/\(output.digest)"
    do {
      let incoming = try IncomingBlob(in: layout)
      let body = HTTPBody(limit: output.byteCount, isExact: true) { try incoming.take($0) }
      guard let seconds = get(path, body, .getBlob, warn) else { return false }
      let found = incoming.digest
      guard found == output.digest && incoming.byteCount == output.byteCount else {
        warn(
          "\(client.url(path)): is corrupt and not used: has \(incoming.byteCount) bytes with "
            + "SHA-256 \(found), expected \(output.byteCount) bytes with SHA-256 \(output.digest)")
        lose(seconds, by: .getBlob, warn)
        return false
      }
      health.worked(.getBlob)
      spend(seconds, for: output.byteCount, on: key, .getBlob, warn)
      try incoming.commit()
    } catch {
      warn("\(error)")
      return false
    }
    known.withLock { _ = $0.insert(output.digest) }
    trials.withLock { $0[key]?.fetched.append(output) }
    return true
  }

  /// Puts a blob, unless the server is known to have it.
  ///
  /// - Returns: whether the server has it now.
  func put(_ digest: ContentDigest, at path: String, warn: (String) -> Void) -> Bool {
    if known.withLock({ $0.contains(digest) }) { return true }
    guard put(path, as: "cas/\(digest)", .putBlob, warn) else { return false }
    known.withLock { _ = $0.insert(digest) }
    return true
  }

  /// Puts a result; its blobs must have been put before.
  func put(_ key: ActionKey, at path: String, warn: (String) -> Void) {
    _ = put(path, as: "ac/\(key)", .putResult, warn)
  }
}

extension RemoteStore {
  /// The version of libcurl, which talks to such a store; nil when it is not there.
  package static var libraryVersion: String? { Curl.version }
}
