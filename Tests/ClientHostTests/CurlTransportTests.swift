import Foundation
import Offers
import TestSupport
import Testing

@testable import ClientHost
@testable import IngotClient

/// A repository over the loopback interface.
struct CurlTransportTests {
  private static let blob = VersionPack.Blob(
    length: 100, sha256: String(repeating: "ab", count: 32))

  @Test func silenceIsBorneForHalfAMinute() {
    #expect(CurlTransport(base: "http://127.0.0.1").idleSeconds == 30)
  }

  /// Before an answer, in the middle of one, and not once more for a file that could go on.
  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"])
  func aServerThatIsSilentIsLeftOnce(_ greeting: String) async throws {
    let (server, folder) = (try SilentServer(greeting: greeting), try TemporaryFolder())
    let transport = CurlTransport(base: server.address, idleSeconds: 1)
    let downloader = Downloader(transport: transport, clock: .system, folder: folder.path)
    await #expect(throws: UpdateError.slow(path: "blobs/x", bytes: 0, seconds: 1)) {
      _ = try await downloader.file("blobs/x", Self.blob)
    }
    if greeting.isEmpty { #expect(server.waitingConnectionCount() == 1) }
    await #expect(throws: UpdateError.slow(path: "timestamp.json", bytes: 0, seconds: 1)) {
      _ = try await downloader.bytes("timestamp.json", limit: 1_000)
    }
  }

  /// A server may go on with fields behind the body for ever.
  @Test func fieldsBehindTheBodyAreNotAwaited() async throws {
    let server = try SilentServer(
      greeting: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-1: a\r\n")
    let folder = try TemporaryFolder()
    let downloader = Downloader(
      transport: CurlTransport(base: server.address), clock: .system, folder: folder.path)
    #expect(try await downloader.bytes("x", limit: 100) == Array("abc".utf8))
  }

  @Test func aServerThatIsNotThereIsUnreachable() async throws {
    let address = try SilentServer().address
    let transport = CurlTransport(base: address, idleSeconds: 1)
    let error = await #expect(throws: UpdateError.self) {
      try await transport.fetch(TransportRequest(path: "x")) { _ in }
    }
    guard case .unreachable("x", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func redirectsAreNotFollowed() async throws {
    let server = try Nginx { listening, root in
      "server { listen \(listening); root \(root); location = /x { return 302 /y; } }"
    }
    try Data("y".utf8).write(to: URL(filePath: "\(server.root)/y"))
    await #expect(throws: UpdateError.status(path: "x", status: 302)) {
      let downloader = Downloader(
        transport: CurlTransport(base: server.address), clock: .system, folder: server.root)
      _ = try await downloader.bytes("x", limit: 1_000)
    }
    #expect(try server.requests() == ["GET /x 302"])
  }
}
