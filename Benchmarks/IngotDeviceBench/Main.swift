// What a device does, for measuring: makes a file of an older one and a delta, and updates from a repository.
//
//   ingot-device-bench make OLD NEW DELTA       writes what makes NEW of OLD
//   ingot-device-bench apply DELTA OLD NEW      does what a device does
//   ingot-device-bench update URL APP BUNDLE SDK ROOT FOLDER
import Deltas
import Files
import Foundation
import IngotClient
import IngotURLSession
import Updates

@main
struct Main {
  /// Takes every model: what is measured is the way here.
  struct NoCheck: ModelCheck {
    func check(_ folder: String) {}
  }

  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch (words.first, words.count) {
    case ("make", 4): try make(words[1], words[2], words[3])
    case ("apply", 4): try apply(words[1], words[2], words[3])
    case ("update", 7): try await update(Array(words.dropFirst()))
    default: exit(64)
    }
  }

  private static func make(_ oldPath: String, _ newPath: String, _ delta: String) throws {
    let (old, new) = (try MappedFile(path: oldPath), try MappedFile(path: newPath))
    var file = try AtomicFile(path: delta)
    try DeltaWriter(of: new, FileIdentity(of: new), workers: 2)
      .write(from: old, FileIdentity(of: old), to: &file)
    try file.commit()
  }

  private static func apply(_ path: String, _ oldPath: String, _ newPath: String) throws {
    let delta = try MappedFile(path: path)
    let expected = try DeltaHeader(delta.start(96), origin: path).new
    var file = try AtomicFile(path: newPath)
    try DeltaReader(delta, old: try MappedFile(path: oldPath), expected: expected)
      .apply { try file.write($0) }
    try file.commit()
  }

  private static func update(_ words: [String]) async throws {
    let root = try Data(contentsOf: URL(fileURLWithPath: words[4]))
    let client = try UpdateClient(
      UpdateClient.Configuration(
        appID: words[1], bundleIdentifier: words[2], sdkVersion: words[3], installID: "bench",
        folder: words[5], root: [UInt8](root)),
      transport: URLSessionTransport(base: words[0]), check: NoCheck())
    print(try await client.update())
  }
}
