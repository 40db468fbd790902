import Files

/// How much fits on the disk of a folder, as an app knows it; tests bring their own.
public struct FreeSpace: Sendable {
  /// Bytes that may still be written where a folder is; nil where the file system does not say.
  public let byteCount: @Sendable (_ folder: String) -> Int?

  /// Space that this tells.
  public init(byteCount: @escaping @Sendable (_ folder: String) -> Int?) {
    self.byteCount = byteCount
  }

  /// The device's.
  public static let system = FreeSpace { Machine.freeByteCount(at: $0) }
}
