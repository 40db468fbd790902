import Files
import Synchronization
import Weights

/// A store behind the plain HTTP paths of build caches: GET and PUT of `ac/<64 hex>` and
/// `cas/<64 hex>` below one address.
///
/// Nothing it answers is believed: blobs are hashed, results read by the rules. What fails is warned
/// of and counts as missing; what fails again and again is not asked again (`RemoteHealth`).
package final class RemoteStore: Sendable {
  private let client: HTTPClient
  private let health: RemoteHealth
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
    health = RemoteHealth(lostLimit: patience.lostSeconds)
  }

  /// The result of an action, as the server tells it; whether its blobs are there is another matter.
  func result(for key: ActionKey, warn: (String) -> Void) -> ActionResult? {
    let path = "ac/\(key)"
    var bytes: [UInt8] = []
    let body = HTTPBody(limit: ActionResult.encodedLimit) { piece in
      unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    guard isThere(path, body, .getResult, warn) else { return nil }
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
      let body = HTTPBody(limit: output.byteCount, isExact: true) { try incoming.take($0) }
      guard isThere(path, body, .getBlob, warn) else { return false }
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
  private func isThere(
    _ path: String, _ body: HTTPBody, _ request: RemoteHealth.Request, _ warn: (String) -> Void
  ) -> Bool {
    if health.isGivenUp(request) { return false }
    let start = System.monotonicSeconds()
    let answer = client.get(path, into: body)
    switch answer {
    case .status(200), .status(404), .status(410): health.worked(request)
    default: note(answer, path, body, request, System.monotonicSeconds() - start, warn)
    }
    return answer == .status(200)
  }

  private func put(
    _ file: String, as path: String, _ request: RemoteHealth.Request, _ warn: (String) -> Void
  ) -> Bool {
    if health.isGivenUp(request) { return false }
    let mapped: MappedFile
    do {
      mapped = try MappedFile(path: file)
    } catch {
      warn("\(error)")
      return false
    }
    let start = System.monotonicSeconds()
    let answer = client.put(path, from: mapped)
    guard case .status(200...299) = answer else {
      note(answer, path, nil, request, System.monotonicSeconds() - start, warn)
      return false
    }
    health.worked(request)
    return true
  }

  private func note(
    _ answer: HTTPAnswer, _ path: String, _ body: HTTPBody?, _ request: RemoteHealth.Request,
    _ seconds: Double, _ warn: (String) -> Void
  ) {
    warn(Self.words(answer, client.url(path), body))
    // A wrong body says nothing of the server's health, but it may have cost time.
    let hasFailed =
      switch answer {
      case .status, .failed: true
      case .tooLong, .announced: body == nil
      case .notTaken: false
      }
    if let end = health.lost(seconds, by: request, hasFailed: hasFailed) {
      warn("\(address): \(end)")
    }
  }

  private static func words(_ answer: HTTPAnswer, _ url: String, _ body: HTTPBody?) -> String {
    switch answer {
    case .status(let code): "\(url): the remote store answers \(code)"
    case .failed(let reason): "\(url): the remote store fails: \(reason)"
    case .notTaken(let reason): reason
    case .tooLong, .announced:
      body.map { $0.fault(answer, url) } ?? "\(url): the remote store answers too much"
    }
  }
}

extension HTTPBody {
  /// Why a body is not the one that was wanted.
  fileprivate func fault(_ answer: HTTPAnswer, _ url: String) -> String {
    guard case .announced(let byteCount) = answer else {
      return "\(url): is corrupt and not used: has more than the \(limit) bytes expected"
    }
    return "\(url): is corrupt and not used: announces \(byteCount) bytes, expected "
      + (isExact ? "\(limit)" : "at most \(limit)")
  }
}

extension RemoteStore {
  /// The version of libcurl, which talks to such a store; nil when it is not there.
  package static var libraryVersion: String? { Curl.version }
}
