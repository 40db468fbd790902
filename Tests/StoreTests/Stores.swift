import Files
import StrictJSON
import TestSupport
import Weights

@testable import Store

/// A store in a folder of its own, and what it warned of.
final class TestStore: Sendable {
  let scratch: TemporaryFolder
  let store: ContentStore
  private let heard: Warnings

  var warnings: [String] { heard.all }

  /// - Parameter room: bytes that the remote store may fill before they are of use.
  init(remote: RemoteStore? = nil, room: Int? = nil) throws {
    let scratch = try TemporaryFolder()
    let heard = Warnings()
    store = try ContentStore(folder: scratch.path("store"), remote: remote, room: room) {
      heard.add($0)
    }
    self.scratch = scratch
    self.heard = heard
  }

  /// Every file of the store but its lock, by its path inside.
  func files() throws -> [String] {
    try TemporaryFolder.files(below: store.folder).filter { $0 != ".lock" }
  }

  /// Inserts texts by path and records them as one result.
  @discardableResult
  func record(
    _ key: ActionKey, _ texts: KeyValuePairs<String, String>, exitCode: Int = 0
  ) throws -> ActionResult {
    let outputs = try texts.map { path, text in
      let blob = try store.insert(Array(text.utf8))
      return ActionResult.Output(path: path, digest: blob.digest, byteCount: blob.byteCount)
    }
    let result = ActionResult(outputs: outputs, exitCode: exitCode)
    try store.record(result, for: key)
    return result
  }

  /// Replaces the bytes of a file in the store.
  func damage(_ path: String, _ bytes: [UInt8]) throws { try AtomicFile.write(bytes, to: path) }
}

extension Patience {
  /// Waits for whatever comes, however slow the machine is.
  static let endless = Patience(
    connectMilliseconds: 3_600_000, slowSeconds: 3600, objectMilliseconds: 3_600_000,
    longestMilliseconds: 3_600_000)
}

extension RemoteStore {
  /// A remote store for which no time passes: it waits for whatever comes, and finds nothing late.
  static func patient(_ address: String) throws -> RemoteStore {
    try RemoteStore(address: address, patience: .endless) { 0 }
  }
}

extension ActionKey {
  /// A key made of a word.
  static func named(_ name: String) -> ActionKey { ActionKey(["name": .string(name)]) }
}

extension ContentDigest {
  init(ofText text: String) { self.init(of: Array(text.utf8)) }
}
