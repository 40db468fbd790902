import StrictJSON

/// Reads a line of allowed signers: principals, options where there are any, type and key, comment.
///
/// Quotes, white space and the order of the fields are taken as OpenSSH's own reader takes them.
struct AllowedSignerReader {
  /// Why a line names no signer.
  struct Fault: Error { let words: String }

  private static let space = Array(" \t\r\n".utf8)
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let quote = UInt8(ascii: "\"")

  private let text: [UInt8]
  private var offset = 0

  private init(_ text: [UInt8]) { self.text = text }

  /// Reads a line; nil when it is empty or a comment.
  static func read(_ line: some Sequence<UInt8>, number: Int) throws(Fault) -> AllowedSigner? {
    // A zero byte ends the line for OpenSSH.
    var reader = AllowedSignerReader(Array(line.prefix { $0 != 0 }))
    // OpenSSH takes the mark for a part of the first name, which then matches no one.
    guard number > 1 || !reader.text.starts(with: byteOrderMark) else {
      throw Fault(words: "begins with a byte-order mark; save the list as plain text without one")
    }
    reader.skip(space)
    guard reader.offset < reader.text.count, reader.text[reader.offset] != UInt8(ascii: "#") else {
      return nil
    }
    let principals = try reader.principals()
    let (options, key) = try reader.optionsAndKey()
    return AllowedSigner(
      line: number, principals: PatternList(principals), options: options, key: key)
  }

  private mutating func skip(_ bytes: [UInt8]) {
    while offset < text.count, bytes.contains(text[offset]) { offset += 1 }
  }

  /// Reads the first word; a part of it may be in quotes, and the closing quote ends it.
  private mutating func principals() throws(Fault) -> [UInt8] {
    let stops = AllowedSignerReader.space + [AllowedSignerReader.quote]
    guard let end = text[offset...].firstIndex(where: stops.contains) else {
      throw Fault(words: "expected principals, options and a key")
    }
    var word = Array(text[offset..<end])
    offset = end + 1
    if text[end] == AllowedSignerReader.quote {
      guard let close = text[offset...].firstIndex(of: AllowedSignerReader.quote) else {
        throw Fault(words: "a quote is not closed")
      }
      word += text[offset..<close]
      offset = close + 1
    }
    skip(AllowedSignerReader.space)
    return word
  }

  private mutating func optionsAndKey() throws(Fault) -> (SignerOptions, AuthorizedKey) {
    if let (key, _) = AuthorizedKey.read(text, at: offset) { return (SignerOptions(), key) }
    let options = try word()
    skip(Array(" \t".utf8))
    guard offset < text.count else { throw Fault(words: "the key is missing") }
    guard let (key, _) = AuthorizedKey.read(text, at: offset) else {
      throw Fault(words: "the key is none that OpenSSH knows")
    }
    do throws(SignerOptions.Fault) {
      return (try SignerOptions(options), key)
    } catch {
      throw Fault(words: error.words)
    }
  }

  /// Reads up to a space that is not in quotes.
  private mutating func word() throws(Fault) -> [UInt8] {
    let start = offset
    var isQuoted = false
    while offset < text.count, isQuoted || !Array(" \t".utf8).contains(text[offset]) {
      let isEscape =
        text[offset] == UInt8(ascii: "\\") && offset + 1 < text.count
        && text[offset + 1] == AllowedSignerReader.quote
      if text[offset] == AllowedSignerReader.quote { isQuoted.toggle() }
      offset += isEscape ? 2 : 1
    }
    guard !isQuoted else { throw Fault(words: "a quote is not closed") }
    return Array(text[start..<offset])
  }
}

/// One line of a list of allowed signers: who, under which conditions, with which key.
struct AllowedSigner: Sendable {
  /// Number of the line, from 1.
  let line: Int
  let principals: PatternList
  let options: SignerOptions
  let key: AuthorizedKey

  /// Why the line does not let a key sign, in the order OpenSSH asks; nil when it does.
  ///
  /// Certificates are not supported, so the key of an authority permits no signatures.
  func objection(namespace: String, at seconds: Int) -> String? {
    if options.isAuthority { return "the key is that of a certificate authority" }
    if let namespaces = options.namespaces, !namespaces.matches(namespace.utf8) {
      return "the key may not sign for \(quoted(namespace))"
    }
    if let start = options.validAfter, seconds < start { return "the key is not valid yet" }
    if let end = options.validBefore, seconds > end { return "the key has expired" }
    return nil
  }
}
