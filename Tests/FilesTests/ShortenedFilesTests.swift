import Glibc
import TestSupport
import Testing

@testable import Files

/// Files that are shortened while they are mapped, each in a process of its own.
struct ShortenedFilesTests {
  /// A file of three pages.
  private static func file(in folder: String) throws -> MappedFile {
    let path = Folder.join(folder, "x")
    try AtomicFile.write([UInt8](repeating: 7, count: 12_288), to: path)
    return try MappedFile(path: path)
  }

  private static func byte(_ offset: Int, of file: MappedFile) -> UInt8 {
    file.withBytes(in: offset..<offset + 1) { bytes in bytes.withUnsafeBytes { $0[0] } }
  }

  /// The process's stderr, as text.
  private static func errors(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  /// One line, status 1, and no unfinished file is left.
  @Test func readingPastTheEnd() async throws {
    let scratch = try TemporaryFolder()
    let result = await #expect(
      processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
    ) { [folder = scratch.path as String] in
      ShortenedFiles.watch { System.write("said: \($0)\n", to: 2) }
      let file = try ShortenedFilesTests.file(in: folder)
      var output = try AtomicFile(path: Folder.join(folder, "out"))
      try output.write([1, 2, 3])
      let staged = try AtomicFolder(path: Folder.join(folder, "package"))
      try staged.write([1], to: "a/b")
      truncate(file.path, 100)
      print(ShortenedFilesTests.byte(8000, of: file))
      try staged.commit()
      try output.commit()
    }
    #expect(
      Self.errors(result) == "said: \(scratch.path("x")): was shortened from 12288 to 100 bytes "
        + "while it was read; start again once the file is whole\n")
    #expect(try Folder.names(in: scratch.path) == ["x"])
  }

  /// The kernel, which reads for us when bytes are written to a file, only says that it cannot.
  @Test func writingWhatIsMapped() async throws {
    let scratch = try TemporaryFolder()
    let result = await #expect(
      processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
    ) { [folder = scratch.path as String] in
      ShortenedFiles.watch { System.write("said: \($0)\n", to: 2) }
      let file = try ShortenedFilesTests.file(in: folder)
      truncate(file.path, 0)
      var output = try AtomicFile(path: Folder.join(folder, "out"))
      try file.withBytes { bytes throws(FileError) in try output.write(bytes) }
      try output.commit()
    }
    #expect(Self.errors(result).hasPrefix("said: \(scratch.path("x")): was shortened from 12288"))
    #expect(try Folder.names(in: scratch.path) == ["x"])
  }

  /// Up to the end of a page there are zeros where the file ends, and no error: nothing gets a name.
  @Test func zerosBehindTheEnd() async throws {
    let scratch = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [folder = scratch.path as String] in
      ShortenedFiles.watch { _ in }
      let path = Folder.join(folder, "x")
      do {
        let file = try ShortenedFilesTests.file(in: folder)
        truncate(path, 100)
        try #require(ShortenedFilesTests.byte(200, of: file) == 0)
        try #require(ShortenedFiles.first != nil)
      }
      // Still known when nobody has the file any more, and whatever became of it.
      unlink(path)
      let expected = FileError.shortened(path: path, was: 12_288, now: 100)
      #expect(throws: expected) { try AtomicFile.write([1], to: Folder.join(folder, "out")) }
      #expect(throws: expected) {
        try AtomicFolder(path: Folder.join(folder, "package")).commit()
      }
    }
    #expect(try Folder.names(in: scratch.path) == [])
  }

  /// A file that is replaced by renaming, or that grows, is as whole as before.
  @Test func otherChanges() async throws {
    await #expect(processExitsWith: .success) {
      let scratch = try TemporaryFolder()
      ShortenedFiles.watch { _ in }
      let file = try ShortenedFilesTests.file(in: scratch.path)
      try AtomicFile.write([1], to: file.path)
      let other = try MappedFile(path: file.path)
      truncate(file.path, 5000)
      try ShortenedFiles.requireNone()
      try #require(ShortenedFilesTests.byte(12_287, of: file) == 7)
      try #require(ShortenedFilesTests.byte(0, of: other) == 1)
    }
  }

  /// Whoever does not ask for it, such as an app, is left alone.
  @Test func nobodyWatches() async throws {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      let scratch = try TemporaryFolder()
      let file = try ShortenedFilesTests.file(in: scratch.path)
      truncate(file.path, 0)
      print(ShortenedFilesTests.byte(0, of: file))
    }
  }

  /// A bus error that no mapped file causes ends the process as it always did.
  @Test func anotherBusError() async throws {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      let scratch = try TemporaryFolder()
      ShortenedFiles.watch { _ in }
      _ = try ShortenedFilesTests.file(in: scratch.path)
      raise(SIGBUS)
    }
  }
}
