import Files
import Testing
import Weights

@testable import Packaging

/// Tar streams that are none of ours, in sound frames.
extension PackageVerifierTests {
  static let entries = [
    Case("extra entry at the end", "entry 'z' is not listed in the manifest") {
      $0.entries.append(try .init("z", [1, 2, 3], time: try Sample.time(1_795_219_200)))
    },
    Case("extra entry between", "entry 'n' is not listed in the manifest") {
      $0.entries.insert(try .init("n", [1], time: try Sample.time(1_795_219_200)), at: 2)
    },
    Case(
      "last entry missing",
      "'sbom.cdx.json' is listed in the manifest, but not in the archive"
    ) { $0.entries.removeLast() },
    Case(
      "first entry missing",
      "'models/encoder/model.safetensors' is listed in the manifest, but not in the archive"
    ) { $0.entries.remove(at: 1) },
    Case(
      "other order",
      "'models/encoder/model.safetensors' is listed in the manifest, but not in the archive"
    ) { $0.entries.swapAt(1, 2) },
    Case(
      "entry twice",
      "entry 'models/encoder/model.safetensors' appears twice, or differs from another only in case"
    ) { $0.entries.insert($0.entries[1], at: 2) },
    Case(
      "entry twice but for case",
      "entry 'receipts/ENCODER.json' appears twice, or differs from another only in case"
    ) {
      $0.entries.append(
        try .init("receipts/ENCODER.json", [], time: try Sample.time(1_795_219_200)))
    },
    Case("path upwards", "entry '../x' has a path that no package may hold") {
      $0.entries[1].patch(0, Array("../x\0".utf8) + [UInt8](repeating: 0, count: 60))
    },
    Case("absolute path", "entry '/x' has a path that no package may hold") {
      $0.entries[1].patch(0, Array("/x\0".utf8) + [UInt8](repeating: 0, count: 60))
    },
    Case(
      "path upwards in the middle",
      "entry 'models/../../x' has a path that no package may hold"
    ) { $0.entries[1].rename("models/../../x") },
    Case("path through this folder", "entry './x' has a path that no package may hold") {
      $0.entries[1].rename("./x")
    },
    Case("path with a newline", "entry 'CON\\u000a' has a path that no package may hold") {
      $0.entries[1].rename("CON\n")
    },
    Case("path with a backslash", "entry 'a\\b' has a path that no package may hold") {
      $0.entries[1].rename("a\\b")
    },
    Case("path with a slash at its end", "entry 'models/' has a path that no package may hold") {
      $0.entries[1].rename("models/")
    },
    Case("no path", "entry '' has a path that no package may hold") { $0.entries[1].rename("") },
    Case("path that is not ASCII", "entry 'caf\\u00e9' has a path that no package may hold") {
      $0.entries[1].rename("café")
    },
    Case("path that is not UTF-8", "entry 'a\\ufffd' has a path that no package may hold") {
      $0.entries[1].rename("a")
      $0.entries[1].patch(1, [0xFF])
    },
    Case("hidden file", "entry '.ssh' has a path that no package may hold") {
      $0.entries[1].rename(".ssh")
    },
    Case(
      "more of a name behind its zero",
      "the header of entry 'models/encoder/model.safetensors' is not in the one form that packages "
        + "use"
    ) { $0.entries[1].patch(40, Array(".app".utf8)) },
    Case("path with an escape", "entry 'a\\u001b[2J' has a path that no package may hold") {
      $0.entries[1].patch(0, Array("a\u{1B}[2J".utf8) + [UInt8](repeating: 0, count: 60))
    },
    Case(
      "symbolic link",
      "entry 'models/encoder/model.safetensors' is a symbolic link, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "2")]) },
    Case(
      "hard link",
      "entry 'models/encoder/model.safetensors' is a hard link, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "1")]) },
    Case(
      "folder", "entry 'models/encoder/model.safetensors' is a folder, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "5")]) },
    Case(
      "pipe", "entry 'models/encoder/model.safetensors' is a pipe, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "6")]) },
    Case(
      "device", "entry 'models/encoder/model.safetensors' is a device, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "3")]) },
    Case(
      "block device",
      "entry 'models/encoder/model.safetensors' is a device, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "4")]) },
    Case(
      "GNU long name",
      "entry 'models/encoder/model.safetensors' is a GNU long name, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "L")]) },
    Case(
      "GNU long link",
      "entry 'models/encoder/model.safetensors' is a GNU long name, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "K")]) },
    Case(
      "sparse file",
      "entry 'models/encoder/model.safetensors' is a sparse file, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "S")]) },
    Case(
      "file of the oldest tar",
      "entry 'models/encoder/model.safetensors' is of type 0, expected a regular file"
    ) { $0.entries[1].patch(156, [0]) },
    Case("global pax header", "entry 'manifest.json' is a pax header, expected a regular file") {
      $0.entries[0].patch(156, [UInt8(ascii: "g")])
    },
    Case(
      "set-uid", "entry 'models/encoder/model.safetensors' has mode 04644, expected 0644"
    ) { $0.entries[1].patch(100, Array("004644 ".utf8)) },
    Case(
      "pax header",
      "entry 'models/encoder/model.safetensors' is a pax header, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "x")]) },
    Case("wrong header checksum", "the header of entry 2 has a wrong checksum") {
      $0.entries[1].patch(5, [0x7A], mendsChecksum: false)
    },
    Case(
      "executable",
      "entry 'models/encoder/model.safetensors' has mode 0755, expected 0644"
    ) { $0.entries[1].patch(100, Array("000755 ".utf8)) },
    Case(
      "owner", "entry 'models/encoder/model.safetensors' has user id 01, expected 00"
    ) { $0.entries[1].patch(108, Array("000001 ".utf8)) },
    Case(
      "another time",
      "entry 'models/encoder/model.safetensors' has time 1, expected 1795219200"
    ) { $0.entries[1].patch(136, Array("00000000001 ".utf8)) },
    Case(
      "user name",
      "the header of entry 'models/encoder/model.safetensors' is not in the one form that packages "
        + "use"
    ) { $0.entries[1].patch(265, Array("root".utf8)) },
    Case(
      "name split in two",
      "the header of entry 'models/encoder/model.safetensors' is not in the one form that packages "
        + "use"
    ) { $0.entries[1].patch(345, Array("x".utf8)) },
    Case(
      "size in base 256",
      "the header of entry 'models/encoder/model.safetensors' is not in the one form that packages "
        + "use"
    ) { $0.entries[1].patch(124, [0x80]) },
    Case(
      "negative size",
      "the header of entry 'models/encoder/model.safetensors' is not in the one form that packages "
        + "use"
    ) { $0.entries[1].patch(124, [UInt8](repeating: 0xFF, count: 12)) },
    Case(
      "size with a minus",
      "the header of entry 'models/encoder/model.safetensors' is not in the one form that packages "
        + "use"
    ) { $0.entries[1].patch(124, Array("-0000000001 ".utf8)) },
    Case(
      "size with a digit too many",
      "entry 'models/encoder/model.safetensors' has 68719476735 bytes, the manifest says #"
    ) { $0.entries[1].patch(124, Array("777777777777".utf8)) },
    Case(
      "size one too large",
      "entry 'models/encoder/model.safetensors' has # bytes, the manifest says #"
    ) {
      let size = "0000000\(String($0.entries[1].content.count + 1, radix: 8)) "
      $0.entries[1].patch(124, Array(size.suffix(12).utf8))
    },
    Case(
      "link name in a file",
      "the header of entry 'models/encoder/model.safetensors' is not in the one form that packages "
        + "use"
    ) { $0.entries[1].patch(157, Array("/etc/passwd".utf8)) },
    Case(
      "GNU magic",
      "the header of entry 'models/encoder/model.safetensors' is not in the one form that packages "
        + "use"
    ) { $0.entries[1].patch(257, Array("ustar  \0".utf8)) },
    Case(
      "group", "entry 'models/encoder/model.safetensors' has group id 0144, expected 00"
    ) { $0.entries[1].patch(116, Array("000144 ".utf8)) },
    Case(
      "dirty padding", "bytes other than zero pad entry 'receipts/onboarding_upsell.json'"
    ) { $0.entries[4].padding[0] = 1 },
    Case("no end mark", "the tar stream ends inside the header of entry 7") { $0.end = [] },
    Case("half an end mark", "the tar stream ends inside its end mark") {
      $0.end = [UInt8](repeating: 0, count: 512)
    },
    Case("dirty end mark", "the two zero blocks that end a tar stream are not there") {
      $0.end[700] = 1
    },
    Case("data behind the end", "data follows the end of the tar stream") {
      $0.end += [UInt8](repeating: 0, count: 512)
    },
    Case(
      "manifest not first", "the first entry is 'receipts/encoder.json', expected 'manifest.json'"
    ) {
      $0.entries.swapAt(0, 3)
    },
    Case("nothing at all", "the tar stream ends inside the header of entry 1") {
      $0.entries = []
      $0.end = []
    },
    Case("no entry", "the archive holds no entry") {
      $0.entries = []
    },
    Case("bomb behind the end", "data follows the end of the tar stream") {
      $0.end += [UInt8](repeating: 0, count: 64 << 20)
    },
  ]
}

extension Tarball.Entry {
  /// Gives the entry a name of less than 100 bytes.
  fileprivate mutating func rename(_ name: String) {
    patch(0, Array(name.utf8) + [UInt8](repeating: 0, count: 100 - name.utf8.count))
  }
}
