import StrictJSON
package import WeightCompression
package import Weights

/// A compressed model as it lies on disk, read back after it was written.
package struct EmittedModel: Sendable {
  /// One file of it.
  package struct File: Equatable, Sendable {
    /// Path inside the model's folder; empty where the model is a single file.
    package let path: String
    package let byteCount: Int
    package let digest: ContentDigest

    package init(path: String, byteCount: Int, digest: ContentDigest) {
      self.path = path
      self.byteCount = byteCount
      self.digest = digest
    }
  }

  /// Where the file or folder lies.
  package let path: String
  /// The format's name: `safetensors` or `mlpackage`.
  package let format: String
  /// What a receipt names it by: SHA-256 of a single file's bytes, `CoreMLDigest` of a package.
  package let digest: ContentDigest
  /// Every file, in the order of their paths.
  package let files: [File]
  /// What was written of each weight, in the graph's order of use; empty of a model that was kept.
  package let tensors: [TensorRecord]
  /// Bytes of the numbers of each weight as stored, in the same order.
  package let weightBytes: [Int]
  /// Files that the model needs and its format does not hold (`tokenizer.json`), by path.
  package let companions: [String: [UInt8]]

  package init(
    path: String, format: String, digest: ContentDigest, files: [File],
    tensors: [TensorRecord] = [], weightBytes: [Int] = [], companions: [String: [UInt8]] = [:]
  ) {
    self.path = path
    self.format = format
    self.digest = digest
    self.files = files
    self.tensors = tensors
    self.weightBytes = weightBytes
    self.companions = companions
  }

  /// Size of all files.
  package var byteCount: Int { files.reduce(0) { $0 + $1.byteCount } }
}

/// Why a compressed model could not be written or read.
package enum EmissionError: Error, Equatable, CustomStringConvertible {
  /// The file is not what its own metadata says.
  case malformed(path: String, fault: String)
  /// The file was written by a newer Ingot.
  case newerFormat(path: String, found: String, known: String)
  /// A tensor of the model has a name that the format needs for something else.
  case reservedName(origin: String, name: String)
  /// A model that no describing files say how to build, but only its own program.
  case programOnly(origin: String)
  /// What was judged is not what lies there now.
  case changedMeanwhile(path: String)
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
    case .changedMeanwhile(let path):
      "\(path): was changed by something else while it was judged; nothing was written"
    case .programOnly(let origin):
      "\(origin): is a program, which a safetensors file cannot hold; write an mlpackage"
    case .readBackDiffers(let path, let tensor):
      "\(path): tensor '\(tensor)' reads back with other values than were written"
    }
  }
}
