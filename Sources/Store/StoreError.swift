/// Why a store cannot be used.
package enum StoreError: Error, Equatable, CustomStringConvertible {
  /// Another process uses the store, so nothing may be removed from it.
  case inUse(folder: String)
  /// A result names a blob that was not inserted before.
  case missingBlob(path: String, output: String)
  /// A blob does not match its digest.
  case corruptBlob(path: String, found: String)
  /// The address of a remote store cannot be used.
  case badAddress(String, reason: String)

  package var description: String {
    switch self {
    case .inUse(let folder): "\(folder): the store is in use by another process"
    case .missingBlob(let path, let output):
      "\(path): is not there, but a result names it as '\(output)'"
    case .corruptBlob(let path, let found): "\(path): is corrupt: its content has SHA-256 \(found)"
    case .badAddress(let address, let reason): "\(address): cannot be a remote store: \(reason)"
    }
  }
}
