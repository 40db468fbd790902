import Foundation
import TestSupport
import Testing

/// The calls with which a device and a publisher change the disk fail in turn, or are the last thing that they
/// do. Whatever was hit: a device always has a model that passes its self-test, and the next run makes good.
@Suite(.enabled(if: Tracer.works, "strace is not there, or may not trace here"))
struct UpdateFaultTests {
  private static let app = TemporaryFolder.apps[0]
  private static let full = Injection.Effect.error("ENOSPC", text: "no space left on device")
  private static let damaged = Injection.Effect.error("EIO", text: "input/output error")

  let folder: TemporaryFolder
  let server: Nginx

  /// Publishes two versions of a small project, and makes a device that confirmed the first.
  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.memory)
    let repository = folder.path("repository")
    server = try Nginx { listening, _ in "server { listen \(listening); root \(repository); }" }
    try done("publish", "keys", "keys")
    for (version, weight) in [("1.0.0", Float(0.25)), ("1.1.0", 0.75)] {
      try folder.writeFaultProject(version: version, weight: weight)
      try folder.writeFlow("project/flows/first_flow", version: 1, weight: weight)
      try done("build", "project", "--output", "out-\(version)", "--no-store", "--quiet")
    }
    try done(publishing("out-1.0.0"))
    try FileManager.default.copyItem(
      atPath: repository, toPath: folder.path("start-repository"))
    try device("phone")
    try done("client", "update", "phone")
    try done("client", "confirm", "phone")
    try FileManager.default.moveItem(
      atPath: folder.path("phone"), toPath: folder.path("start-phone"))
  }

  private func publishing(_ packages: String) -> [String] {
    ["publish", packages, "--repository", "repository", "--keys", "keys", "--jobs", "1"]
  }

  private func device(_ name: String) throws {
    try? FileManager.default.removeItem(atPath: folder.path(name))
    try done(
      "client", "init", name, "--repository", server.address, "--root",
      "repository/apps/\(Self.app)/metadata/1.root.json", "--bundle", "com.example.app1", "--sdk",
      "1.5.0")
  }

  @discardableResult
  private func done(_ arguments: String..., context: String = "") throws -> String {
    try done(arguments, context: context)
  }

  @discardableResult
  private func done(_ arguments: [String], context: String = "") throws -> String {
    let run = try Program.run(arguments, in: folder.path)
    try #require(run.status == 0, "\(arguments) \(run.errors)\n\(context)")
    return run.output
  }

  private func reset(_ name: String) throws {
    let run = try Program.shell(
      #"rm -rf "$1" && cp -a "start-$1" "$1""#, [name], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  /// Hits each call that changes the disk: the first, the second, the fourth … or each.
  private func forEachInjection(
    of arguments: [String], _ effects: [Injection.Effect], resetting name: String,
    _ body: (_ context: String) throws -> Void
  ) throws {
    try reset(name)
    let (calls, program) = try Tracer.calls(of: arguments, in: folder)
    try #require(program.status == 0, "\(program.errors)")
    var hits = 0
    for effect in effects {
      for call in calls {
        var number = 1
        while true {
          let injection = Injection(call: call, number: number, effect: effect)
          try reset(name)
          let run = try Tracer.run(arguments, injection, in: folder)
          guard let hit = run.hit else { break }
          hits += 1
          if case .error = effect {
            // One failure is said, or harms nothing; there is no trap.
            #expect([0, 1].contains(run.program.status), "\(hit) \(run.program.errors)")
          }
          try body("\(injection.testDescription): \(hit)\n\(run.program.errors)")
          number += Thoroughness.isExhaustive ? 1 : number
        }
      }
    }
    #expect(hits >= calls.count, "\(calls)")
  }

  @Test func aDeviceKeepsAModelWhateverFails() throws {
    try done(publishing("out-1.1.0"))
    try forEachInjection(
      of: ["client", "update", "phone", "--jobs", "1"], [.kill, Self.full, Self.damaged],
      resetting: "phone"
    ) { context in
      let kept = try done("client", "confirm", "phone", context: context)
      #expect(kept.contains("self-tests passed"), "\(kept) \(context)")
      try done("client", "update", "phone", context: context)
      let next = try done("client", "confirm", "phone", context: context)
      #expect(next.hasPrefix("in use: 1.1.0\n"), "\(next) \(context)")
    }
  }

  @Test func aTrialEndsWithAModelWhateverFails() throws {
    try done(publishing("out-1.1.0"))
    try reset("phone")
    try done("client", "update", "phone")
    for name in ["start-phone"] {
      try FileManager.default.removeItem(atPath: folder.path(name))
      try FileManager.default.moveItem(atPath: folder.path("phone"), toPath: folder.path(name))
    }
    try forEachInjection(
      of: ["client", "confirm", "phone", "--jobs", "1"], [.kill, Self.full], resetting: "phone"
    ) { context in
      // The trial went well, or the version before is there.
      let kept = try done("client", "confirm", "phone", context: context)
      #expect(kept.contains("self-tests passed"), "\(kept) \(context)")
    }
  }

  @Test func aRepositoryNeverShowsAFileThatIsNotThere() throws {
    try forEachInjection(
      of: publishing("out-1.1.0"), [.kill, Self.full], resetting: "repository"
    ) { context in
      try device("fresh")
      try done("client", "update", "fresh", context: context)
      let first = try done("client", "confirm", "fresh", context: context)
      #expect(first.contains("self-tests passed"), "\(first) \(context)")
      try done(publishing("out-1.1.0"), context: context)
      let left = try folder.files().filter {
        $0.hasPrefix("repository/") && $0.contains("/.ingot-")
      }
      #expect(left == [], "\(context)")
      try done("client", "update", "fresh", context: context)
      let next = try done("client", "confirm", "fresh", context: context)
      #expect(next.hasPrefix("in use: 1.1.0\n"), "\(next) \(context)")
    }
  }
}
