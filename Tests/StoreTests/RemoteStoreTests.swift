import Files
import Foundation
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Store

@Suite(.enabled(if: Nginx.program != nil, "nginx is not installed"))
struct RemoteStoreTests {
  let server: Nginx

  init() throws { server = try Nginx() }

  func store() throws -> TestStore {
    try TestStore(remote: .patient(server.address))
  }

  func path(_ text: String) -> String { "cas/\(ContentDigest(ofText: text))" }

  private func put(_ text: String, at path: String) throws {
    try AtomicFile.write(Array(text.utf8), to: Folder.join(server.root, path))
  }

  @Test func oneMachineFindsWhatAnotherMade() throws {
    let first = try store()
    #expect(first.store.result(for: .named("a")) == nil)
    let made = try first.record(
      .named("a"), ["model": "weights", "receipt": "ok", "empty": ""], exitCode: 3)
    let second = try store()
    #expect(second.store.result(for: .named("a")) == made)
    #expect(try second.files() == first.files())
    server.stop()
    #expect(second.store.result(for: .named("a")) == made)
    #expect(first.warnings == [] && second.warnings == [])
  }

  @Test func asksOnceAndGivesOnce() throws {
    let first = try store()
    try first.record(.named("a"), ["model": "weights"])
    try first.record(.named("b"), ["model": "weights"])
    let second = try store()
    _ = second.store.result(for: .named("a"))
    _ = second.store.result(for: .named("b"))
    _ = second.store.result(for: .named("a"))
    let (a, b) = ("/ac/\(ActionKey.named("a"))", "/ac/\(ActionKey.named("b"))")
    let blob = "/" + path("weights")
    #expect(
      try server.requests() == [
        "PUT \(blob) 201", "PUT \(a) 201", "PUT \(b) 201", "GET \(a) 200", "GET \(blob) 200",
        "GET \(b) 200",
      ])
  }

  @Test(arguments: [0, 1, 5_000_000]) func carriesBlobsOfAnySize(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let first = try store()
    let blob = try first.store.insert(bytes)
    let output = ActionResult.Output(path: "m", digest: blob.digest, byteCount: blob.byteCount)
    try first.store.record(ActionResult(outputs: [output], exitCode: 0), for: .named("a"))
    let second = try store()
    let result = try #require(second.store.result(for: .named("a")))
    #expect(try second.store.bytes(of: result.outputs[0], limit: count) == bytes)
    #expect(second.warnings == [])
  }

  struct Replaced: CustomTestStringConvertible {
    let name: String
    let text: String
    let problem: String
    var testDescription: String { name }
  }

  static let weights = "7 bytes with SHA-256 \(ContentDigest(ofText: "weights"))"

  static let replaced = [
    Replaced(
      name: "same size", text: "WEIGHTS",
      problem: "has 7 bytes with SHA-256 \(ContentDigest(ofText: "WEIGHTS")), expected "
        + weights),
    Replaced(name: "truncated", text: "weigh", problem: "announces 5 bytes, expected 7"),
    Replaced(name: "empty", text: "", problem: "announces 0 bytes, expected 7"),
    Replaced(name: "longer", text: "weights!", problem: "announces 8 bytes, expected 7"),
  ]

  /// nginx keeps any body under any name, so every one is hashed.
  @Test(arguments: replaced) func aWrongBodyIsRebuiltAndPutAgain(_ body: Replaced) throws {
    let made = try store().record(.named("a"), ["model": "weights"])
    try put(body.text, at: path("weights"))
    let second = try store()
    #expect(second.store.result(for: .named("a")) == nil)
    #expect(
      second.warnings == [
        "\(server.address)/\(path("weights")): is corrupt and not used: \(body.problem)"
      ])
    #expect(try second.files() == [])
    try second.record(.named("a"), ["model": "weights"])
    let third = try store()
    #expect(third.store.result(for: .named("a")) == made)
    #expect(third.warnings == [])
  }

  @Test func aCorruptBlobHereIsReplacedFromThere() throws {
    let first = try store()
    let made = try first.record(.named("a"), ["model": "weights"])
    try first.damage(first.store.path(of: made.outputs[0].digest), Array("WEIGHTS".utf8))
    #expect(first.store.result(for: .named("a")) == made)
    #expect(first.warnings.count == 1)
    #expect(first.store.result(for: .named("a")) == made)
    #expect(first.warnings.count == 1)
  }

  @Test func aBlobTheServerForgotIsAMiss() throws {
    try store().record(.named("a"), ["model": "weights"])
    try Folder.remove(Folder.join(server.root, path("weights")))
    let second = try store()
    #expect(second.store.result(for: .named("a")) == nil)
    #expect(second.warnings == [])
  }

  @Test func aResultThatIsNoneIsRebuiltAndPutAgain() throws {
    let made = try store().record(.named("a"), ["model": "weights"])
    let entry = "ac/\(ActionKey.named("a"))"
    let problems = [
      "<html>": "is no ActionResult message",
      "": "does not carry the seal of its key and content",
      String(repeating: "a", count: 1 << 20 + 1):
        "announces 1048577 bytes, expected at most 1048576",
    ]
    for (text, problem) in problems {
      try put(text, at: entry)
      let second = try store()
      #expect(second.store.result(for: .named("a")) == nil)
      #expect(
        second.warnings == [
          "\(server.address)/\(entry): is corrupt and not used: \(problem)"
        ])
      try second.record(.named("a"), ["model": "weights"])
      let third = try store()
      #expect(third.store.result(for: .named("a")) == made)
    }
  }

  @Test func aResultOfAnotherKeyIsNotTaken() throws {
    try store().record(.named("a"), ["model": "weights"])
    let entries = Folder.join(server.root, "ac")
    let bytes = try MappedFile.contents(
      of: Folder.join(entries, "\(ActionKey.named("a"))"), limit: 1 << 20)
    try AtomicFile.write(bytes, to: Folder.join(entries, "\(ActionKey.named("b"))"))
    let second = try store()
    #expect(second.store.result(for: .named("b")) == nil)
    #expect(second.warnings.count == 1)
  }

  @Test func aServerThatTakesNothingIsGivenUp() throws {
    let server = try Nginx(rules: "limit_except GET HEAD { deny all; }")
    let test = try TestStore(remote: .patient(server.address))
    for name in ["a", "b", "c", "d"] {
      #expect(test.store.result(for: .named(name)) == nil)
      try test.record(.named(name), ["own": name])
    }
    let refused = ["a", "b", "c"].map { name in
      "\(server.address)/\(path(name)): the remote store answers 403"
    }
    #expect(
      test.warnings == refused + [
        "\(server.address): failed 3 times in a row and is not given blobs again"
      ])
    #expect(try server.requests().filter { $0.hasPrefix("PUT") }.count == 3)
    // Asking goes on.
    #expect(try server.requests().filter { $0.hasPrefix("GET /ac") }.count == 4)
  }

  @Test func aServerThatIsGoneIsGivenUp() throws {
    let test = try store()
    server.stop()
    for name in ["a", "b", "c", "d"] { #expect(test.store.result(for: .named(name)) == nil) }
    let failed = ["a", "b", "c"].map { name in
      "\(server.address)/ac/\(ActionKey.named(name)): the remote store fails: "
        + "couldn't connect to server"
    }
    #expect(
      test.warnings == failed + [
        "\(server.address): failed 3 times in a row and is not asked for results again"
      ])
    #expect(throws: Never.self) { try test.record(.named("a"), ["model": "weights"]) }
  }

  @Test func manyThreadsAskAtOnce() async throws {
    let first = try store()
    for index in 0..<24 { try first.record(.named("\(index)"), ["own": "\(index)", "all": "x"]) }
    let second = try store()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for index in 0..<24 { #expect(second.store.result(for: .named("\(index)")) != nil) }
        }
      }
    }
    #expect(second.warnings == [])
    #expect(try second.store.check().faults == [])
  }
}
