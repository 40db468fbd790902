/// A fault of an archive; each describes itself.
package enum ArchiveFault: Error, Equatable, Sendable, CustomStringConvertible {
  // The form of the archive.
  case notArchive(expected: ArchiveForm?)
  case otherForm(named: ArchiveForm, found: ArchiveForm)

  // The zstd frame.
  case frameFeature(String)
  case windowTooLarge(bytes: Int, limit: Int)
  case damagedFrame(reason: String)
  case truncated
  case secondFrame(offset: Int)
  case trailingBytes(count: Int)

  // The zip archive.
  case zipTooLarge(bytes: Int, limit: Int)
  case cutShort(inside: String)
  case strayBytes(offset: Int)
  case zipField(record: String, field: String, found: String, expected: String)
  case contentChecksum(path: String, found: String, header: String)
  case directoryCount(listed: Int, entries: Int)
  case bytesBehindEnd(count: Int)

  // The tar stream.
  case endsEarly(inside: String)
  case headerChecksum(entry: Int)
  case notRegular(path: String, type: String)
  case badPath(path: String)
  case headerField(path: String, field: String, found: String, expected: String)
  case nonCanonicalHeader(path: String)
  case dirtyPadding(path: String)
  case missingEndMark
  case dataAfterEnd

  // The manifest and what it lists.
  case noEntry
  case manifestNotFirst(found: String)
  case manifestSize(bytes: Int, limit: Int)
  case manifestNotCanonical
  case missingEntry(path: String)
  case unlistedEntry(path: String)
  case duplicateEntry(path: String)
  case entrySize(path: String, found: Int, manifest: Int)
  case entryDigest(path: String, found: String, manifest: String)

  // Receipts.
  case badReceipt(path: String, reason: String)
  case badSelfTest(path: String, reason: String)
  case badConfiguration(path: String, reason: String)
  case receiptMismatch(path: String, field: String, found: String, manifest: String)
  /// A receipt's limit is weaker than the one of the profile, which is all that the manifest names.
  case weakerThanProfile(receipt: String, limit: String, profile: String, own: String)
  /// A receipt was written for another folder than the files make.
  case otherFolder(receipt: String, candidate: String, model: String, found: String)
  /// A folder names another receipt than the one beside it.
  case otherReceipt(model: String, named: String, receipt: String, sha256: String)
  /// A receipt was written beside another encoder than the one in the archive.
  case otherPartner(receipt: String, encoder: String, named: String, found: String)
  /// The bill of materials is not the one of the manifest.
  case otherBill(path: String)
  case badModel(path: String, reason: String)
  /// A file packed as a model cannot be opened as one.
  case unusableModel(path: String, reason: String)
  /// The manifest says of a model what the model's own files do not say.
  case otherThanModel(path: String, field: String, found: String, manifest: String)

  package var description: String {
    formDescription ?? frameDescription ?? zipDescription ?? tarDescription ?? contentDescription
  }

  private var formDescription: String? {
    switch self {
    case .notArchive(.tarZst): "is not a zstd archive"
    case .notArchive(.zip): "is not a zip archive"
    case .notArchive(nil): "is neither a zstd nor a zip archive"
    case .otherForm(let named, let found):
      "is called '\(named.suffix)', but it is a \(found.rawValue) archive"
    default: nil
    }
  }

  private var zipDescription: String? {
    switch self {
    case .zipTooLarge(let bytes, let limit):
      "has \(bytes) bytes, the limit for a zip archive is \(limit)"
    case .cutShort(let place): "the archive ends inside \(place)"
    case .strayBytes(let offset): "at byte \(offset) is nothing that a package has there"
    case .zipField(let record, let field, let found, let expected):
      "\(record) has \(field) \(found), expected \(expected)"
    case .contentChecksum(let path, let found, let header):
      "the content of entry '\(path)' has CRC-32 \(found), its header says \(header)"
    case .directoryCount(let listed, let entries):
      "the directory lists \(listed) entries, the archive holds \(entries)"
    case .bytesBehindEnd(1): "1 byte follows the end of the archive"
    case .bytesBehindEnd(let count): "\(count) bytes follow the end of the archive"
    default: nil
    }
  }

  private var frameDescription: String? {
    switch self {
    case .frameFeature(let words): "the zstd frame \(words)"
    case .windowTooLarge(let bytes, let limit):
      "the zstd frame asks for a window of \(bytes) bytes, the limit is \(limit)"
    case .damagedFrame(let reason): "the zstd frame is damaged: \(reason)"
    case .truncated: "the zstd frame is cut short"
    case .secondFrame(let offset): "a second zstd frame starts at byte \(offset)"
    case .trailingBytes(1): "1 byte follows the zstd frame"
    case .trailingBytes(let count): "\(count) bytes follow the zstd frame"
    default: nil
    }
  }

  private var tarDescription: String? {
    switch self {
    case .endsEarly(let place): "the tar stream ends inside \(place)"
    case .headerChecksum(let entry): "the header of entry \(entry) has a wrong checksum"
    case .notRegular(let path, let type): "entry '\(path)' is \(type), expected a regular file"
    case .badPath(let path): "entry '\(path)' has a path that no package may hold"
    case .headerField(let path, let field, let found, let expected):
      "entry '\(path)' has \(field) \(found), expected \(expected)"
    case .nonCanonicalHeader(let path):
      "the header of entry '\(path)' is not in the one form that packages use"
    case .dirtyPadding(let path): "bytes other than zero pad entry '\(path)'"
    case .missingEndMark: "the two zero blocks that end a tar stream are not there"
    case .dataAfterEnd: "data follows the end of the tar stream"
    default: nil
    }
  }

  private var contentDescription: String {
    switch self {
    case .noEntry: "the archive holds no entry"
    case .manifestNotFirst(let found): "the first entry is '\(found)', expected 'manifest.json'"
    case .manifestSize(let bytes, let limit):
      "manifest.json has \(bytes) bytes, expected 1...\(limit)"
    case .manifestNotCanonical: "manifest.json is not in the one byte form that packages use"
    case .missingEntry(let path): "'\(path)' is listed in the manifest, but not in the archive"
    case .unlistedEntry(let path): "entry '\(path)' is not listed in the manifest"
    case .duplicateEntry(let path):
      "entry '\(path)' appears twice, or differs from another only in case"
    case .entrySize(let path, let found, let manifest):
      "entry '\(path)' has \(found) bytes, the manifest says \(manifest)"
    case .entryDigest(let path, let found, let manifest):
      "entry '\(path)' has sha256 \(found), the manifest says \(manifest)"
    case .badSelfTest(let path, let reason): "self-test '\(path)' is not sound: it \(reason)"
    case .badConfiguration(let path, let reason):
      "input configuration '\(path)' is not sound: \(reason)"
    case .badReceipt(let path, let reason): "receipt '\(path)' is not sound: \(reason)"
    case .otherFolder(let receipt, let candidate, let model, let found):
      "receipt '\(receipt)' has candidate \(candidate), the files of '\(model)' make \(found)"
    case .otherReceipt(let model, let named, let receipt, let sha256):
      "model '\(model)' names the receipt \(named), '\(receipt)' has sha256 \(sha256)"
    case .otherPartner(let receipt, let encoder, let named, let found):
      "receipt '\(receipt)' was written beside the \(encoder) encoder \(named), the package holds "
        + found
    case .otherBill(let path): "'\(path)' is not the bill of materials of this manifest"
    case .badModel(let path, let reason): "model '\(path)' is not sound: \(reason)"
    case .weakerThanProfile(let receipt, let limit, let profile, let own):
      "receipt '\(receipt)' holds its model to \(limit), the manifest names '\(profile)' alone, "
        + "which has \(own); a package of before manifests carried limits is to be built again"
    case .unusableModel(let path, let reason): "model '\(path)' cannot be opened: \(reason)"
    case .otherThanModel(let path, let field, let found, let manifest):
      "model '\(path)' has \(field) \(found), the manifest says \(manifest)"
    case .receiptMismatch(let path, let field, let found, let manifest):
      "receipt '\(path)' has \(field) \(found), the manifest says \(manifest)"
    default: "is not sound"
    }
  }
}
