/// One file of the project that `ingot init` writes.
struct StarterFile {
  enum Content {
    case text(String)
    /// A matrix [rows, columns], row-major, as npy.
    case matrix([Float], rows: Int, columns: Int)
    /// As npy.
    case vector([Float])
  }

  /// Relative to the project's folder.
  let path: String
  let content: Content
}
