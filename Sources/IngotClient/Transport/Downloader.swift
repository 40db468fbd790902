import Deltas
import Files
import Offers

/// Downloads files of a repository, and goes on where an earlier run ended.
struct Downloader: Sendable {
  /// What a transfer must keep to.
  struct Pace: Sendable {
    /// Seconds that the pace is measured over.
    var windowSeconds = 30.0
    /// The least bytes in a second of them.
    var minimumRate = 1_000.0
    /// Transfers that may end early, one after the other, before the download fails.
    var mostTransfers = 4
  }

  let transport: any Transport
  let clock: UpdateClock
  /// Where parts of files are kept.
  let folder: String
  var pace = Pace()

  /// A small file as it is now, which nothing vouches for yet.
  ///
  /// - Parameter path: quoted as in a URL.
  /// - Returns: nil where the repository has no such file.
  func bytes(_ path: String, limit: Int) async throws -> [UInt8]? {
    let state = Mutex<(bytes: [UInt8], isMissing: Bool)>(([], false))
    let watch = PaceWatch(path, pace, clock)
    try await transport.fetch(TransportRequest(path: path)) { event in
      switch event {
      case .found: break
      case .missing: state.withLock { $0.isMissing = true }
      case .refused(let status): throw UpdateError.status(path: path, status: status)
      case .bytes(let more):
        try watch.take(more.count)
        try state.withLock { state in
          guard state.bytes.count + more.count <= limit else {
            throw UpdateError.long(path: path, limit: limit)
          }
          state.bytes += more
        }
      }
    }
    return state.withLock { $0.isMissing ? nil : $0.bytes }
  }

  /// A file that signed data name.
  ///
  /// - Parameter progress: told how many bytes are here.
  /// - Returns: the path of the file on this device, to be deleted by the caller.
  func file(
    _ path: String, _ blob: VersionPack.Blob,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> String {
    let place = place(of: blob)
    // What has a name of the client's, and is no file, would keep it waiting.
    for path in [place, validatorPath(place)]
    where ![.file, .missing].contains(Folder.kind(of: path)) {
      try Folder.remove(path)
    }
    let part = try PartialFile(path: place)
    let kept = try part.byteCount()
    if try part.byteCount() > blob.length { try part.clear() }
    var transfers = 0
    while try part.byteCount() < blob.length || transfers == 0 && blob.length == 0 {
      guard transfers < pace.mostTransfers else {
        throw UpdateError.other(
          path: path, found: "\(try part.byteCount()) bytes, and then nothing",
          expected: "\(blob.length) bytes")
      }
      transfers += 1
      do {
        try await transfer(path, blob, part, progress)
      } catch UpdateError.unreachable(let path, let reason) {
        guard transfers < pace.mostTransfers else {
          throw UpdateError.unreachable(path: path, reason: reason)
        }
      }
    }
    progress(blob.length)
    let found = FileIdentity(of: try MappedFile(path: place))
    guard found.hex == blob.sha256 else {
      try discard(place)
      // Parts are not made durable, as versions are: what an earlier run left may have lost its bytes.
      if kept > 0 { return try await file(path, blob, progress: progress) }
      throw UpdateError.other(
        path: path, found: "\(found)", expected: "\(blob.length) bytes, sha256 \(blob.sha256)")
    }
    return place
  }

  private func place(of blob: VersionPack.Blob) -> String {
    Folder.join(folder, "\(blob.sha256).part")
  }

  /// Whether a name in the folder is one that a download gives.
  static func isOwn(_ name: String) -> Bool {
    name.hasPrefix(AtomicFile.temporaryPrefix)
      || name.utf8.prefix { $0 != UInt8(ascii: ".") }.count == 64 && name.contains(".part")
        && name.utf8.prefix(64).allSatisfy(HexText.isLowerCase)
  }

  /// Bytes of a file that an earlier run downloaded.
  func keptByteCount(of blob: VersionPack.Blob) -> Int {
    FileStatus(of: place(of: blob))?.byteCount ?? 0
  }

  /// One transfer of what is missing of a file.
  private func transfer(
    _ path: String, _ blob: VersionPack.Blob, _ part: PartialFile,
    _ progress: @escaping @Sendable (Int) -> Void
  ) async throws {
    let validatorPath = validatorPath(part.path)
    var offset = try part.byteCount()
    var validator: String?
    if offset > 0 {
      validator = (try? MappedFile.contents(of: validatorPath, limit: 1_000))
        .map { String(decoding: $0, as: UTF8.self) }
      if validator == nil {
        try part.clear()
        offset = 0
      }
    }
    let (asked, watch) = (offset, PaceWatch(path, pace, clock))
    try await transport.fetch(TransportRequest(path: path, offset: asked, validator: validator)) {
      event in
      switch event {
      case .found(let offset, let validator):
        guard offset == 0 || offset == asked else {
          throw UpdateError.other(
            path: path, found: "bytes from \(offset) on", expected: "bytes from \(asked) on")
        }
        if offset == 0 {
          try part.clear()
          try Self.keep(validator, at: validatorPath)
        }
      case .missing: throw UpdateError.missing(path: path)
      case .refused(let status): throw UpdateError.status(path: path, status: status)
      case .bytes(let bytes):
        try watch.take(bytes.count)
        guard try part.byteCount() + bytes.count <= blob.length else {
          try part.clear()
          throw UpdateError.long(path: path, limit: blob.length)
        }
        try part.write(bytes)
        progress(try part.byteCount())
      }
    }
  }

  private static func keep(_ validator: String?, at path: String) throws {
    if let validator, !validator.isEmpty, validator.utf8.count <= 1_000 {
      try AtomicFile.write(Array(validator.utf8), to: path)
    } else if Folder.kind(of: path) == .file {
      try Folder.removeFile(path)
    }
  }

  private func validatorPath(_ place: String) -> String { place + ".etag" }

  /// Forgets a part of a file, and what it was the beginning of.
  func discard(_ place: String) throws {
    for path in [place, validatorPath(place)] where Folder.kind(of: path) == .file {
      try Folder.removeFile(path)
    }
  }
}

/// Ends a transfer that comes too slowly, in any of its windows.
private final class PaceWatch: Sendable {
  private let path: String
  private let pace: Downloader.Pace
  private let clock: UpdateClock
  private let window: Mutex<(start: Double, bytes: Int)>

  init(_ path: String, _ pace: Downloader.Pace, _ clock: UpdateClock) {
    (self.path, self.pace, self.clock) = (path, pace, clock)
    window = Mutex((clock.steady(), 0))
  }

  func take(_ count: Int) throws {
    let now = clock.steady()
    try window.withLock { window in
      window.bytes += count
      let seconds = now - window.start
      guard seconds > pace.windowSeconds else { return }
      guard Double(window.bytes) >= pace.minimumRate * seconds else {
        throw UpdateError.slow(path: path, bytes: window.bytes, seconds: Int(seconds))
      }
      window = (now, 0)
    }
  }
}
