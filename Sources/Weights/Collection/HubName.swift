import Files

/// A model on the Hugging Face hub that was named where a path is expected.
struct HubName {
  /// As the hub's own tool takes it: `owner/name`, or `name` of the first models.
  let name: String
  /// A phrase for messages, to follow "is".
  let words: String

  private static let addresses = [
    "https://huggingface.co/", "http://huggingface.co/", "https://hf.co/", "huggingface.co/",
  ]

  /// - Parameter path: one at which no file or folder exists.
  /// - Returns: nil if it looks more like a mistyped path.
  init?(_ path: String) {
    if let address = HubName.addresses.first(where: { path.hasPrefix($0) }) {
      let parts = path.dropFirst(address.count).split(separator: "/").prefix(2)
      guard !parts.isEmpty, parts.allSatisfy(HubName.isName) else { return nil }
      name = parts.joined(separator: "/")
      words = "an address on the Hugging Face hub and no path here"
      return
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count < 3, parts.allSatisfy(HubName.isName), !HubName.isOfFile(path),
      parts.count == 2 || path.contains("-"), !HubName.isNearWhatIsThere(parts[0])
    else { return nil }
    name = path
    words =
      parts.count == 2
      ? "a name on the Hugging Face hub and no path here"
      : "no path here, and may be a name on the Hugging Face hub"
  }

  /// Whether a name is that of a file rather than of a model.
  private static func isOfFile(_ path: String) -> Bool {
    [".safetensors", ".np", ".mlpackage", ".mlmodel", ".json"].contains { path.contains($0) }
  }

  /// Whether all characters are those that the hub allows.
  private static func isName(_ part: Substring) -> Bool {
    !part.isEmpty && part.first != "." && part.first != "-"
      && part.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_.".utf8.contains(byte)
      }
  }

  /// Whether a folder or file here has this name or one near it.
  private static func isNearWhatIsThere(_ part: Substring) -> Bool {
    let names = (try? Folder.names(in: ".")) ?? []
    return names.contains { areNear(Array($0.utf8), Array(part.utf8)) }
  }

  /// Whether two names differ by at most one letter, by the case of letters, or by two neighbours
  /// that changed places.
  private static func areNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard abs(one.count - other.count) < 2 else { return false }
    var left = one.map { $0 | 0x20 }[...]
    var right = other.map { $0 | 0x20 }[...]
    while let first = left.first, first == right.first {
      left.removeFirst()
      right.removeFirst()
    }
    while let last = left.last, last == right.last {
      left.removeLast()
      right.removeLast()
    }
    if left.count == 2, right.count == 2 {
      return left.first == right.last && left.last == right.first
    }
    return max(left.count, right.count) < 2
  }
}
