import Files
import Synchronization
import Weights

/// A store behind the plain HTTP paths of build caches: GET and PUT of `ac/<64 hex>` and
/// `cas/<64 hex>` below one address.
///
/// Nothing it answers is believed: blobs are hashed, results read by the rules. What fails is warned
/// of and counts as missing; after `failureLimit` failures in a row it is not asked again.
package final class RemoteStore: Sendable {
  /// Failures in a row after which a direction (getting, putting) is given up.
  static let failureLimit = 3

  private let client: HTTPClient
  private let getting = Mutex(Attempts())
  private let putting = Mutex(Attempts())
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

  init(address: String, patience: Patience) throws(StoreError) {
    client = HTTPClient(try RemoteAddress(address), patience: patience)
  }

  /// The result of an action, as the server tells it; whether its blobs are there is another matter.
  func result(for key: ActionKey, warn: (String) -> Void) -> ActionResult? {
    let path = "ac/\(key)"
    var bytes: [UInt8] = []
    let body = HTTPBody(limit: ActionResult.encodedLimit) { piece in
      unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    guard isThere(path, body, warn) else { return nil }
    do throws(BadResult) {
      return try ActionResult(encoded: bytes, for: key)
    } catch {
      warn("\(client.url(path)): is corrupt and not used: \(error)")
      return nil
    }
  }

  /// Gets a blob into the local store.
  ///
  /// - Returns: whether it is there now, whole.
  func fetch(
    _ output: ActionResult.Output, into layout: StoreLayout, warn: (String) -> Void
  ) -> Bool {
    let path = "cas/\(output.digest)"
    do {
      let incoming = try IncomingBlob(in: layout)
      let body = HTTPBody(limit: output.byteCount) { try incoming.take($0) }
      guard isThere(path, body, warn) else { return false }
      let found = incoming.digest
      guard found == output.digest && incoming.byteCount == output.byteCount else {
        warn(
          "\(client.url(path)): is corrupt and not used: has \(incoming.byteCount) bytes with "
            + "SHA-256 \(found), expected \(output.byteCount) bytes with SHA-256 \(output.digest)")
        return false
      }
      try incoming.commit()
    } catch {
      warn("\(error)")
      return false
    }
    known.withLock { _ = $0.insert(output.digest) }
    return true
  }

  /// Puts a blob, unless the server is known to have it.
  ///
  /// - Returns: whether the server has it now.
  func put(_ digest: ContentDigest, at path: String, warn: (String) -> Void) -> Bool {
    if known.withLock({ $0.contains(digest) }) { return true }
    guard put(path, as: "cas/\(digest)", warn) else { return false }
    known.withLock { _ = $0.insert(digest) }
    return true
  }

  /// Puts a result; its blobs must have been put before.
  func put(_ key: ActionKey, at path: String, warn: (String) -> Void) {
    _ = put(path, as: "ac/\(key)", warn)
  }
}

extension RemoteStore {
  private func isThere(_ path: String, _ body: HTTPBody, _ warn: (String) -> Void) -> Bool {
    if getting.withLock({ $0.isGivenUp }) { return false }
    let answer = client.get(path, into: body)
    switch answer {
    case .status(200), .status(404), .status(410): getting.withLock { $0.failures = 0 }
    case .tooLong:
      warn(
        "\(client.url(path)): is corrupt and not used: has more than the "
          + "\(body.limit) bytes expected")
    case .notTaken(let reason): warn(reason)
    default: note(answer, path, in: getting, "asked", warn)
    }
    return answer == .status(200)
  }

  private func put(_ file: String, as path: String, _ warn: (String) -> Void) -> Bool {
    if putting.withLock({ $0.isGivenUp }) { return false }
    let mapped: MappedFile
    do {
      mapped = try MappedFile(path: file)
    } catch {
      warn("\(error)")
      return false
    }
    let answer = client.put(path, from: mapped)
    guard case .status(200...299) = answer else {
      note(answer, path, in: putting, "given anything", warn)
      return false
    }
    putting.withLock { $0.failures = 0 }
    return true
  }

  private func note(
    _ answer: HTTPAnswer, _ path: String, in attempts: borrowing Mutex<Attempts>, _ verb: String,
    _ warn: (String) -> Void
  ) {
    let url = client.url(path)
    switch answer {
    case .status(let code): warn("\(url): the remote store answers \(code)")
    case .failed(let reason), .notTaken(let reason):
      warn("\(url): the remote store fails: \(reason)")
    case .tooLong: warn("\(url): the remote store answers too much")
    }
    let isLast = attempts.withLock { attempts in
      attempts.failures += 1
      return attempts.failures == RemoteStore.failureLimit
    }
    guard isLast else { return }
    warn(
      "\(address): failed \(RemoteStore.failureLimit) times in a row and is not \(verb) again")
  }
}

/// Failures of one direction since it last worked.
private struct Attempts {
  var failures = 0

  /// Once given up, it stays so: nobody asks, so nothing can work.
  var isGivenUp: Bool { failures >= RemoteStore.failureLimit }
}

extension RemoteStore {
  /// The version of libcurl, which talks to such a store; nil when it is not there.
  package static var libraryVersion: String? { Curl.version }
}
