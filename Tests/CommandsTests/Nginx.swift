import Foundation
import TestSupport

/// The nginx of `specs/examples/distribution` on a port of its own, ended with the value.
final class Nginx {
  static let isThere = Program.has("nginx")
  /// The server that the specification shows.
  private static let example =
    "\(Program.repository)/specs/examples/distribution/nginx.conf"

  let address: String
  /// Where the bodies lie.
  let root: String
  private let process: Process

  struct NotStarted: Error {}

  init(in folder: TemporaryFolder) throws {
    root = folder.path("nginx/root")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    for _ in 0..<20 {
      let address = "127.0.0.1:\(Int.random(in: 20_000..<60_000))"
      let process = try Nginx.start(in: folder, root, at: address)
      if Nginx.isListening(process, in: folder) {
        (self.process, self.address) = (process, "http://\(address)")
        return
      }
    }
    throw NotStarted()
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  private static func start(
    in folder: TemporaryFolder, _ root: String, at address: String
  ) throws -> Process {
    let server = try String(contentsOf: URL(filePath: example), encoding: .utf8)
      .replacingOccurrences(of: "127.0.0.1:8080", with: address)
      .replacingOccurrences(of: "/var/cache/ingot", with: root)
    let place = folder.path("nginx")
    let bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(place)/\($0);" }.joined(separator: " ")
    // Workers give up root's rights unless told otherwise, and could then write nothing here.
    let user = getuid() == 0 ? "user root;" : ""
    let path = try folder.write(
      "nginx/nginx.conf",
      """
      daemon off; \(user) pid \(place)/pid; worker_processes 1;
      events { worker_connections 64; }
      http { access_log \(place)/access.log; \(bodies)
      \(server)
      }
      """)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["nginx", "-p", place, "-c", path, "-e", "\(place)/error.log"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Waits until the server listens, or has ended because the port was taken. It writes its number
  /// into a file once it listens.
  private static func isListening(_ process: Process, in folder: TemporaryFolder) -> Bool {
    while process.isRunning {
      if (try? folder.text("nginx/pid")) == "\(process.processIdentifier)\n" {
        return true
      }
      usleep(10_000)
    }
    return false
  }
}
