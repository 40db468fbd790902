import Files
import Foundation
import TestSupport

@testable import Store

/// An nginx of its own on the loopback interface, ended with the value.
final class Nginx {
  /// The folder it serves and writes to.
  let root: String
  let address: String
  private let scratch: TemporaryFolder
  private let process: Process

  /// The program, if it is installed.
  static let program = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
    .first { Folder.kind(of: $0) == .file }

  struct NotStarted: Error {}

  /// - Parameters:
  ///   - rules: nginx directives for every path.
  ///   - certificate: a file with a certificate and its key, to speak TLS.
  init(
    rules: String = "dav_methods PUT; create_full_put_path on;", certificate: String? = nil
  ) throws {
    let scratch = try TemporaryFolder()
    self.scratch = scratch
    root = scratch.path("root")
    try Folder.create(root)
    for _ in 0..<20 {
      let port = Int.random(in: 20_000..<60_000)
      let tls = certificate.map { "ssl; ssl_certificate \($0); ssl_certificate_key \($0)" } ?? ""
      let process = try Nginx.start(in: scratch, listening: "127.0.0.1:\(port) \(tls)", rules)
      if Nginx.isListening(process, in: scratch) {
        self.process = process
        address = "\(certificate == nil ? "http" : "https")://127.0.0.1:\(port)"
        return
      }
    }
    throw NotStarted()
  }

  deinit { stop() }

  /// Ends the server and waits until it is gone.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// The requests so far, each as `GET /ac/… 404`.
  func requests() throws -> [String] {
    let log = scratch.path("access.log")
    return String(decoding: try MappedFile.contents(of: log, limit: 1 << 20), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  private static func start(
    in scratch: TemporaryFolder, listening: String, _ rules: String
  ) throws -> Process {
    let configuration = scratch.path("nginx.conf")
    try AtomicFile.write(Array(text(scratch.path, listening, rules).utf8), to: configuration)
    let process = Process()
    process.executableURL = URL(filePath: program ?? "nginx")
    process.arguments = ["-p", scratch.path, "-c", configuration, "-e", "error.log"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Its workers give up root's rights unless told otherwise, and could then write nothing here.
  private static func text(_ folder: String, _ listening: String, _ rules: String) -> String {
    let bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
    return """
      daemon off; \(getuid() == 0 ? "user root;" : "") pid \(folder)/pid; worker_processes 1;
      events { worker_connections 64; }
      http {
        log_format short '$request_method $uri $status'; access_log \(folder)/access.log short;
        \(bodies) client_max_body_size 0;
        server { listen \(listening); root \(folder)/root; location / { \(rules) } }
      }
      """
  }

  /// Waits until the server listens, or has ended because the port was taken. It writes its number
  /// into a file once it listens.
  private static func isListening(_ process: Process, in scratch: TemporaryFolder) -> Bool {
    while process.isRunning {
      if (try? scratch.text("pid")) == "\(process.processIdentifier)\n" {
        return true
      }
      usleep(10_000)
    }
    return false
  }
}
