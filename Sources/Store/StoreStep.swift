/// How far looking after a store is.
package enum StoreStep: Equatable, Sendable {
  case readingResults(Int, of: Int)
  /// Bytes of blobs.
  case hashing(Int, of: Int)
  /// Files.
  case removing(Int, of: Int)
}
