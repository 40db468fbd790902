#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Facts about the machine for error messages, never for anything that is written.
package enum Machine {
  /// Bytes of main memory.
  package static var memoryByteCount: Int {
    product(Int(sysconf(Int32(_SC_PHYS_PAGES))), Int(sysconf(Int32(_SC_PAGESIZE))))
  }

  /// The nine bits that new files do not get.
  package static var umask: Int {
    // The only way to read the mask is to set it.
    let mask = systemMask(0)
    _ = systemMask(mask)
    return Int(mask & 0o777)
  }

  /// Bytes that an ordinary user may still write on the disk of a path; nil if unknown, and on file systems
  /// that do not say how large they are.
  package static func freeByteCount(at path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
    return product(Int(clamping: status.f_bavail), Int(clamping: status.f_frsize))
  }

  /// The path of a program, searched for as a shell does; nil if it is not found.
  package static func path(ofProgram name: String) -> String? {
    let folders = (System.environment("PATH") ?? "").utf8.split(separator: UInt8(ascii: ":"))
    return folders.map { Folder.join(String(decoding: $0, as: UTF8.self), name) }
      .first { unsafe access($0, X_OK) == 0 && Folder.kind(of: $0) == .file }
  }

  /// The first line that a fixed command prints; nil if it prints nothing.
  ///
  /// - Parameter command: a line of shell, never built from outside input.
  package static func firstLine(of command: StaticString) -> String? {
    guard let stream = unsafe popen("\(command)", "re") else { return nil }
    defer { unsafe pclose(stream) }
    var line = [CChar](repeating: 0, count: 512)
    guard unsafe fgets(&line, Int32(line.count), stream) != nil else { return nil }
    let bytes = line.prefix { $0 != 0 && $0 != 0x0A }.map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

/// Arithmetic on figures of the system: a network drive or a virtual machine may claim sizes that
/// overflow, which then count as the largest number. No value is negative.
extension Machine {
  /// Both together; the largest number where that is more.
  static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, isTooLarge) = left.addingReportingOverflow(right)
    return isTooLarge ? .max : max(0, sum)
  }

  /// The first minus the second; 0 if the second is larger.
  static func difference(_ left: Int, _ right: Int) -> Int {
    let (difference, isOutside) = left.subtractingReportingOverflow(right)
    return isOutside ? (left > right ? .max : 0) : max(0, difference)
  }

  /// The product; the largest number if it overflows.
  static func product(_ count: Int, _ byteCount: Int) -> Int {
    let (product, isTooLarge) = max(0, count).multipliedReportingOverflow(by: max(0, byteCount))
    return isTooLarge ? .max : product
  }
}

/// `umask(2)`, under a name that `Machine.umask` does not hide.
private func systemMask(_ mask: mode_t) -> mode_t {
  #if canImport(Glibc)
    Glibc.umask(mask)
  #elseif canImport(Musl)
    Musl.umask(mask)
  #else
    Darwin.umask(mask)
  #endif
}
