/// A public key in a line of text, as OpenSSH reads it: a type, white space, base64.
enum AuthorizedKey: Equatable {
  case ed25519(PublicKey)
  /// A key of another type that OpenSSH knows; it verifies nothing here.
  case other(type: String)

  private static let otherTypes: Set<String> = {
    let plain = [
      "ssh-rsa", "ssh-dss", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
      "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
    ]
    let certificates = (plain + [PublicKey.algorithm]).map { name in
      (name.hasSuffix("@openssh.com") ? String(name.dropLast(12)) : name)
        + "-cert-v01@openssh.com"
    }
    return Set(plain + certificates)
  }()

  /// Reads the key a text begins with.
  ///
  /// - Returns: the key and the offset behind its base64; nil when the text begins with none.
  static func read(_ text: [UInt8], at start: Int = 0) -> (key: AuthorizedKey, end: Int)? {
    let typeEnd = end(of: text, from: start)
    var blobStart = typeEnd
    while blobStart < text.count, isBlank(text[blobStart]) { blobStart += 1 }
    let blobEnd = end(of: text, from: blobStart)
    let type = String(decoding: text[start..<typeEnd], as: UTF8.self)
    guard type == PublicKey.algorithm || otherTypes.contains(type),
      let blob = Base64.decode(Array(text[blobStart..<blobEnd]), .whiteSpace)
    else { return nil }
    guard type == PublicKey.algorithm else { return (.other(type: type), blobEnd) }
    let key = PublicKey(blob: unsafe blob.span.bytes, 0..<blob.count)
    return key.map { (.ed25519($0), blobEnd) }
  }

  private static func end(of text: [UInt8], from start: Int) -> Int {
    text[start...].firstIndex(where: isBlank) ?? text.count
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
