import Files
import StrictJSON

/// The bytes of a signature and the text around them.
extension SSHSignature {
  private static let label = "SSH SIGNATURE"

  /// The content of the `.sig` file: byte for byte as `ssh-keygen -Y sign` writes it.
  package var armoured: [UInt8] { Armour.encode(blob, label: SSHSignature.label) }

  var blob: [UInt8] {
    var algorithmAndSignature = SSHWriter()
    algorithmAndSignature.string(PublicKey.algorithm)
    algorithmAndSignature.string(signature)
    var writer = SSHWriter(SSHSignature.magic)
    writer.number(SSHSignature.version)
    writer.string(key.blob)
    writer.string(namespace)
    writer.string("")
    writer.string(hash.rawValue)
    writer.string(algorithmAndSignature.bytes)
    return writer.bytes
  }

  /// Reads a signature file.
  package init(path: String) throws(SignatureError) {
    let text: [UInt8]
    do throws(FileError) {
      text = try MappedFile.contents(of: path, limit: SSHSignature.sizeLimit)
    } catch {
      throw .unreadable(error)
    }
    try self.init(armoured: text, origin: path)
  }

  /// Reads the content of a signature file, as strictly as OpenSSH does.
  ///
  /// - Parameter origin: the file, for messages.
  package init(armoured text: [UInt8], origin: String) throws(SignatureError) {
    do throws(Armour.Fault) {
      let bytes = unsafe text.span.bytes
      let body = try Armour.body(of: bytes, label: SSHSignature.label)
      guard let blob = Base64.decode(Array(text[body]), .whiteSpace) else {
        throw Armour.Fault("is no base64 between its first and its last line")
      }
      try self.init(blob: unsafe blob.span.bytes, origin: origin)
    } catch {
      throw .malformed(origin: origin, fault: error.words)
    }
  }

  private init(blob bytes: RawSpan, origin: String) throws(Armour.Fault) {
    do {
      self = try SSHSignature.parse(bytes, origin)
    } catch let fault as Armour.Fault {
      throw fault
    } catch {
      throw Armour.Fault("the signature ends too early")
    }
  }

  private static func parse(_ bytes: RawSpan, _ origin: String) throws -> SSHSignature {
    var reader = SSHReader(0..<bytes.byteCount)
    guard bytes.holds(magic, try reader.take(magic.utf8.count)) else {
      throw Armour.Fault("holds no SSH signature")
    }
    let version = try reader.number(bytes)
    guard version <= SSHSignature.version else {
      throw Armour.Fault("is of version \(version), known is \(SSHSignature.version)")
    }
    let key = try reader.string(bytes)
    let namespace = bytes.array(try reader.string(bytes))
    // Reserved for later versions of the format; the signed bytes always have it empty.
    _ = try reader.string(bytes)
    let hashName = try reader.string(bytes)
    let signature = try reader.string(bytes)
    guard reader.isAtEnd else {
      throw Armour.Fault("\(reader.rest.count) bytes follow the signature")
    }
    guard let hash = HashAlgorithm(rawValue: bytes.text(hashName)) else {
      throw Armour.Fault(
        "is made over the hash \(quoted(bytes.text(hashName))), known are sha256 and sha512")
    }
    return SSHSignature(
      origin: origin, key: try publicKey(bytes, key), namespace: try text(of: namespace),
      hash: hash, signature: try ed25519(bytes, signature))
  }

  private static func publicKey(_ bytes: RawSpan, _ range: Range<Int>) throws -> PublicKey {
    if let key = PublicKey(blob: bytes, range) { return key }
    var reader = SSHReader(range)
    let algorithm = bytes.text(try reader.string(bytes))
    guard algorithm == PublicKey.algorithm else {
      throw Armour.Fault(
        "is made by a key of type \(quoted(algorithm)); only \(PublicKey.algorithm) is supported")
    }
    throw Armour.Fault("its public key is damaged")
  }

  private static func text(of namespace: [UInt8]) throws(Armour.Fault) -> String {
    guard let text = String(utf8: namespace), !text.isEmpty else {
      throw Armour.Fault("its namespace is empty or no text")
    }
    return text
  }

  private static func ed25519(_ bytes: RawSpan, _ range: Range<Int>) throws -> [UInt8] {
    var reader = SSHReader(range)
    let algorithm = bytes.text(try reader.string(bytes))
    guard algorithm == PublicKey.algorithm else {
      throw Armour.Fault(
        "its signature is of type \(quoted(algorithm)), its key of \(PublicKey.algorithm)")
    }
    let signature = try reader.string(bytes)
    guard reader.isAtEnd, signature.count == 64 else {
      throw Armour.Fault("its Ed25519 signature has \(signature.count) bytes, expected 64")
    }
    return bytes.array(signature)
  }
}
