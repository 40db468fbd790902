package import Graph
package import StrictJSON
package import Weights

/// Why a package could not be written, or why an archive is not the package it claims to be.
package enum PackagingError: Error, Equatable, CustomStringConvertible {
  /// A path that no package may hold.
  case badPath(String, fault: String)
  /// Terms of a package that cannot be written down.
  case badField(field: String, found: String, expected: String)
  /// Two models of one package would have the same path.
  case duplicateModel(name: String)
  /// A receipt was given with a model it does not prove.
  case foreignReceipt(model: String, receipt: ContentDigest, file: ContentDigest)
  /// A receipt was given with another file than the one that prepared inputs when it was written.
  case foreignCompanion(model: String, name: String, receipt: ContentDigest?, file: ContentDigest?)
  /// An encoder was judged together with another one than the package would hold.
  case foreignPartner(
    model: String, encoder: EncoderKind, receipt: ContentDigest?, file: ContentDigest?)
  /// A model's bytes are not those its receipt proves.
  case changedModel(path: String, proven: ContentDigest, found: ContentDigest)
  /// A model's file has another size than when it was written.
  case changedSize(path: String, expected: Int, found: Int)
  /// libarchive or libzstd failed.
  case library(doing: String, reason: String)
  /// A package that no zip archive without Zip64 holds.
  case tooLargeForZip(bytes: Int, entries: Int)
  /// An archive holds a file that its customer is not due.
  case leak(archive: String, path: String, digest: ContentDigest, owner: String?)
  /// An archive names another app than the one it was made for.
  case otherApp(archive: String, found: String, expected: String)
  /// The archive that was just written does not verify; a fault of Ingot or of the disk.
  case readBackDiffers(path: String, reason: String)
  /// An archive that is not what Ingot writes.
  case unsound(archive: String, fault: ArchiveFault)
  /// A manifest that is not well-formed or contradicts itself.
  case badManifest(JSONError)

  package var description: String {
    switch self {
    case .badPath(let path, let fault):
      "'\(path.prefix(120).asciiEscaped)' is not a path a package may hold: \(fault)"
    case .badField(let field, let found, let expected):
      "'\(field)' is '\(found.prefix(80).asciiEscaped)', expected \(expected)"
    case .duplicateModel(let name):
      "two models of one package are called '\(name)'"
    case .foreignReceipt(let model, let receipt, let file):
      "model '\(model)': the receipt proves \(receipt), the file is \(file)"
    case .foreignCompanion(let model, let name, let receipt, let file):
      "model '\(model)': the receipt proves '\(name)' \(receipt?.hex ?? "nothing"), "
        + "the file is \(file?.hex ?? "nothing")"
    case .foreignPartner(let model, let encoder, let receipt, let file):
      "model '\(model)': was judged together with the \(encoder.rawValue) encoder "
        + "\(receipt?.hex ?? "nothing"), the package would hold \(file?.hex ?? "nothing")"
    case .changedModel(let path, let proven, let found):
      "\(path): has changed since it was proven: the receipt proves \(proven), found \(found)"
    case .changedSize(let path, let expected, let found):
      "\(path): has changed since it was written: had \(expected) bytes, has \(found)"
    case .library(let doing, let reason):
      "cannot \(doing): \(reason)"
    case .tooLargeForZip(let bytes, let entries):
      "a zip archive of \(bytes) bytes and \(entries) entries would need Zip64; at most "
        + "\(Zip.byteLimit) bytes and \(Zip.entryLimit) entries do without"
    case .leak(let archive, let path, let digest, let owner):
      "\(archive): the file '\(path)' with sha256 \(digest) is none of this customer's"
        + (owner.map { ", it is one of \($0)" } ?? "")
    case .otherApp(let archive, let found, let expected):
      "\(archive): is for app \(found), expected app \(expected)"
    case .readBackDiffers(let path, let reason):
      "\(path): the archive does not verify after writing: \(reason)"
    case .unsound(let archive, let fault):
      "\(archive): \(fault)"
    case .badManifest(let error):
      "\(error)"
    }
  }
}

extension StringProtocol {
  /// The text with everything but printable ASCII written as an escape, for messages that quote
  /// untrusted bytes.
  package var asciiEscaped: String {
    var text = ""
    for scalar in unicodeScalars {
      text += (0x20..<0x7F) ~= scalar.value ? String(scalar) : scalar.jsonEscape
    }
    return text
  }
  /// The text with everything that a terminal would act on, or that nobody sees, written as an escape.
  package var controlsEscaped: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
        .privateUse:
        text += scalar.jsonEscape
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
