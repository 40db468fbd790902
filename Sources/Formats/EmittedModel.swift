import Files
package import Graph
import StrictJSON
package import WeightCompression
package import Weights

/// A compressed model, read back after it was written.
package struct EmittedModel: Equatable, Sendable {
  /// One file of it.
  package struct File: Equatable, Sendable {
    /// Path inside the model's folder; empty if the model is a single file.
    package let path: String
    package let byteCount: Int
    package let digest: ContentDigest

    package init(path: String, byteCount: Int, digest: ContentDigest) {
      self.path = path
      self.byteCount = byteCount
      self.digest = digest
    }

    /// What there is of a model that is a single file: its digest for receipts, and the file.
    static func contents(of file: MappedFile) -> (digest: ContentDigest, files: [File]) {
      let digest = ContentDigest(of: file)
      return (digest, [File(path: "", byteCount: file.byteCount, digest: digest)])
    }
  }

  /// The path of the file or folder; a name for messages where the bytes are held.
  package let path: String
  package let format: ModelFormat
  /// The digest in receipts: SHA-256 of a single file's bytes, of a folder what its
  /// format says.
  package let digest: ContentDigest
  /// Every file, in the order of their paths.
  package let files: [File]
  /// The written form of each weight, in the graph's order of use; empty of a model that was kept.
  package let tensors: [TensorRecord]
  /// Bytes of the numbers of each weight as stored, in the same order.
  package let weightBytes: [Int]
  /// Names of tensors of the source that the model does not use.
  package let unused: [TensorName]
  /// The inputs that its weights were fitted to; nil if there were none.
  package let calibration: CalibrationRecord?
  /// Files that the model needs and its format does not hold (`tokenizer.json`), by path.
  package let companions: [String: [UInt8]]
  /// The bytes of a single file that is in memory alone; nil of what is on disk.
  package internal(set) var held: [UInt8]?

  package init(
    path: String, format: ModelFormat, digest: ContentDigest, files: [File],
    tensors: [TensorRecord] = [], weightBytes: [Int] = [], unused: [TensorName] = [],
    calibration: CalibrationRecord? = nil, companions: [String: [UInt8]] = [:]
  ) {
    self.path = path
    self.format = format
    self.digest = digest
    self.files = files
    self.tensors = tensors
    self.weightBytes = weightBytes
    self.unused = unused
    self.calibration = calibration
    self.companions = companions
  }

  /// Size of all files.
  package var byteCount: Int { files.reduce(0) { $0 + $1.byteCount } }
}

/// Why a compressed model could not be written or read.
package enum EmissionError: Error, Equatable, CustomStringConvertible {
  /// The file contradicts its own metadata.
  case malformed(path: String, fault: String)
  /// The file was written by a newer Ingot.
  case newerFormat(path: String, found: String, known: String)
  /// A tensor of the model has a name that the format needs for something else.
  case reservedName(origin: String, name: TensorName)
  /// A model that no describing files say how to build, but only its own program.
  case programOnly(origin: String, format: ModelFormat)
  /// The files on disk are not the judged ones.
  case changedMeanwhile(path: String)
  /// A receipt is of other bytes than those that wait for it.
  case foreignReceipt(path: String, receipt: ContentDigest, staged: ContentDigest)
  /// A receipt is of the very weights, but other files described them when they were judged.
  case otherDescription(path: String)
  /// A name that no format has.
  case unknownFormat(name: String, known: [String])
  /// The values read back differ from the written ones.
  case readBackDiffers(path: String, tensor: TensorName)

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
    case .foreignReceipt(let path, let receipt, let staged):
      "\(path): the receipt is of \(receipt), the model that was written is \(staged); "
        + "nothing was written"
    case .otherDescription(let path):
      "\(path): the receipt is of a model that other files describe; nothing was written"
    case .unknownFormat(let name, let known):
      "\(quoted(name)) is not a format; known: \(known.joined(separator: ", "))"
    case .programOnly(let origin, let format):
      "\(origin): is a program, which \(format.type.phrase) cannot hold; write "
        + ModelFormat.ofPrograms.map { $0.type.phrase }.joined(separator: " or ")
    case .readBackDiffers(let path, let tensor):
      "\(path): tensor '\(tensor)' reads back with other values than were written"
    }
  }
}
