import Foundation
import TestSupport

extension Nginx {
  /// The server that `specs/examples/distribution` shows, on a port of its own.
  static func ofTheExample() throws -> Nginx {
    let example = "\(Program.repository)/specs/examples/distribution/nginx.conf"
    let text = try String(contentsOf: URL(filePath: example), encoding: .utf8)
    return try Nginx { listening, root in
      text.replacingOccurrences(of: "127.0.0.1:8080", with: listening)
        .replacingOccurrences(of: "/var/cache/ingot", with: root)
    }
  }
}
