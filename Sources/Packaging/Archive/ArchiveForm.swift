import Files

/// A form that packages come in.
package enum ArchiveForm: String, CaseIterable, Sendable {
  /// A ustar stream in one zstd frame.
  case tarZst = "tar.zst"
  /// A zip of stored files.
  case zip

  /// How the names of such archives end.
  package var suffix: String { ".\(rawValue)" }

  /// The form that a file's name or path tells; nil if it tells none.
  package init?(ofName name: String) {
    guard let form = ArchiveForm.allCases.first(where: { name.hasSuffix($0.suffix) }) else {
      return nil
    }
    self = form
  }

  /// The first bytes of such an archive.
  private var magic: [UInt8] {
    switch self {
    case .tarZst: [0x28, 0xB5, 0x2F, 0xFD]
    case .zip: Array("PK".utf8)
    }
  }

  /// Recognises an archive by its first bytes, which must be what its name says, if that says
  /// anything.
  init(of file: MappedFile) throws(ArchiveFault) {
    let head = file.withBytes(in: 0..<min(4, file.byteCount)) { bytes in
      unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    }
    let found = ArchiveForm.allCases.first { head.starts(with: $0.magic) }
    let named = ArchiveForm(ofName: file.path)
    switch (found, named) {
    case (.some(let found), .some(let named)) where found != named:
      throw .otherForm(named: named, found: found)
    case (.some(let found), _): self = found
    case (nil, .some(let named)): throw .notArchive(expected: named)
    case (nil, nil): throw .notArchive(expected: nil)
    }
  }
}
