import Files
import Packaging
import Signatures
import StrictJSON
import Weights

/// The lines of an index in its file; at most one is in memory, however large the file.
struct IndexLines {
  /// Longest line, in bytes: of each model that a line names, the package's manifest says more.
  static let lineLimit = Manifest.sizeLimit

  private static let newline = UInt8(ascii: "\n")
  /// So many bytes are read before the memory behind them is given back.
  private static let pieceByteCount = 1 << 20

  private let file: MappedFile

  /// - Parameter limit: largest file, in bytes.
  /// - Throws: `FileError` when it cannot be read, or is larger.
  init(path: String, limit: Int) throws(FileError) {
    file = try MappedFile(path: path)
    guard file.byteCount <= limit else {
      throw .tooLarge(path: path, bytes: file.byteCount, limit: limit)
    }
  }

  /// Lends each line without its newline, and its number from 1, until `body` throws.
  ///
  /// - Throws: `JSONError` for a line that is too long or has no end.
  func forEach(_ body: (_ line: [UInt8], _ number: Int) throws -> Void) throws {
    var (number, start, kept) = (0, 0, 0)
    while start < file.byteCount {
      number += 1
      let line = try line(at: start, number)
      try body(line, number)
      start += line.count + 1
      guard start - kept >= Self.pieceByteCount else { continue }
      file.letGo(of: kept..<start)
      kept = start
    }
  }

  private func line(at start: Int, _ number: Int) throws(JSONError) -> [UInt8] {
    let range = start..<min(start + Self.lineLimit + 1, file.byteCount)
    if let line = file.withBytes(in: range, { $0.array(before: Self.newline) }) { return line }
    throw fault(
      range.count > Self.lineLimit
        ? "the line goes on beyond \(Self.lineLimit) bytes, the limit of a line"
        : "the line is cut short", line: number)
  }

  /// The error for a line, with the way out.
  func fault(_ words: String, line: Int) -> JSONError {
    JSONError(
      origin: file.path, position: JSONPosition(line: line, column: 1),
      fault: "\(words); bring the file back from a backup, or remove it \(afterwards)")
  }

  /// The step after removing the file: a signed list says what the index held.
  private var afterwards: String {
    let signature = ReleaseSums.fileName + SSHSignature.suffix
    return Folder.kind(of: Folder.join(Folder.parent(of: file.path), signature)) == .missing
      ? "to have it made anew" : "and build again, which says what a signed folder needs then"
  }
}

/// Asks for the memory that the lines of an index take before they are read, some megabytes of them
/// at a time, so that what lines there are counts and not how large the file is.
struct IndexMemory {
  /// Bytes of memory for each byte of lines; measured 2 to 3 that stay, and 14 of the longest line
  /// while it is read.
  private static let perByte = 8
  /// So many bytes of lines are asked for at once; as many go without asking.
  private static let step = 16 << 20

  private let path: String
  private var byteCount = 0
  private var granted = IndexMemory.step

  /// - Parameter path: the index, for messages.
  init(path: String) { self.path = path }

  /// Makes sure that there is memory for one more line.
  ///
  /// - Throws: `FileError.noMemory`.
  mutating func require(for line: [UInt8]) throws(FileError) {
    byteCount += line.count
    guard byteCount > granted else { return }
    granted += Self.step
    try Memory.require(Self.perByte * Self.step, for: "reading its lines", of: path)
  }
}
