import Files
import Foundation
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Store

// Who asks, and who answers.
extension RemoteStoreTests {
  @Test func credentialsAreUsedAndNeverShown() throws {
    let server = try Nginx(
      rules: "auth_basic x; auth_basic_user_file users; dav_methods PUT; create_full_put_path on;")
    let users = Folder.join(Folder.parent(of: server.root), "users")
    try AtomicFile.write(Array("ann:{PLAIN}s@cret\n".utf8), to: users)
    let host = server.address.dropFirst("http://".count)
    let test = try TestStore(remote: .patient("http://ann:s%40cret@\(host)/"))
    try test.record(.named("a"), ["model": "weights"])
    #expect(test.warnings == [])
    let wrong = try TestStore(remote: .patient("http://ann:secret@\(host)"))
    #expect(wrong.store.result(for: .named("a")) == nil)
    let entry = "ac/\(ActionKey.named("a"))"
    #expect(wrong.warnings == ["\(server.address)/\(entry): the remote store answers 401"])
  }

  /// In a process of its own, because the home folder is one of the process.
  @Test func credentialsAreFoundInTheHomeFolder() async {
    await #expect(processExitsWith: .success) {
      let server = try Nginx(
        rules: "auth_basic x; auth_basic_user_file users; dav_methods PUT; "
          + "create_full_put_path on;")
      let home = Folder.parent(of: server.root)
      try AtomicFile.write(Array("ann:{PLAIN}secret\n".utf8), to: Folder.join(home, "users"))
      try AtomicFile.write(
        Array("machine 127.0.0.1 login ann password secret\n".utf8),
        to: Folder.join(home, ".netrc"))
      setenv("HOME", home, 1)
      let test = try TestStore(remote: .patient(server.address))
      try test.record(.named("a"), ["model": "weights"])
      #expect(test.warnings == [])
      #expect(try server.requests().last?.hasSuffix(" 201") == true)
    }
  }

  static let openssl = "/usr/bin/openssl"

  @Test(.enabled(if: Folder.kind(of: openssl) == .file, "openssl is not installed"))
  func aServerThatCannotProveItsNameIsNotUsed() throws {
    let scratch = try TemporaryFolder()
    let certificate = scratch.path("certificate")
    let process = Process()
    process.executableURL = URL(filePath: Self.openssl)
    process.arguments =
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "2"]
      + ["-keyout", certificate, "-out", scratch.path("public")]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let parts = try [scratch.path("public"), certificate]
      .flatMap { try MappedFile.contents(of: $0, limit: 1 << 16) }
    try AtomicFile.write(parts, to: certificate)
    let server = try Nginx(certificate: certificate)
    let test = try TestStore(remote: .patient(server.address))
    #expect(test.store.result(for: .named("a")) == nil)
    #expect(
      test.warnings == [
        "\(server.address)/ac/\(ActionKey.named("a")): the remote store fails: "
          + "ssl peer certificate or ssh remote key was not ok"
      ])
    #expect(try server.requests() == [])
  }

}
