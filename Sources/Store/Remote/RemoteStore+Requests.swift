import Files
import Weights

extension RemoteStore {
  /// Gets a file.
  ///
  /// - Returns: the seconds it took, for a use that is still to be shown; nil, and all is noted, when
  ///   there is none.
  func get(
    _ path: String, _ body: HTTPBody, _ request: RemoteHealth.Request, _ warn: (String) -> Void
  ) -> Double? {
    if health.isGivenUp(request) { return nil }
    let start = seconds()
    let answer = client.get(path, into: body)
    let taken = seconds() - start
    switch answer {
    case .status(200): return taken
    case .status(404), .status(410): noteMiss(path, request, taken, warn)
    default: note(answer, path, body, request, taken, warn)
    }
    return nil
  }

  /// A miss is an honest answer, unless it takes its time.
  private func noteMiss(
    _ path: String, _ request: RemoteHealth.Request, _ taken: Double, _ warn: (String) -> Void
  ) {
    if taken > patience.failureSeconds {
      warn(
        "\(client.url(path)): the remote store takes \(Int(taken)) seconds to say that it has none")
    } else {
      health.worked(request)
    }
    lose(
      patience.late(taken, for: 0), by: request, warn, hasFailed: taken > patience.failureSeconds)
  }

  /// Notes an answer that was of no use, or the time that one took beyond its due.
  func lose(
    _ taken: Double, by request: RemoteHealth.Request, _ warn: (String) -> Void,
    hasFailed: Bool? = nil
  ) {
    let hasFailed = hasFailed ?? (taken > patience.failureSeconds)
    if let end = health.lost(taken, by: request, hasFailed: hasFailed) {
      warn("\(address): \(end)")
    }
  }

  /// Puts a file.
  ///
  /// - Returns: whether the server took it.
  func put(
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
    let start = seconds()
    let answer = client.put(path, from: mapped)
    let taken = seconds() - start
    guard case .status(200...299) = answer else {
      note(answer, path, nil, request, taken, warn)
      return false
    }
    health.worked(request)
    lose(patience.late(taken, for: mapped.byteCount), by: request, warn, hasFailed: false)
    return true
  }

  private func note(
    _ answer: HTTPAnswer, _ path: String, _ body: HTTPBody?, _ request: RemoteHealth.Request,
    _ taken: Double, _ warn: (String) -> Void
  ) {
    warn(Self.words(answer, client.url(path), body))
    // A wrong body that comes at once says nothing of the server's health.
    let hasFailed =
      switch answer {
      case .status, .failed: true
      case .tooLong, .announced: body == nil || taken > patience.failureSeconds
      case .notTaken: false
      }
    lose(taken, by: request, warn, hasFailed: hasFailed)
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
