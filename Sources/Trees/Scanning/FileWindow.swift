import Files

/// A stretch of a mapped file in memory, moved forward as the file is read.
///
/// A byte 0 follows the stretch, which is part of no token, so that loops over a token need not ask
/// for its end.
struct FileWindow {
  /// Bytes of the stretch.
  private static let byteCount = 1 << 18
  /// Bytes of the file after which the memory behind is let go.
  private static let kept = 1 << 22

  private let file: MappedFile
  /// The stretch, and the byte 0 at `end`.
  private(set) var bytes: [UInt8]
  /// The byte that comes next, `0...end`.
  var place = 0
  /// The end of the stretch in `bytes`.
  private(set) var end = 0
  /// Where in the file the stretch begins.
  private(set) var start = 0
  private var released = 0

  init(_ file: MappedFile) {
    self.file = file
    bytes = [UInt8](repeating: 0, count: min(Self.byteCount, file.byteCount) + 1)
    fill()
  }

  var path: String { file.path }
  /// Bytes of the file before the one that comes next.
  var offset: Int { start + place }
  /// Bytes of the file from the one that comes next on.
  var remaining: Int { file.byteCount - offset }
  /// Whether the stretch ends where the file does.
  var isLast: Bool { start + end == file.byteCount }

  /// The byte that comes next; nil at the end of the file.
  var next: UInt8? {
    mutating get {
      if place == end { fill() }
      return place < end ? bytes[place] : nil
    }
  }

  /// Brings as many bytes into the stretch, from the one that comes next on, or all that are left.
  ///
  /// - Parameter count: at most 2048.
  mutating func ensure(_ count: Int) {
    if end - place < count, !isLast { fill() }
  }

  /// Moves the stretch so that it begins with the byte that comes next.
  mutating func fill() {
    start += place
    place = 0
    let range = start..<min(start + bytes.count - 1, file.byteCount)
    file.withBytes(in: range) { source in
      unsafe bytes.withUnsafeMutableBytes { target in
        unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
      }
    }
    end = range.count
    bytes[end] = 0
    if start - released >= Self.kept || isLast { release(to: range.upperBound) }
  }

  /// Steps over bytes, at most `remaining`.
  mutating func skip(_ count: Int) {
    place += count
    if place > end { fill() }
  }

  private mutating func release(to offset: Int) {
    file.letGo(of: released..<offset)
    released = offset
  }
}
