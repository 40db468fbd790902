import StrictJSON
package import Weights

/// A compressed model as it lies on disk, read back after it was written.
package struct EmittedModel: Sendable {
  /// Where the file lies.
  package let path: String
  /// The format's name: `safetensors`.
  package let format: String
  /// SHA-256 of the file's bytes.
  package let digest: ContentDigest
  /// Size of the file.
  package let byteCount: Int
}

/// Why a compressed model could not be written or read.
package enum EmissionError: Error, Equatable, CustomStringConvertible {
  /// The file is not what its own metadata says.
  case malformed(path: String, fault: String)
  /// The file was written by a newer Ingot.
  case newerFormat(path: String, found: String, known: String)
  /// A tensor of the model has a name that the format needs for something else.
  case reservedName(origin: String, name: String)
  /// Reading back did not give what was written.
  case readBackDiffers(path: String, tensor: String)

  package var description: String {
    switch self {
    case .malformed(let path, let fault):
      "\(path): is not a sound compressed model: \(fault)"
    case .newerFormat(let path, let found, let known):
      "\(path): has format '\(found)', this version reads '\(known)'; use a newer ingot"
    case .reservedName(let origin, let name):
      "\(origin): the name \(quoted(name)) is needed by the format; rename that tensor"
    case .readBackDiffers(let path, let tensor):
      "\(path): tensor '\(tensor)' reads back with other values than were written"
    }
  }
}
