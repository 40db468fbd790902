/// A file that is written in full and read before it gets its name: beside its place on disk, or in memory
/// alone.
///
/// Thousands of small files that are only copied into an archive are not worth as many names.
package struct StagedFile: ~Copyable {
  /// Where its bytes are.
  package enum Storage: Sendable {
    /// In a sibling of its path, which must have a folder.
    case disk
    /// In memory; its path is a name for messages, and `commit` makes no file.
    case memory
  }

  /// The name it will have.
  package let path: String
  /// Nil in memory.
  private var file: AtomicFile?
  private var held: [UInt8] = []

  package init(path: String, in storage: Storage = .disk) throws(FileError) {
    self.path = path
    file =
      switch storage {
      case .disk: try AtomicFile(path: path)
      case .memory: nil
      }
  }

  /// Bytes written so far.
  package var byteCount: Int {
    switch file {
    case .some(let file): file.byteCount
    case nil: held.count
    }
  }

  /// Appends bytes.
  package mutating func write(_ bytes: [UInt8]) throws(FileError) {
    if try file?.write(bytes) == nil { held += bytes }
  }

  /// Appends zeros until the file has `byteCount` bytes.
  package mutating func extend(to byteCount: Int) throws(FileError) {
    if try file?.extend(to: byteCount) == nil {
      held += repeatElement(0, count: byteCount - held.count)
    }
  }

  /// Replaces bytes written before.
  package mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    if try file?.overwrite(bytes, at: offset) == nil {
      held.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
  }

  /// What was written so far, under the name that the file has until it is committed.
  package borrowing func reading() throws(FileError) -> MappedFile {
    switch file {
    case .some(let file): try MappedFile(path: file.temporaryPath)
    case nil: MappedFile(path: path, copying: held)
    }
  }

  /// Gives the file its name.
  ///
  /// - Parameter isDurable: whether a file on disk must have reached it, as of `AtomicFile.commit`.
  /// - Returns: the bytes of a file in memory; nil of one on disk.
  @discardableResult
  package consuming func commit(isDurable: Bool = true) throws(FileError) -> [UInt8]? {
    guard let file = file.take() else { return held }
    try file.commit(isDurable: isDurable)
    return nil
  }
}
