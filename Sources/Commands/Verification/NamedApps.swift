/// The ids of apps that the name of a file holds.
enum NamedApps {
  private static let groups = [8, 4, 4, 4, 12]
  private static let separators = Set("-_. ".utf8)

  /// Every id in a name, as manifests write it: in lower case, with hyphens.
  ///
  /// The name may write it in upper case, with another separator or with none. Longer runs of
  /// hexadecimal digits, such as digests, are not ids.
  static func ids(in name: String) -> [String] {
    let bytes = Array(name.lowercased().utf8)
    return bytes.indices.compactMap { id(at: $0, of: bytes) }
  }

  private static func id(at start: Int, of bytes: [UInt8]) -> String? {
    let isParted = start + 8 < bytes.count && separators.contains(bytes[start + 8])
    var parts: [String] = []
    var place = start
    for length in groups {
      if isParted, !parts.isEmpty {
        guard place < bytes.count, separators.contains(bytes[place]) else { return nil }
        place += 1
      }
      let end = place + length
      guard end <= bytes.count, bytes[place..<end].allSatisfy(isHexadecimal) else { return nil }
      parts.append(String(decoding: bytes[place..<end], as: UTF8.self))
      place = end
    }
    guard isParted || isAlone(start..<place, in: bytes) else { return nil }
    return parts.joined(separator: "-")
  }

  /// Whether a run of digits is not part of a longer one.
  private static func isAlone(_ run: Range<Int>, in bytes: [UInt8]) -> Bool {
    !(run.lowerBound > 0 && isHexadecimal(bytes[run.lowerBound - 1]))
      && !(run.upperBound < bytes.count && isHexadecimal(bytes[run.upperBound]))
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39) ~= byte || (0x61...0x66) ~= byte
  }
}
