@testable import Packaging

/// Zip archives whose records lie.
extension ZipVerifierTests {
  private static let model = "models/encoder/model.safetensors"
  private static let header = "the header of entry '\(model)'"
  private static let listing = "the directory's record of entry '\(model)'"

  static let archives = [
    Case(raw: "empty", "is not a zip archive") { _ in [] },
    Case(raw: "a tar", "is called '.zip', but it is a tar.zst archive") { _ in
      try Sample.archive.get()
    },
    Case(raw: "a program in front", "is not a zip archive") {
      Array("MZ".utf8) + [UInt8](repeating: 0, count: 62) + $0.bytes
    },
    Case(
      raw: "the mark of a split archive in front",
      "at byte 0 is nothing that a package has there"
    ) { Array("PK00".utf8) + $0.bytes },
    Case(raw: "two bytes", "the archive ends inside the header of entry 1") { _ in
      Array("PK".utf8)
    },
    Case(raw: "a byte behind", "1 byte follows the end of the archive") { $0.bytes + [0] },
    Case(raw: "a second archive behind", "# bytes follow the end of the archive") {
      $0.bytes + $0.bytes
    },
    Case(raw: "no directory", "the directory lists 0 entries, the archive holds 6") {
      $0.files + $0.end
    },
    Case(raw: "no end", "the archive ends inside its end record") { $0.files + $0.directory },
    Case(raw: "the end alone", "the archive holds no entry") { $0.end },
    Case(raw: "a gap between entries", "at byte # is nothing that a package has there") { zip in
      zip.entries[0].header + zip.entries[0].content + [0, 0, 0, 0] + zip.bytes
    },
    Case(raw: "a gap before the directory", "at byte # is nothing that a package has there") {
      $0.files + [0x50] + $0.directory + $0.end
    },
    Case(
      raw: "a gap behind the directory", "the end record has signature #, expected 101010256"
    ) { $0.files + $0.directory + [0] + $0.end },
    Case(
      raw: "Zip64 records before the end",
      "the end record has signature 101075792, expected 101010256"
    ) {
      $0.files + $0.directory + [0x50, 0x4B, 0x06, 0x06] + [UInt8](repeating: 0, count: 52)
        + [0x50, 0x4B, 0x06, 0x07] + [UInt8](repeating: 0, count: 16) + $0.end
    },
    Case("a comment", "the end record has length of the comment 3, expected 0") {
      $0.end[20] = 3
      $0.end += [1, 2, 3]
    },
    Case("several disks", "the end record has disk 1, expected 0") { $0.end[4] = 1 },
    Case("a directory on another disk", "the end record has disk of the directory 1, expected 0") {
      $0.end[6] = 1
    },
    Case(
      "too few entries counted on this disk",
      "the end record has number of entries on this disk 5, expected 6"
    ) { $0.end[8] = 5 },
    Case("too many entries counted", "the end record has number of entries 7, expected 6") {
      $0.end[10] = 7
    },
    Case("a count for Zip64", "the end record has number of entries 65535, expected 6") {
      ($0.end[10], $0.end[11]) = (255, 255)
    },
    Case(
      "a directory of another size", "the end record has size of the directory #, expected #"
    ) { $0.end[12] ^= 1 },
    Case(
      "a directory elsewhere", "the end record has offset of the directory #, expected #"
    ) { $0.end[16] ^= 1 },
  ]

  static let headers = [
    Case("encrypted", "\(header) has flags 1, expected 0") { $0.entries[1].patchBoth(6, [1]) },
    Case("sizes behind the content", "\(header) has flags 8, expected 0") {
      $0.entries[1].patchBoth(6, [8])
      $0.entries[1].content += [0x50, 0x4B, 0x07, 0x08] + [UInt8](repeating: 0, count: 12)
    },
    Case("strongly encrypted", "\(header) has flags 65, expected 0") {
      $0.entries[1].patchBoth(6, [65])
    },
    Case("a name in UTF-8", "\(header) has flags 2048, expected 0") {
      $0.entries[1].patchBoth(6, [0, 8])
    },
    Case("deflated", "\(header) has method 8, expected 0") { $0.entries[1].patchBoth(8, [8]) },
    Case("compressed by bzip2", "\(header) has method 12, expected 0") {
      $0.entries[1].patchBoth(8, [12])
    },
    Case("a newer version", "\(header) has version to read it 45, expected 10") {
      $0.entries[1].patchBoth(4, [45])
    },
    Case("extra fields of Zip64", "\(header) has length of extra fields 20, expected 0") {
      $0.entries[1].patchHeader(28, [20])
      $0.entries[1].header += [1, 0, 16, 0] + [UInt8](repeating: 0, count: 16)
    },
    Case("another stored size", "\(header) has stored size 1, expected #") {
      $0.entries[1].patchBoth(18, [1, 0, 0, 0])
    },
    Case("sizes for Zip64", "entry '\(model)' has 4294967295 bytes, the manifest says #") {
      $0.entries[1].patchBoth(18, [UInt8](repeating: 255, count: 8))
    },
    Case("both sizes one too small", "entry '\(model)' has # bytes, the manifest says #") {
      let size = $0.entries[1].content.count - 1
      let bytes = [UInt8(size & 255), UInt8(size >> 8), 0, 0]
      $0.entries[1].patchBoth(18, bytes + bytes)
    },
    Case(
      "another time", "entry '\(model)' has date and time 23925.1, expected 23925.0"
    ) { $0.entries[1].patchBoth(10, [1, 0]) },
    Case(
      "another time of the manifest",
      "entry 'manifest.json' has date and time 23924.0, expected 23925.0"
    ) { $0.entries[0].patchBoth(12, [0x74]) },
    Case("a wrong CRC", "the content of entry '\(model)' has CRC-32 0x#, its header says 0x#") {
      $0.entries[1].patchBoth(14, [1, 2, 3, 4])
    },
    Case(
      "changed content under the old CRC",
      "the content of entry '\(model)' has CRC-32 0x#, its header says 0x#"
    ) { $0.entries[1].content[60] ^= 1 },
    named("a path upwards", "../x", "../x"),
    named("an absolute path", "/etc/x", "/etc/x"),
    named("a path with a drive", "C:x", "C:x"),
    named("a path with a backslash", "a\\..\\x", "a\\..\\x"),
    named("a path with a newline", "CON\n", "CON\\u000a"),
    named("a path with a zero", "a\0.json", "a\\u0000.json"),
    named("a path that is not ASCII", "café", "caf\\u00e9"),
    named("no path", "", ""),
    named("a folder", "models/", "models/"),
    named("a hidden file", ".ssh", ".ssh"),
    named(
      "a long path", String(repeating: "a", count: 60_000), String(repeating: "a", count: 160)),
  ]

  private static func named(_ name: String, _ path: String, _ quoted: String) -> Case {
    Case(name, "entry '\(quoted)' has a path that no package may hold") {
      $0.entries[1].rename(Array(path.utf8))
    }
  }

  static let directories = [
    Case("a symbolic link", "\(listing) has external attributes 2717843456, expected 2175008768") {
      // 0o120777
      $0.entries[1].patchListing(38, [0, 0, 0xFF, 0xA1])
    },
    Case("set-uid", "\(listing) has external attributes 2309226496, expected 2175008768") {
      // 0o104644
      $0.entries[1].patchListing(38, [0, 0, 0xA4, 0x89])
    },
    Case("a folder for DOS", "\(listing) has external attributes 2175008784, expected 2175008768") {
      $0.entries[1].patchListing(38, [0x10])
    },
    Case("a text", "\(listing) has internal attributes 1, expected 0") {
      $0.entries[1].patchListing(36, [1])
    },
    Case("another system", "\(listing) has version of the writer 20, expected 788") {
      $0.entries[1].patchListing(5, [0])
    },
    Case("encrypted there", "\(listing) has flags 1, expected 0") {
      $0.entries[1].patchListing(8, [1])
    },
    Case("deflated there", "\(listing) has method 8, expected 0") {
      $0.entries[1].patchListing(10, [8])
    },
    Case("another time there", "\(listing) has time 1, expected 0") {
      $0.entries[1].patchListing(12, [1])
    },
    Case("another CRC there", "\(listing) has checksum #, expected #") {
      $0.entries[1].patchListing(16, [1, 2, 3, 4])
    },
    Case("another stored size there", "\(listing) has stored size 1, expected #") {
      $0.entries[1].patchListing(20, [1, 0, 0, 0])
    },
    Case("another size there", "\(listing) has size 1, expected #") {
      $0.entries[1].patchListing(24, [1, 0, 0, 0])
    },
    Case("extra fields there", "\(listing) has length of extra fields 4, expected 0") {
      $0.entries[1].patchListing(30, [4])
      $0.entries[1].listing += [1, 0, 0, 0]
    },
    Case("a comment there", "\(listing) has length of the comment 1, expected 0") {
      $0.entries[1].patchListing(32, [1])
      $0.entries[1].listing += [1]
    },
    Case("on another disk", "\(listing) has disk 1, expected 0") {
      $0.entries[1].patchListing(34, [1])
    },
    Case("two records for one content", "\(listing) has offset 0, expected #") {
      $0.entries[1].patchListing(42, [0, 0, 0, 0])
    },
    Case(
      "another path there",
      "\(listing) has path 'models/encoder/model.safetensorS', expected '\(model)'"
    ) { $0.entries[1].patchListing(46 + 31, Array("S".utf8)) },
    Case("a path upwards there", "\(listing) has length of the path 4, expected 32") {
      $0.entries[1].listing = Array($0.entries[1].listing[..<46] + Array("../x".utf8))
      $0.entries[1].patchListing(28, [4])
    },
    Case("a record twice", "the directory lists 7 entries, the archive holds 6") {
      $0.entries[5].listing += $0.entries[5].listing
    },
    Case("a record twice between", "\(listing) has checksum #, expected #") {
      $0.entries[0].listing += $0.entries[0].listing
    },
    Case("a record less", "the directory lists 5 entries, the archive holds 6") {
      $0.entries[5].listing = []
    },
    Case(
      "other order there",
      "the directory's record of entry 'manifest.json' has checksum #, expected #"
    ) {
      let first = $0.entries[0].listing
      $0.entries[0].listing = $0.entries[3].listing
      $0.entries[3].listing = first
    },
  ]
}
