import Foundation
public import IngotClient
import Files

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reaches a repository by HTTP; no redirect is followed, as the address is part of what the app trusts.
public final class URLSessionTransport: Transport {
  private let base: String
  private let session: URLSession
  private let receiver: Receiver

  /// - Parameters:
  ///   - base: the repository's address.
  ///   - idleSeconds: how long nothing may come.
  public init(base: String, idleSeconds: Double = 30) {
    self.base = base.hasSuffix("/") ? base : base + "/"
    receiver = Receiver(idleSeconds: idleSeconds)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = idleSeconds
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// See `Transport`.
  public func fetch(
    _ request: TransportRequest,
    _ receive: @escaping @Sendable (TransportEvent) throws -> Void
  ) async throws {
    guard let url = URL(string: base + request.path) else {
      throw UpdateError.unreachable(path: request.path, reason: "'\(base)' is not an address")
    }
    var wanted = URLRequest(url: url)
    // The digest is that of the bytes as they are stored.
    wanted.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if request.offset > 0, let validator = request.validator {
      wanted.setValue("bytes=\(request.offset)-", forHTTPHeaderField: "Range")
      wanted.setValue(validator, forHTTPHeaderField: "If-Range")
    }
    let task = session.dataTask(with: wanted)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        receiver.begin(task, Transfer(path: request.path, receive, continuation))
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  /// One file that is on its way.
  private struct Transfer: Sendable {
    let path: String
    let receive: @Sendable (TransportEvent) throws -> Void
    let continuation: CheckedContinuation<Void, any Error>
    /// What `receive` threw.
    var failure: (any Error)?

    init(
      path: String, _ receive: @escaping @Sendable (TransportEvent) throws -> Void,
      _ continuation: CheckedContinuation<Void, any Error>
    ) {
      (self.path, self.receive, self.continuation) = (path, receive, continuation)
    }
  }

  /// Hands what comes to the transfers it is for.
  private final class Receiver: NSObject, URLSessionDataDelegate {
    private let transfers = Mutex<[Int: Transfer]>([:])
    /// Tasks that were cancelled before their transfer began.
    private let ended = Mutex<Set<Int>>([])
    private let idleSeconds: Double

    init(idleSeconds: Double) { self.idleSeconds = idleSeconds }

    func begin(_ task: URLSessionTask, _ transfer: Transfer) {
      let hasEnded = transfers.withLock { transfers in
        guard ended.withLock({ $0.remove(task.taskIdentifier) }) == nil else { return true }
        transfers[task.taskIdentifier] = transfer
        return false
      }
      if hasEnded { transfer.continuation.resume(throwing: CancellationError()) }
    }

    private func pass(_ event: TransportEvent, to task: URLSessionTask) -> Bool {
      guard let transfer = transfers.withLock({ $0[task.taskIdentifier] }),
        transfer.failure == nil
      else { return false }
      do {
        try transfer.receive(event)
        return true
      } catch {
        transfers.withLock { $0[task.taskIdentifier]?.failure = error }
        task.cancel()
        return false
      }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      let event = Self.event(response)
      let isFound = if case .found = event { true } else { false }
      let isTaken = pass(event, to: dataTask)
      completionHandler(isTaken && isFound ? .allow : .cancel)
    }

    private static func event(_ response: URLResponse) -> TransportEvent {
      guard let answer = response as? HTTPURLResponse else { return .refused(status: 0) }
      switch answer.statusCode {
      case 200: return .found(offset: 0, validator: answer.value(forHTTPHeaderField: "ETag"))
      case 206:
        guard let range = answer.value(forHTTPHeaderField: "Content-Range"),
          let offset = range.split(separator: " ").last?.split(separator: "-").first
            .flatMap({ Int($0) })
        else { return .refused(status: 206) }
        return .found(offset: offset, validator: answer.value(forHTTPHeaderField: "ETag"))
      // A bucket whose content may not be listed says 403 of a file that is not there.
      case 403, 404: return .missing
      default: return .refused(status: answer.statusCode)
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      // Of a redirect that is not followed the body may come all the same.
      guard let response = dataTask.response, case .found = Self.event(response) else { return }
      _ = pass(.bytes([UInt8](data)), to: dataTask)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let transfer = transfers.withLock { transfers in
        let transfer = transfers.removeValue(forKey: task.taskIdentifier)
        if transfer == nil { ended.withLock { _ = $0.insert(task.taskIdentifier) } }
        return transfer
      }
      guard let transfer else { return }
      if let failure = transfer.failure {
        transfer.continuation.resume(throwing: failure)
      } else if (error as? URLError)?.code == .timedOut {
        transfer.continuation.resume(
          throwing: UpdateError.slow(path: transfer.path, bytes: 0, seconds: Int(idleSeconds)))
      } else if let error, !Self.isOwnCancel(task, error) {
        transfer.continuation.resume(
          throwing: UpdateError.unreachable(
            path: transfer.path, reason: error.localizedDescription))
      } else {
        transfer.continuation.resume()
      }
    }

    /// Whether a transfer was ended because its answer has no content that is wanted.
    private static func isOwnCancel(_ task: URLSessionTask, _ error: any Error) -> Bool {
      guard (error as? URLError)?.code == .cancelled, let response = task.response else {
        return false
      }
      if case .found = event(response) { return false }
      return true
    }
  }
}
