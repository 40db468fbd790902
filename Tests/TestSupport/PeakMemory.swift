import Foundation

/// The most memory this process has held at once, as `/proc/self/status` says.
package func peakKilobytes() -> Int? {
  guard let file = fopen("/proc/self/status", "r") else { return nil }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
    guard text.hasPrefix("VmHWM:") else { continue }
    return text.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }
  }
  return nil
}
