import Foundation

@testable import Signatures

/// The cases: files and armours, blobs, lists, times, and the few cases where we refuse more.
extension SignatureAgreementTests {
  private static func text(
    _ change: @escaping @Sendable (String) -> String
  ) -> (@Sendable ([UInt8]) -> [UInt8]) {
    { Array(change(String(decoding: $0, as: UTF8.self)).utf8) }
  }

  /// Replaces what the armour holds.
  static func blob(
    _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) -> (@Sendable ([UInt8]) -> [UInt8]) {
    { text in
      let signature = try? SSHSignature(armoured: text, origin: "m.sig")
      return Armour.encode(change(signature?.blob ?? []), label: "SSH SIGNATURE")
    }
  }

  /// Of a blob: 4 bytes of a version behind 6 of a mark, 55 of a key, 21 of a namespace, 4 of nothing.
  enum Place {
    static let version = 6
    static let reserved = 6 + 4 + 55 + 21
    static let hash = reserved + 4 + 4
    static let signature = hash + 6 + 4 + 4 + 11 + 4
  }

  static let files: [Case] = [
    Case("good", true),
    Case("good by the agent", true, change: "rm m.sig && byAgent"),
    Case("good by ssh-keygen", true, change: "rm m.sig && sign m"),
    Case("empty file", true, change: ": >m && rm m.sig && sign m"),
    Case("large file", true, change: "head -c 3000001 /dev/zero >m && rm m.sig && sign m"),
    Case("over SHA-256", true, change: "rm m.sig && sign -O hashalg=sha256 m"),
    Case("changed byte", false, change: "printf H | dd of=m conv=notrunc status=none"),
    Case("truncated file", false, change: "truncate -s -1 m"),
    Case("longer file", false, change: "echo >>m"),
    Case("file made empty", false, change: ": >m"),
    Case(
      "signature of another file", false, change: "cp m n && echo >>n && sign n && mv n.sig m.sig"),
    Case("made for another purpose", false, change: "rm m.sig && sign -n git m"),
    Case("another purpose asked for", false, namespace: "sums@ingot.dev"),
    Case("purpose of another case", false, namespace: "Package@ingot.dev"),
    Case("by another key", false, change: "rm m.sig && sign -f other m"),
    Case("by another key that may", true, list: "a@x OTHER", change: "rm m.sig && sign -f other m"),
  ]

  static let armours: [Case] = [
    Case("no newline at the end", true, signature: text { String($0.dropLast()) }),
    Case(
      "one long line", true,
      signature: text { text in
        let lines = text.split(separator: "\n")
        return [lines[0], lines[1..<(lines.count - 1)].joined()[...], lines[lines.count - 1]]
          .joined(separator: "\n")
      }),
    Case(
      "spaces and empty lines within", true,
      signature: text {
        $0.replacing("\nU1NI", with: "\n\n \tU1 NI")
      }),
    Case(
      "CRLF behind the first line", true,
      signature: text { text in
        let lines = text.split(separator: "\n", maxSplits: 1)
        return lines[0] + "\n" + lines[1].replacing("\n", with: "\r\n")
      }),
    Case("text behind the end", true, signature: text { $0 + "-----BEGIN SSH SIGNATURE-----\n" }),
    Case("text behind the last line", true, signature: text { $0.dropLast() + " and so on" }),
    Case("text before", false, signature: text { "Hash: SHA512\n" + $0 }),
    Case("newline before", false, signature: text { "\n" + $0 }),
    Case(
      "first line alone", false,
      signature: text {
        String($0.prefix { $0 != "\n" })
      }),
    Case(
      "space behind the first line", false,
      signature: text {
        $0.replacing("BEGIN SSH SIGNATURE-----", with: "BEGIN SSH SIGNATURE----- ")
      }),
    Case(
      "another armour", false,
      signature: text {
        $0.replacing("SSH SIGNATURE", with: "PGP SIGNATURE")
      }),
    Case("empty signature", false, signature: { _ in [] }),
    Case("truncated signature", false, signature: { Array($0.prefix(200)) }),
    Case("no last line", false, signature: text { $0.replacing("-----END", with: "----END") }),
    Case("bad base64", false, signature: text { $0.replacing("U1NI", with: "U1N*") }),
    Case("digits missing", false, signature: text { $0.replacing("\nU1NI", with: "\nU1N") }),
    Case(
      "zero byte within", false,
      signature: text {
        $0.replacing("\nU1NI", with: "\nU1NI\u{0}")
      }),
    Case("padding within", false, signature: text { $0.replacing("\nU1NI", with: "\nU1N=") }),
  ]

  static let blobs: [Case] = [
    Case("mark", false, signature: blob { [0x54] + $0.dropFirst() }),
    Case("version 0", true, signature: blob { changed($0, at: Place.version + 3, to: 0) }),
    Case("version 2", false, signature: blob { changed($0, at: Place.version + 3, to: 2) }),
    Case("bytes behind", false, signature: blob { $0 + [0] }),
    Case("bytes missing", false, signature: blob { $0.dropLast() }),
    Case(
      "something reserved", true,
      signature: blob {
        Array($0[..<Place.reserved]) + [0, 0, 0, 2, 7, 7] + $0[(Place.reserved + 4)...]
      }),
    Case(
      "hash sha1", false,
      signature: blob {
        Array($0[..<(Place.hash - 4)]) + [0, 0, 0, 4] + Array("sha1".utf8) + $0[(Place.hash + 6)...]
      }),
    Case("hash in capitals", false, signature: blob { changed($0, at: Place.hash, to: 0x53) }),
    Case(
      "the other hash", false,
      signature: blob {
        Array($0[..<Place.hash]) + Array("sha256".utf8) + $0[(Place.hash + 6)...]
      }),
    Case(
      "changed signature", false,
      signature: blob { blob in
        changed(blob, at: Place.signature, to: blob[Place.signature] ^ 1)
      }),
    Case(
      "lengths that do not fit", false,
      signature: blob {
        changed($0, at: Place.version + 4, to: 255)
      }),
  ]

  static let lists: [Case] = [
    Case("unknown key", false, list: "a@x OTHER"),
    Case("another name", false, identity: "b@x"),
    Case("empty name", false, identity: ""),
    Case("empty list", false, list: ""),
    Case("comments alone", false, list: "# a@x KEY"),
    Case("comment, spaces and a comment behind", true, list: "# x\n \t\n  a@x  KEY  a comment"),
    Case("tabs", true, list: "a@x\tKEY\tcomment"),
    Case("byte-order mark", false, list: "\u{FEFF}a@x KEY"),
    Case("byte-order mark before another line", true, list: "\u{FEFF}# x\na@x KEY"),
    Case("CRLF in the list", true, list: "a@x KEY\r\n"),
    Case("no newline at the end of the list", true, list: "a@x KEY"),
    Case("names in quotes", true, list: "\"a@x\" KEY"),
    Case("names in quotes, no space behind", true, list: "\"a@x\"KEY"),
    Case("names partly in quotes", true, list: "a\"@x\" KEY"),
    Case("name with a space", true, list: "\"a x\" KEY", identity: "a x"),
    Case("open quote in names", false, list: "\"a@x KEY"),
    Case("several names", true, list: "b@x,a@x,c@x KEY"),
    Case("star", true, list: "*@x KEY"),
    Case("question mark", true, list: "?@x KEY"),
    Case("question mark for nothing", false, list: "a?@x KEY"),
    Case("names of another case", false, list: "A@x KEY"),
    Case("excluded name", false, list: "*,!a@x KEY"),
    Case("another name excluded", true, list: "!b@x,*@x KEY"),
    Case("excluded names alone", false, list: "!b@x KEY"),
    Case("excluded in one line, allowed in the next", true, list: "*,!a@x KEY\na@x KEY"),
    Case("purposes", true, list: #"a@x namespaces="git,package@*" KEY"#),
    Case("purposes without this one", false, list: #"a@x namespaces="git,sums@*" KEY"#),
    Case("excluded purpose", false, list: #"a@x namespaces="*,!package@*" KEY"#),
    Case("no purposes", false, list: #"a@x namespaces="" KEY"#),
    Case("options in capitals", true, list: #"a@x NameSpaces="*",VALID-AFTER="20000101Z" KEY"#),
    Case("expired", false, list: #"a@x valid-before="20200101Z" KEY"#),
    Case("not yet valid", false, list: #"a@x valid-after="20990101Z" KEY"#),
    Case("valid", true, list: #"a@x valid-after="20200101",valid-before="20990101UTC" KEY"#),
    Case("two lines, the first expired", true, list: "a@x valid-before=\"20200101Z\" KEY\na@x KEY"),
    Case(
      "two lines, the second expired", true, list: "a@x KEY\na@x valid-before=\"20200101Z\" KEY"),
    Case(
      "minutes and seconds", true,
      list: #"a@x valid-before="209901010000",valid-after="20200101000000Z" KEY"#),
    Case("31 February", true, list: #"a@x valid-before="20990231Z" KEY"#),
    Case("spaces in a time", true, list: #"a@x valid-before="2099 1 1Z" KEY"#),
    Case("1970", false, list: #"a@x valid-after="19700101Z" KEY"#),
    Case("1969", false, list: #"a@x valid-after="19690101Z" KEY"#),
    Case("hour 24", false, list: #"a@x valid-before="209901012400Z" KEY"#),
    Case("time without quotes", false, list: "a@x valid-before=20990101Z KEY"),
    Case("time of another form", false, list: #"a@x valid-before="2099-01-01" KEY"#),
    Case(
      "before and after in the wrong order", false,
      list: #"a@x valid-after="20990101Z",valid-before="20200101Z" KEY"#),
    Case("an option twice", false, list: #"a@x namespaces="*",namespaces="*" KEY"#),
    Case("unknown option", false, list: "a@x no-touch-required KEY"),
    Case("unknown option, good line behind", true, list: "a@x no-touch-required KEY\na@x KEY"),
    Case("option with more behind", false, list: "a@x cert-authority2 KEY"),
    Case("comma behind options", false, list: #"a@x namespaces="*", KEY"#),
    Case("commas before options", true, list: #"a@x ,,namespaces="*" KEY"#),
    Case("open quote in options", false, list: #"a@x namespaces="* KEY"#),
    Case("quote within options", false, list: #"a@x namespaces="a\"b" KEY"#),
    Case("authority alone", false, list: "a@x cert-authority KEY"),
    Case("authority, then the key", true, list: "a@x cert-authority KEY\na@x KEY"),
    Case("name alone", false, list: "a@x"),
    Case("no key", false, list: "a@x cert-authority"),
    Case("damaged key", false, list: "a@x ssh-ed25519 AAAA"),
    Case("damaged line, good line behind", true, list: "a@x\nb\na@x ssh-foo x\na@x KEY"),
    Case("RSA key in another line", true, list: "a@x RSA\na@x KEY"),
    Case("type in capitals", false, list: "a@x SSHED KEY"),
    Case("zero byte behind the key", true, list: "a@x KEY\u{0} x"),
    Case("zero byte before the key", false, list: "a@x \u{0}KEY"),
  ]

  /// Adds the order of the group (RFC 8032, 5.1) to a number of 32 bytes, the lowest first.
  static func addingOrder(to number: [UInt8]) -> [UInt8] {
    let order = hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
    var carry = 0
    return zip(number, order).map { one, other in
      carry += Int(one) + Int(other)
      defer { carry >>= 8 }
      return UInt8(carry & 255)
    }
  }

  private static func changed(_ bytes: [UInt8], at place: Int, to byte: UInt8) -> [UInt8] {
    var bytes = bytes
    bytes[place] = byte
    return bytes
  }
}
