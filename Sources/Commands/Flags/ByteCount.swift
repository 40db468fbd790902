import ArgumentParser

/// A size on the command line: a number and B, kB, MB, GB or TB (powers of 1000).
struct ByteCount: ExpressibleByArgument {
  let value: Int

  /// Nil for anything else, and for a size that no integer holds; parts of a byte are left off.
  init?(argument: String) {
    let digits = argument.utf8.prefix {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
    let units = ["": 1.0, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12]
    let unit = String(argument.dropFirst(digits.count)).uppercased()
    guard let number = Double(String(decoding: digits, as: UTF8.self)), let scale = units[unit],
      number * scale < 0x1p62
    else { return nil }
    value = Int(number * scale)
  }
}
