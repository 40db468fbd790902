/// Names as MIL takes them: `[A-Za-z_][A-Za-z0-9_]*`, except words that the language reserves.
///
/// Source: the rules of coremltools 9.0 for names in a program.
package enum Identifier {
  private static let reserved: Set<String> = [
    "any", "bool", "program", "func", "tensor", "list", "dict", "tuple", "true", "false", "string",
    "bf16", "fp16", "fp32", "fp64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
    "uint64", "state",
  ]

  /// The identifier nearest to a name: other characters become `_`.
  package static func make(from name: String) -> String {
    var text = String(
      decoding: name.utf8.map { isPart($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    if text.utf8.first.map(isDigit) ?? true { text = "_" + text }
    return reserved.contains(text) ? text + "_workaround" : text
  }

  /// Whether a name is already an identifier.
  package static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, isPart(first), !isDigit(first) else { return false }
    // Names that coremltools writes may contain an @.
    return name.utf8.allSatisfy { isPart($0) || $0 == UInt8(ascii: "@") }
      && !reserved.contains(name)
  }

  /// One identifier for each name, no two alike: those that clash are numbered in their order.
  package static func distinct(for names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { claim($0, in: &taken) }
  }

  /// The identifier for a name, numbered when it is taken; it is taken from then on.
  package static func claim(_ name: String, in taken: inout Set<String>) -> String {
    let identifier = make(from: name)
    var candidate = identifier
    var number = 1
    while !taken.insert(candidate).inserted {
      candidate = "\(identifier)_\(number)"
      number += 1
    }
    return candidate
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_")
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
