import Foundation
import TestSupport
import Testing

extension ClientTests {
  /// Damages the manifest of the version in use.
  private func damage() throws {
    let folder = folder.path("phone/client/versions")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    try Data("{".utf8).write(to: URL(filePath: "\(folder)/\(name)/manifest.json"))
  }

  @Test func aDamagedVersionIsNamedAndMadeAgain() throws {
    #expect(try client("update").status == 0)
    #expect(try client("confirm").status == 0)
    try damage()
    let run = try client("run")
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("error: phone: version 1.0.0: "))
    #expect(
      run.errors.contains(
        "hint: 'manifest.json' is missing or damaged: 'ingot client update' fetches it again\n"))
    #expect(try client("check", ["--json"]).json()["availability"] as? String == "damaged")
    let update = try client("update")
    #expect(update.output.hasPrefix("1.0.0: missing or damaged files are there again, "))
    #expect(try client("run").output.hasPrefix("in use: 1.0.0\n"))
  }

  /// The trial ends with the app that did not start.
  @Test func aDamagedVersionOnTrialIsLeftInOneStep() throws {
    #expect(try client("update").status == 0)
    #expect(try client("confirm").status == 0)
    try publishNext("1.1.0", weight: 0.75)
    #expect(try client("update").status == 0)
    let folder = folder.path("phone/client/versions")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let name = try #require(names.first { $0.hasPrefix("1.1.0-") })
    try FileManager.default.removeItem(atPath: "\(folder)/\(name)/manifest.json")
    let run = try client("run")
    #expect(run.status == 3)
    #expect(run.errors.contains("hint: the next command leaves the version"))
    #expect(try client("roll-back").output == "left 1.1.0; in use: 1.0.0\n")
  }

  @Test func stepsOfAnUpdateAreToldToMachines() throws {
    let update = try client("update", ["--json-progress"])
    #expect(update.status == 0)
    let lines = try update.errors.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(lines.map { $0["step"] as? String } == ["asking the repository", "checking models"])
    #expect(lines.allSatisfy { $0["command"] as? String == "client" })
  }

  /// Makes a device whose repository is elsewhere.
  private func device(_ address: String) throws {
    try FileManager.default.removeItem(atPath: folder.path("phone"))
    let made = try client(
      "init",
      [
        "--repository", address, "--root", "repository/apps/\(Self.app)/metadata/1.root.json",
        "--bundle", "com.example.app1", "--sdk", "1.5.0",
      ])
    #expect(made.status == 0, "\(made.errors)")
  }

  /// bash gives the number of the signal and 128 for what was ended by one.
  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func anInterruptedUpdateEndsAsOtherCommandsDo(_ signal: String, _ status: Int32) throws {
    let silent = try SilentServer()
    try device(silent.address)
    let run = try Program.shell(
      #"""
      env --default-signal "$0" client update phone & update=$!
      until [ -e phone/client/update.lock ] || ! kill -0 $update; do sleep 0.01; done
      kill -"$1" $update
      wait $update
      """#, [signal], in: folder.path)
    #expect(run.status == status)
    #expect(run.errors == "error: interrupted; unfinished output was removed\n")
    withExtendedLifetime(silent) {}
  }

  @Test func anAddressWithoutTheRepositoryIsNamed() throws {
    try device("\(server.address)/elsewhere")
    let update = try client("update")
    #expect(update.status == 1)
    #expect(
      update.errors.contains(
        "timestamp.json' is not there (status 403 or 404): this address has no repository of the app"
      ))
    #expect(update.errors.contains("hint: see that the address in device.json is that of"))
  }

  @Test func redirectsOfARepositoryAreNotFollowed() throws {
    let address = server.address
    let other = try Nginx { listening, _ in
      "server { listen \(listening); return 301 \(address)$request_uri; }"
    }
    try device(other.address)
    let update = try client("update")
    #expect(update.status == 1)
    #expect(update.errors.contains("status 301"))
    #expect(update.errors.contains("hint: redirects are not followed"))
  }
}
