import Files
import Foundation
import ProjectFixtures
import TestSupport
import Testing
import Weights

@testable import Release
@testable import Store

/// A build and a remote store that gives results of no use.
@Suite(.enabled(if: FileServer.python != nil, "python3 is not installed"))
struct RemoteBuildTests {
  private let project: SmallProject
  private let server: FileServer
  private let warnings = Warnings()

  init() throws {
    project = try SmallProject()
    server = try FileServer()
  }

  private func store(_ name: String) throws -> ContentStore {
    // Waits for any answer, by a stopped clock: a slow machine is not a slow server.
    let patience = Patience(
      connectMilliseconds: 3_600_000, slowSeconds: 3600, objectMilliseconds: 3_600_000,
      longestMilliseconds: 3_600_000)
    let remote = try RemoteStore(address: server.address, patience: patience) { 0 }
    return try ContentStore(
      folder: project.scratch.path(name), remote: remote,
      warn: { [warnings] in warnings.add($0) })
  }

  private func build(_ output: String, _ store: ContentStore) throws -> BuildReport {
    var request = try project.request(output)
    request.tool = try SmallProject.tool("program")
    request.store = store
    return try Builder.build(request) { _ in }
  }

  @Test func resultsOfUseComeOverAndStay() throws {
    let first = try build("a", try store("first"))
    let second = try store("second")
    #expect(try build("b", second).models.map(\.isCached) == [true, true, true])
    second.removeUseless()
    #expect(try second.check().results.count == first.models.count)
    #expect(try second.check().faults == [])
    #expect(try project.files("b") == (try project.files("a")))
    #expect(warnings.all == [])
  }

  @Test func whatDoesNotBelongGoesWithTheRun() throws {
    let store = try store("first")
    let first = try build("a", store)
    let key = try #require(ContentDigest(hex: first.models[0].key).map { ActionKey(digest: $0) })
    let cached = try #require(store.result(for: key))
    let stray = try store.insert(Array("stray".utf8))
    let output = ActionResult.Output(
      path: "companions/stray.txt", digest: stray.digest, byteCount: stray.byteCount)
    try store.record(
      ActionResult(outputs: cached.outputs + [output], exitCode: cached.exitCode), for: key)
    let second = try self.store("second")
    #expect(try build("b", second).models.map(\.isCached) == [false, true, true])
    let path = second.path(of: stray.digest)
    #expect(Folder.kind(of: path) == .file)
    second.removeUseless()
    #expect(Folder.kind(of: path) == .missing)
    #expect(try second.check().faults == [])
    #expect(second.result(for: key)?.outputs == cached.outputs)
    #expect(try project.files("b") == (try project.files("a")))
  }
}

/// A server that keeps what it is given.
private final class FileServer {
  let address: String
  private let process: Process

  static let python = ["/usr/bin/python3", "/usr/local/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  init() throws {
    process = Process()
    process.executableURL = URL(filePath: FileServer.python ?? "python3")
    process.arguments = ["-c", FileServer.script]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The port, as five digits.
    let port = try #require(try output.fileHandleForReading.read(upToCount: 5))
    address = "http://127.0.0.1:\(String(decoding: port, as: UTF8.self))"
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private static let script = """
    import http.server
    files = {}
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *arguments): pass
        def answer(self, status, body=b""):
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def do_PUT(self):
            files[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
            self.answer(201)
        def do_GET(self):
            body = files.get(self.path)
            self.answer(404) if body is None else self.answer(200, body)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print("%05d" % server.server_port, flush=True)
    server.serve_forever()
    """
}
