/// The options of a line of allowed signers: `namespaces="…",valid-after="…",valid-before="…"` and
/// `cert-authority`, in any letter case.
struct SignerOptions: Equatable, Sendable {
  /// Why a line's options are none.
  struct Fault: Error { let words: String }

  var isAuthority = false
  var namespaces: PatternList?
  /// Seconds since 1970; both moments themselves are valid.
  var validAfter: Int?
  var validBefore: Int?

  init() {}

  /// Reads options with commas between them.
  init(_ text: [UInt8]) throws(Fault) {
    var rest = text[...]
    while !rest.isEmpty {
      try readOption(&rest)
      if rest.isEmpty { break }
      guard rest.first == UInt8(ascii: ",") else {
        throw Fault(words: "unknown key option")
      }
      rest.removeFirst()
      guard !rest.isEmpty else { throw Fault(words: "the options end with a comma") }
    }
    if let validAfter, let validBefore, validBefore <= validAfter {
      throw Fault(words: "'valid-before' is not after 'valid-after'")
    }
  }

  /// Reads an option, if there is a known one at this place.
  private mutating func readOption(_ rest: inout ArraySlice<UInt8>) throws(Fault) {
    if drop("cert-authority", &rest) {
      isAuthority = true
    } else if drop("namespaces=", &rest) {
      guard namespaces == nil else { throw Fault(words: "two 'namespaces'") }
      namespaces = PatternList(try quotedValue(&rest))
    } else if drop("valid-after=", &rest) {
      validAfter = try moment("valid-after", validAfter, &rest)
    } else if drop("valid-before=", &rest) {
      validBefore = try moment("valid-before", validBefore, &rest)
    }
  }

  private func moment(
    _ name: String, _ earlier: Int?, _ rest: inout ArraySlice<UInt8>
  ) throws(Fault) -> Int {
    guard earlier == nil else { throw Fault(words: "two '\(name)'") }
    guard let seconds = ValidityTime.seconds(try quotedValue(&rest)) else {
      throw Fault(words: "'\(name)' is no time of the form YYYYMMDD[HHMM[SS]][Z]")
    }
    return seconds
  }

  private func drop(_ name: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard Ascii.lower(rest.prefix(name.utf8.count)).elementsEqual(name.utf8) else { return false }
    rest.removeFirst(name.utf8.count)
    return true
  }

  /// Reads a value in double quotes, in which `\"` is a quote.
  private func quotedValue(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> [UInt8] {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    guard rest.popFirst() == quote else { throw Fault(words: "a value is not in quotes") }
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return value }
      let isEscape = byte == backslash && rest.first == quote
      value.append(isEscape ? quote : byte)
      if isEscape { rest.removeFirst() }
    }
    throw Fault(words: "a quote is not closed")
  }
}
