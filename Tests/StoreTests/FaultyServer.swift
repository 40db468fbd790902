import Foundation

@testable import Store

/// A cache server that takes everything by PUT and answers some GETs in a wrong way.
final class FaultyServer {
  /// How `cas` paths are answered by GET.
  enum Fault: String, CaseIterable {
    /// Never.
    case hanging
    /// Some bytes, then never another.
    case stalled
    /// One byte at a time, a long while apart.
    case trickling
    /// With a size that nothing has, and then nothing.
    case announcing
    /// With bytes for ever.
    case endless
    /// With fewer bytes than were announced.
    case short
    /// With fewer bytes than there are, as if it were all.
    case cut
    /// With a status of 500 and a page.
    case failing
    /// With a status of 500 and a page for ever.
    case failingForEver = "failing-for-ever"
    /// With another address, which would have the right bytes.
    case elsewhere
    /// With something that is not HTTP.
    case babbling
    /// With other bytes, just as many.
    case garbage
  }

  let address: String
  private let process: Process

  static let python = ["/usr/bin/python3", "/usr/local/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  struct NotStarted: Error {}

  /// - Parameters:
  ///   - fault: nil for a server that answers rightly.
  ///   - thanks: the body of the answer to each PUT.
  init(_ fault: Fault?, thanks: String? = nil) throws {
    process = Process()
    process.executableURL = URL(filePath: FaultyServer.python ?? "python3")
    process.arguments = ["-c", FaultyServer.script, fault?.rawValue ?? "sound", thanks ?? ""]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The port, as five digits.
    guard let port = try output.fileHandleForReading.read(upToCount: 5) else { throw NotStarted() }
    address = "http://127.0.0.1:\(String(decoding: port, as: UTF8.self))"
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private static let script = """
    import http.server, sys, time
    fault, thanks, files = sys.argv[1], sys.argv[2].encode(), {}
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *arguments): pass
        def answer(self, status, body=b"", length=None, headers={}):
            self.send_response(status)
            for name, value in headers.items(): self.send_header(name, value)
            self.send_header("Content-Length", str(len(body) if length is None else length))
            self.end_headers()
            self.wfile.write(body)
        def do_PUT(self):
            files[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
            if thanks: self.answer(200, thanks)
            else: self.answer(201)
        def do_GET(self):
            body = files.get(self.path.removeprefix("/elsewhere"))
            if body is None: self.answer(404)
            elif not self.path.startswith("/cas/"): self.answer(200, body)
            else: getattr(self, fault.replace("-", "_"))(body)
        def sound(self, body): self.answer(200, body)
        def garbage(self, body): self.answer(200, bytes(len(body)))
        def hanging(self, body): time.sleep(1000)
        def stalled(self, body):
            self.answer(200, body[:2], len(body))
            self.wfile.flush()
            time.sleep(1000)
        def trickling(self, body):
            self.answer(200, b"", len(body))
            for index in range(len(body)):
                self.wfile.write(body[index:index + 1])
                self.wfile.flush()
                time.sleep(100)
        def announcing(self, body):
            self.answer(200, b"", 1 << 60)
            self.wfile.flush()
            time.sleep(1000)
        def endless(self, body, status=200):
            self.close_connection = True
            self.send_response(status)
            self.end_headers()
            while True: self.wfile.write(body * 1000)
        def short(self, body):
            self.close_connection = True
            self.answer(200, body[:-1], len(body))
        def cut(self, body): self.answer(200, body[:-1])
        def failing(self, body): self.answer(500, b"sorry")
        def failing_for_ever(self, body): self.endless(body, 500)
        def elsewhere(self, body):
            self.answer(302, headers={"Location": "/elsewhere" + self.path})
        def babbling(self, body):
            self.close_connection = True
            self.wfile.write(b"220 smtp.example.org ESMTP" + bytes([13, 10]))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print("%05d" % server.server_port, flush=True)
    server.serve_forever()
    """
}
