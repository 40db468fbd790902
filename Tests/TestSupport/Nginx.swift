import Foundation

/// An nginx of its own on the loopback interface, ended with the value.
package final class Nginx {
  /// The folder it serves and writes to.
  package let root: String
  package let address: String
  private let scratch: TemporaryFolder
  private let process: Process

  /// The program, if it is installed.
  package static let program = {
    let path = ProcessInfo.processInfo.environment["PATH", default: ""]
    return (["/usr/sbin", "/usr/local/sbin"] + path.split(separator: ":").map(String.init))
      .map { "\($0)/nginx" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  package struct NotStarted: Error {}

  /// - Parameters:
  ///   - scheme: of its address.
  ///   - server: its `server` directive, for the address and port it listens on and its root.
  package init(
    scheme: String = "http", server: (_ listening: String, _ root: String) throws -> String
  ) throws {
    scratch = try TemporaryFolder()
    root = scratch.path("root")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    for _ in 0..<20 {
      let listening = "127.0.0.1:\(Int.random(in: 20_000..<60_000))"
      let process = try Nginx.start(in: scratch, try server(listening, root))
      if Nginx.isListening(process, in: scratch) {
        self.process = process
        address = "\(scheme)://\(listening)"
        return
      }
    }
    throw NotStarted()
  }

  deinit { stop() }

  /// Ends the server and waits until it is gone.
  package func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// All requests, each as `GET /ac/… 404`. Ends the server, which writes a request down only when
  /// it has let go of its connection, behind the answer.
  package func requests() throws -> [String] {
    if process.isRunning { kill(process.processIdentifier, SIGQUIT) }
    process.waitUntilExit()
    return try scratch.text("access.log").split(separator: "\n").map(String.init)
  }

  private static func start(in scratch: TemporaryFolder, _ server: String) throws -> Process {
    let configuration = try scratch.write("nginx.conf", text(scratch.path, server))
    let process = Process()
    process.executableURL = URL(filePath: program ?? "nginx")
    process.arguments = ["-p", scratch.path, "-c", configuration, "-e", "error.log"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Its workers would give up root's rights, and could then write nothing here.
  private static func text(_ folder: String, _ server: String) -> String {
    let bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
    return """
      daemon off; \(getuid() == 0 ? "user root;" : "") pid \(folder)/pid; worker_processes 1;
      events { worker_connections 64; }
      http {
        log_format short '$request_method $uri $status'; access_log \(folder)/access.log short;
        \(bodies)
        \(server)
      }
      """
  }

  /// Waits until the server listens, or has ended because the port was taken. It writes its number
  /// into a file once it listens.
  private static func isListening(_ process: Process, in scratch: TemporaryFolder) -> Bool {
    while process.isRunning {
      if (try? scratch.text("pid")) == "\(process.processIdentifier)\n" { return true }
      usleep(10_000)
    }
    return false
  }
}
