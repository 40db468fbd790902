import StrictJSON
import Files
import Testing
import Weights

@testable import Store

/// Answers of a server, headers included.
extension FuzzTests {
  private static let key = ActionKey(["name": .string("a")])

  private static func answers() throws -> [[UInt8]] {
    let output = ActionResult.Output(
      path: "model", digest: ContentDigest(of: []), byteCount: 7)
    let body = try ActionResult(outputs: [output], exitCode: 3).encoded(for: key)
    let heads = [
      "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n",
      "HTTP/1.1 200 OK\r\nServer: x\r\nConnection: close\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200\r\nContent-Type: text/plain\r\n\r\n",
    ]
    let chunked =
      Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
      + Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)
    return heads.map { Array($0.utf8) + body } + [chunked]
  }

  /// Each input is a request over the loopback, so there is one for ten of the others.
  @Test(.enabled(if: RemoteStore.libraryVersion != nil, "libcurl is not installed"))
  func remoteAnswers() throws {
    let server = try RawServer()
    defer { server.stop() }
    // The server closes after each answer, so nothing ends by a deadline.
    let patience = Patience(
      connectMilliseconds: 3_600_000, slowSeconds: 3600, bytesPerSecond: 1,
      objectMilliseconds: 3_600_000, longestMilliseconds: 3_600_000)
    run("answers of a remote store", try FuzzTests.answers(), share: 10) { bytes in
      server.set(bytes)
      let warnings = Mutex(0)
      // A new one each time: one that failed before is not asked again.
      let remote = try? RemoteStore(address: server.address, patience: patience)
      let result = remote?.result(for: FuzzTests.key) { _ in warnings.withLock { $0 += 1 } }
      guard let result else { return nil }
      return result.outputs.count == 1 && warnings.withLock { $0 } == 0
    }
  }
}
