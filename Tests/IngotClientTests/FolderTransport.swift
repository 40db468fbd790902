import Foundation
import IngotClient
import Files

/// Serves the files of a folder, with faults that a test asks for.
final class FolderTransport: Transport {
  /// What is done to a file instead of serving it.
  enum Fault: Sendable {
    case missing
    case status(Int)
    /// The transfer ends after so many bytes, and the next goes on.
    case endsAfter(Int)
    /// Other bytes.
    case bytes([UInt8])
    /// More bytes, without an end.
    case endless
    /// The whole file whatever is asked for.
    case ignoresRanges(endsAfter: Int)
    /// One byte at a time, a second for each.
    case slow
  }

  let folder: String
  private let state = Mutex<State>(State())
  /// Seconds that went by.
  let seconds = Mutex(0.0)

  private struct State {
    var faults: [String: Fault] = [:]
    var asked: [TransportRequest] = []
    var served = 0
  }

  init(_ folder: String) { self.folder = folder }

  /// - Parameter suffix: of the paths of files.
  func fail(_ suffix: String, _ fault: Fault?) { state.withLock { $0.faults[suffix] = fault } }
  var asked: [TransportRequest] { state.withLock { $0.asked } }
  var servedByteCount: Int { state.withLock { $0.served } }

  func forget() {
    state.withLock {
      $0.asked = []
      $0.served = 0
    }
  }

  func fetch(
    _ request: TransportRequest,
    _ receive: @escaping @Sendable (TransportEvent) throws -> Void
  ) async throws {
    let fault = state.withLock { state in
      state.asked.append(request)
      return state.faults.first { request.path.hasSuffix($0.key) }?.value
    }
    let path = request.path.removingPercentEncoding ?? ""
    var bytes: [UInt8]
    if let data = FileManager.default.contents(atPath: "\(folder)/\(path)") {
      bytes = [UInt8](data)
    } else if case .bytes? = fault {
      bytes = []
    } else {
      return try receive(.missing)
    }
    let validator = "\"\(bytes.count)\""
    let isSame = request.validator == nil || request.validator == validator
    var offset = isSame ? request.offset : 0
    switch fault {
    case .missing: return try receive(.missing)
    case .status(let status): return try receive(.refused(status: status))
    case .bytes(let others): bytes = others
    case .ignoresRanges: offset = 0
    case nil, .endsAfter, .endless, .slow: break
    }
    try receive(.found(offset: offset, validator: validator))
    var rest = Array(bytes.dropFirst(offset))
    var end: Int?
    switch fault {
    case .endsAfter(let count), .ignoresRanges(let count): end = count
    default: break
    }
    if let end, end < rest.count {
      rest = Array(rest.prefix(end))
    } else {
      end = nil
    }
    if case .slow? = fault {
      for byte in rest {
        seconds.withLock { $0 += 1 }
        try receive(.bytes([byte]))
      }
    } else {
      for start in stride(from: 0, to: rest.count, by: 1_000) {
        let piece = Array(rest[start..<min(start + 1_000, rest.count)])
        state.withLock { $0.served += piece.count }
        try receive(.bytes(piece))
      }
    }
    if case .endless? = fault {
      while true { try receive(.bytes([UInt8](repeating: 0, count: 1_000))) }
    }
    if end != nil {
      throw UpdateError.unreachable(path: request.path, reason: "the connection broke")
    }
  }
}
