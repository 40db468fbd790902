import Files
import StrictJSON

/// One conversation with an ssh-agent (draft-miller-ssh-agent): a request, an answer.
///
/// The agent is not trusted: sizes and counts are bounded, and every wait ends.
struct AgentConnection: ~Copyable {
  /// Most bytes of an answer, and most keys in one; OpenSSH has the same bounds.
  static let answerLimit = 256 * 1024
  static let keyLimit = 2048

  /// How long to wait for an answer, in seconds.
  struct Patience: Sendable {
    /// A list of keys comes at once.
    var listing = 10.0
    /// A signature may need someone's consent.
    var signing = 60.0
  }

  private enum Message {
    static let failure: UInt8 = 5
    static let listKeys: UInt8 = 11
    static let keys: UInt8 = 12
    static let sign: UInt8 = 13
    static let signature: UInt8 = 14
  }

  private let socket: LocalSocket
  private let patience: Patience

  init(path: String, patience: Patience = Patience()) throws(SignatureError) {
    self.patience = patience
    do throws(FileError) {
      socket = try LocalSocket(path: path, seconds: patience.listing)
    } catch {
      throw .agent(fault: "\(error)", hint: AgentConnection.start)
    }
  }

  static let start =
    #"start one with 'eval "$(ssh-agent)"', then hand it the key with 'ssh-add KEY'"#

  /// The blobs of the keys the agent holds.
  func keys() throws(SignatureError) -> [[UInt8]] {
    let answer = try ask(Message.listKeys, [], expecting: Message.keys, patience.listing)
    return try read(answer) { bytes, reader in
      let count = try reader.number(bytes)
      guard count <= AgentConnection.keyLimit else { throw SSHReader.Truncated() }
      return try (0..<count).map { _ in
        let blob = try reader.string(bytes)
        _ = try reader.string(bytes)
        return bytes.array(blob)
      }
    }
  }

  /// The Ed25519 signature of some bytes by a key that the agent holds.
  func sign(_ message: [UInt8], by key: PublicKey) throws(SignatureError) -> [UInt8] {
    var request = SSHWriter()
    request.string(key.blob)
    request.string(message)
    request.number(0)
    let answer = try ask(
      Message.sign, request.bytes, expecting: Message.signature, patience.signing)
    return try read(answer) { bytes, reader in
      var signature = SSHReader(try reader.string(bytes))
      guard bytes.holds(PublicKey.algorithm, try signature.string(bytes)) else {
        throw SSHReader.Truncated()
      }
      return bytes.array(try signature.string(bytes))
    }
  }

  /// - Returns: the answer without its length and its type.
  private func ask(
    _ type: UInt8, _ content: [UInt8], expecting expected: UInt8, _ seconds: Double
  ) throws(SignatureError) -> [UInt8] {
    var request = SSHWriter()
    request.string([type] + content)
    let answer: [UInt8]
    do throws(FileError) {
      try socket.send(request.bytes, seconds: patience.listing)
      let length = try socket.receive(4, seconds: seconds).reduce(0) { $0 << 8 | Int($1) }
      guard (1...AgentConnection.answerLimit) ~= length else {
        throw FileError.failed(
          doing: "receive", path: socket.path, reason: "an answer of \(length) bytes")
      }
      answer = try socket.receive(length, seconds: patience.listing)
    } catch {
      throw .agent(fault: "\(error)", hint: AgentConnection.start)
    }
    guard answer[0] == expected else {
      let isFailure = answer[0] == Message.failure
      throw .agent(
        fault: isFailure ? "refused to do it" : "gave an answer of type \(answer[0])",
        hint: "see 'ssh-add -l'; a key may be locked, or need a confirmation that did not come")
    }
    return Array(answer.dropFirst())
  }

  private func read<Part>(
    _ answer: [UInt8], _ body: (RawSpan, inout SSHReader) throws -> Part
  ) throws(SignatureError) -> Part {
    var reader = SSHReader(0..<answer.count)
    guard let part = try? body(unsafe answer.span.bytes, &reader), reader.isAtEnd else {
      throw .agent(fault: "gave a malformed answer", hint: AgentConnection.start)
    }
    return part
  }
}
