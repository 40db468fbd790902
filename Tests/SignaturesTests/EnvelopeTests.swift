import Foundation
import StrictJSON
import TestSupport
import Testing

@testable import Signatures

private let now = 1_767_225_601
private let type = "application/vnd.in-toto+json"

@Suite struct EnvelopeTests {
  let signer: TestSigner
  let signers: AllowedSigners

  init() throws {
    signer = try KeyParts.signer(1)
    signers = AllowedSigners(Array("a@x \(signer.publicKey.line)".utf8), origin: "s")
  }

  private func open(_ envelope: Envelope) throws(SignatureError) -> Envelope.Opened {
    try envelope.open(by: signers, type: type, namespace: "p", at: now)
  }

  /// The example of DSSE's own protocol page.
  @Test func encodesAsTheProtocolSays() {
    #expect(
      Envelope.message(Array("hello world".utf8), type: "http://example.com/HelloWorld")
        == Array("DSSEv1 29 http://example.com/HelloWorld 11 hello world".utf8))
    #expect(Envelope.message([], type: "é") == Array("DSSEv1 2 é 0 ".utf8))
  }

  @Test func handsOutWhatWasSigned() throws {
    let payload = Array(#"{"a": "é"}"#.utf8)
    let made = try Envelope(payload: payload, type: type, origin: "e", by: signer)
    #expect(made.json.last == 0x0A)
    #expect(made.json.filter { $0 == 0x0A }.count == 1)
    #expect(
      String(decoding: made.json, as: UTF8.self).hasPrefix(
        #"{"payload":"eyJhIjogIsOpIn0=","payloadType":"application/vnd.in-toto+json","signatures":"#
          + #"[{"keyid":"SHA256:"#))
    let read = try Envelope(json: made.json, origin: "e")
    #expect(read.json == made.json)
    let opened = try open(read)
    #expect(opened.payload == payload)
    #expect(opened.signer.identity == "a@x")
    #expect(opened.signer.key == signer.publicKey)
  }

  /// A name for the key is a hint: wrong, missing or twice, the signature counts.
  @Test(arguments: [#""keyid":"other","#, #""keyid":"","#, #""keyid":null,"#, "", #""x":[1],"#])
  func passesOverTheNameOfTheKey(_ name: String) throws {
    let made = try Envelope(payload: [1, 2], type: type, origin: "e", by: signer)
    let text = String(decoding: made.json, as: UTF8.self)
      .replacing(/"keyid":"[^"]*",/, with: name)
    #expect(try open(Envelope(json: Array(text.utf8), origin: "e")).payload == [1, 2])
  }

  @Test func readsBothAlphabets() throws {
    let payload: [UInt8] = [0xFB, 0xEF, 0xFF, 0xFF]
    let made = try Envelope(payload: payload, type: type, origin: "e", by: signer)
    let text = String(decoding: made.json, as: UTF8.self)
    #expect(text.contains("++///w=="))
    let other = text.replacing("++///w==", with: "--___w==")
    #expect(try open(Envelope(json: Array(other.utf8), origin: "e")).payload == payload)
  }

  @Test func anyGoodSignatureIsEnough() throws {
    let made = try Envelope(payload: [1], type: type, origin: "e", by: signer)
    let other = try Envelope(payload: [1], type: type, origin: "e", by: try KeyParts.signer(2))
    let both = Envelope(
      origin: "e", payloadType: type, payload: [1], signatures: other.signatures + made.signatures)
    #expect(try open(both).signer.identity == "a@x")
    let error = try #require(throws: SignatureError.self) { try open(other) }
    #expect(error.description == "e: holds no signature of a key that s names")
  }

  @Test func whatIsNotSignedIsNotHandedOut() throws {
    let made = try Envelope(payload: [1, 2, 3], type: type, origin: "e", by: signer)
    let changed: [Envelope] = [
      Envelope(
        origin: "e", payloadType: type, payload: [1, 2, 4], signatures: made.signatures),
      Envelope(origin: "e", payloadType: type, payload: [], signatures: made.signatures),
      Envelope(
        origin: "e", payloadType: type, payload: [1, 2, 3],
        signatures: [.init(keyID: signer.publicKey.fingerprint, bytes: [])]),
      Envelope(origin: "e", payloadType: type, payload: [1, 2, 3], signatures: []),
    ]
    for envelope in changed {
      let error = try #require(throws: SignatureError.self) { try open(envelope) }
      #expect(
        error.description
          == (envelope.signatures.isEmpty
            ? "e: holds no signature of a key that s names"
            : "e: the statement or its signature has changed"))
    }
    let other = Envelope(
      origin: "e", payloadType: "text/plain", payload: [1, 2, 3], signatures: made.signatures)
    let error = try #require(throws: SignatureError.self) { try open(other) }
    #expect(
      error.description == "e: holds 'text/plain', expected 'application/vnd.in-toto+json'")
    #expect(throws: SignatureError.self) {
      try other.open(by: signers, type: "text/plain", namespace: "p", at: now)
    }
  }

  @Test func theListDecides() throws {
    let made = try Envelope(payload: [1], type: type, origin: "e", by: signer)
    let list = #"a@x namespaces="package@*" \#(signer.publicKey.line)"#
    let others = AllowedSigners(Array(list.utf8), origin: "s")
    let error = try #require(throws: SignatureError.self) {
      try made.open(by: others, type: type, namespace: "provenance@ingot.dev", at: now)
    }
    #expect(error.details == ["s:1: the key may not sign for 'provenance@ingot.dev'"])
  }

  @Test(arguments: [
    ("{}", "e:1:1: the key 'signatures' is missing"),
    (#"{"signatures":[]}"#, "e:1:15: 0 signatures, expected 1...16"),
    (
      #"{"signatures":[\#(String(repeating: "{},", count: 16)){}]}"#,
      "e:1:15: 17 signatures, expected 1...16"
    ),
    (#"{"signatures":[{"sig":"AA=="}]}"#, "e:1:1: the key 'payloadType' is missing"),
    (
      #"{"payload":"A","payloadType":"t","signatures":[{"sig":"AA=="}]}"#,
      "e:1:12: 'payload' is no base64"
    ),
    (
      #"{"payload":"_+==","payloadType":"t","signatures":[{"sig":"A"}]}"#,
      "e:1:12: 'payload' is no base64"
    ),
    (
      #"{"payload":"","payloadType":"t","signatures":[{"sig":"A"}]}"#,
      "e:1:54: 'sig' is no base64"
    ),
    (
      #"{"payload":"","payloadType":"t","signatures":[3]}"#,
      "e:1:47: 'signatures' is the number 3, expected objects"
    ),
    ("[]", "e:1:1: is an array of 0, expected an object"),
    ("{}\n{}", "e:2:1: text after the value"),
    (#"{"payload":"","payload":""}"#, "e:1:15: the key 'payload' appears twice in one object"),
  ]) func refusesWhatIsNone(_ text: String, _ message: String) throws {
    let error = try #require(throws: SignatureError.self) {
      try Envelope(json: Array(text.utf8), origin: "e")
    }
    #expect(error.description == message)
  }

  @Test func refusesWhatIsTooLarge() throws {
    let bytes: [UInt8] = Array(repeating: 0x20, count: Envelope.sizeLimit + 1)
    let error = try #require(throws: SignatureError.self) {
      try Envelope(json: bytes, origin: "e")
    }
    #expect(
      error.description == "e: has 4194305 bytes, an envelope has at most 4194304")
  }

  /// OpenSSL makes the same signature of the same bytes and takes ours.
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "openssl is needed"))
  func opensslMakesTheSameSignature() throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    let made = try Envelope(payload: Array("{}".utf8), type: type, origin: "e", by: signer)
    try scratch.writePrivate("message", Envelope.message(Array("{}".utf8), type: type))
    try scratch.writePrivate("signature", made.signatures[0].bytes)
    // PKCS #8 and SPKI of RFC 8410: a fixed head before the seed and before the public key.
    try scratch.writePrivate(
      "k", hex("302e020100300506032b657004220420") + Array(repeating: 1, count: 32))
    try scratch.writePrivate("p", hex("302a300506032b6570032100") + signer.publicKey.bytes)
    try Tool.succeed(
      "openssl pkeyutl -sign -rawin -inkey k -keyform DER -in message -out theirs",
      in: scratch.path)
    #expect(try scratch.bytes("theirs") == Data(made.signatures[0].bytes))
    try Tool.succeed(
      "openssl pkeyutl -verify -pubin -rawin -inkey p -keyform DER -in message -sigfile signature",
      in: scratch.path)
  }
}

@Suite struct AttestedSubjectsTests {
  @Test func findsADigest() throws {
    let text = """
      {"_type":"https://in-toto.io/Statement/v1","subject":[
       {"name":"a","digest":{"sha256":"aa"}},{"digest":{"sha256":"bb","sha512":"c"}}],
       "predicateType":"https://slsa.dev/provenance/v1",
       "predicate":{"buildDefinition":{"buildType":"https://ingot.dev/package/v1"}}}
      """
    let subjects = try AttestedSubjects(Array(text.utf8), origin: "e")
    #expect(subjects.contains(sha256: "bb"))
    #expect(!subjects.contains(sha256: "c"))
    #expect(subjects.description == "'aa', 'bb'")
  }

  /// The longer digest counts only for the file that it is named beside, and only where it is one.
  @Test func findsTheLongerDigest() throws {
    let long = String(repeating: "0f", count: 64)
    let text = """
      {"_type":"https://in-toto.io/Statement/v1","subject":[
       {"name":"a","digest":{"sha256":"aa","sha512":"\(long)"}},{"name":"b","digest":{"sha256":"bb"}},
       {"name":"c","digest":{"sha256":"cc","sha512":"0F\(long.dropFirst(2))"}},
       {"name":"d","digest":{"sha256":"dd","sha512":"\(long)"}},
       {"name":"d","digest":{"sha256":"dd","sha512":"\(long)"}}],
       "predicateType":"https://slsa.dev/provenance/v1",
       "predicate":{"buildDefinition":{"buildType":"https://ingot.dev/package/v1"}}}
      """
    let subjects = try AttestedSubjects(Array(text.utf8), origin: "e")
    #expect(
      subjects.sha512(ofSHA256: "aa", named: "a") == Array(repeating: UInt8(0x0F), count: 64))
    for (digest, name) in [("aa", "b"), ("bb", "b"), ("bb", "a"), ("cc", "c"), ("dd", "d")] {
      #expect(subjects.sha512(ofSHA256: digest, named: name) == nil, "\(name)")
    }
  }

  @Test(arguments: [
    (#"{}"#, "e: payload:1:1: the key '_type' is missing"),
    (
      #"{"_type":"x"}"#,
      "e: payload:1:10: '_type' is the string \"x\", expected \"https://in-toto.io/Statement/v1\""
    ),
    (
      #"{"_type":"https://in-toto.io/Statement/v1","subject":[1]}"#,
      "e: payload:1:55: 'subject' is the number 1, expected an object"
    ),
    (
      #"{"_type":"https://in-toto.io/Statement/v1","subject":[{"digest":{}}]}"#,
      "e: payload:1:65: the key 'sha256' is missing"
    ),
    (
      #"{"_type":"https://in-toto.io/Statement/v1","subject":[],"predicateType":"scan"}"#,
      "e: payload:1:73: 'predicateType' is the string \"scan\", expected "
        + "\"https://slsa.dev/provenance/v1\""
    ),
    (
      #"{"_type":"https://in-toto.io/Statement/v1","subject":[],"#
        + #""predicateType":"https://slsa.dev/provenance/v1","predicate":{"#
        + #""buildDefinition":{"buildType":"make"}}}"#,
      "e: payload:1:150: 'buildType' is the string \"make\", expected "
        + "\"https://ingot.dev/package/v1\""
    ),
  ]) func refuses(_ text: String, _ message: String) throws {
    let error = try #require(throws: SignatureError.self) {
      try AttestedSubjects(Array(text.utf8), origin: "e")
    }
    #expect(error.description == message)
  }
}
