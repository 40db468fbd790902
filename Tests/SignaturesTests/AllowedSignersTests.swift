import TestSupport
import Testing

@testable import Signatures

/// One second after the beginning of 2026, UTC.
private let now = 1_767_225_601
private let one = Result { try KeyParts.signer(1) }
private let two = Result { try KeyParts.signer(2) }

@Suite struct AllowedSignersTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// `KEY` is the signer's line, `OTHER` another key's.
    let list: String
    var identity: String? = "a@x"
    /// Who signed, or the text of the error with its details.
    let outcome: Result<String, Refusal>

    struct Refusal: Error, Equatable {
      let lines: [String]
    }

    init(_ name: String, _ list: String, identity: String? = "a@x", is signer: String) {
      testDescription = name
      self.list = list
      self.identity = identity
      outcome = .success(signer)
    }

    init(_ name: String, _ list: String, identity: String? = "a@x", refused lines: [String]) {
      testDescription = name
      self.list = list
      self.identity = identity
      outcome = .failure(Refusal(lines: lines))
    }
  }

  static let cases: [Case] = [
    Case("plain", "a@x KEY", is: "a@x"),
    Case("no newline, comment", "# who\n\n  a@x KEY a comment", is: "a@x"),
    Case("anyone", "a@x,b@x KEY", identity: nil, is: "a@x"),
    Case("anyone by pattern", "!b@x,*@x KEY", identity: nil, is: "*@x"),
    Case(
      "options", #"a@x namespaces="git,n*",valid-after="2025" KEY"#,
      refused: [
        "s:1: 'valid-after' is no time of the form YYYYMMDD[HHMM[SS]][Z]"
      ]),
    Case("namespaces", #"a@x NAMESPACES="git,n*" KEY"#, is: "a@x"),
    Case("two lines, the first expired", "a@x valid-before=\"20251231Z\" KEY\na@x KEY", is: "a@x"),
    Case("the very last second", #"a@x valid-before="20260101000001Z" KEY"#, is: "a@x"),
    Case("the very first second", #"a@x valid-after="20260101000001Z" KEY"#, is: "a@x"),
    Case(
      "expired", #"a@x valid-before="202601010000Z" KEY"#, refused: ["s:1: the key has expired"]),
    Case(
      "not yet", #"a@x valid-after="20260101000002Z" KEY"#,
      refused: [
        "s:1: the key is not valid yet"
      ]),
    Case(
      "namespace", #"a@x namespaces="git" KEY"#,
      refused: [
        "s:1: the key may not sign for 'n'"
      ]),
    Case(
      "authority", "a@x cert-authority KEY",
      refused: [
        "s:1: the key is that of a certificate authority"
      ]),
    Case("another name", "b@x KEY", refused: ["s:1: the key is not that of 'a@x'"]),
    Case("nobody's", "!b@x KEY", identity: nil, refused: ["s:1: the key is nobody's"]),
    Case("unknown key", "a@x OTHER", refused: []),
    Case("empty", "", refused: []),
    Case("a faulty line and a good one", "a@x frobnicate KEY\na@x KEY", is: "a@x"),
    Case("unknown option", "a@x frobnicate KEY", refused: ["s:1: unknown key option"]),
    Case("no key", "a@x", refused: ["s:1: expected principals, options and a key"]),
    Case("options and no key", "a@x cert-authority", refused: ["s:1: the key is missing"]),
    Case("no such type", "a@x ssh-foo AAAA", refused: ["s:1: the key is none that OpenSSH knows"]),
    Case("open quote", "a@x namespaces=\"n KEY", refused: ["s:1: a quote is not closed"]),
    Case("no quote", "a@x namespaces=n KEY", refused: ["s:1: a value is not in quotes"]),
    Case("comma", "a@x cert-authority, KEY", refused: ["s:1: the options end with a comma"]),
    Case("twice", #"a@x namespaces="n",namespaces="n" KEY"#, refused: ["s:1: two 'namespaces'"]),
    Case(
      "after and before", #"a@x valid-after="20260102Z",valid-before="20260101Z" KEY"#,
      refused: ["s:1: 'valid-before' is not after 'valid-after'"]),
    Case("RSA lines are passed over", "a@x ssh-rsa AAAA\na@x KEY", is: "a@x"),
    Case(
      "byte-order mark", "\u{FEFF}a@x KEY", identity: nil,
      refused: ["s:1: begins with a byte-order mark; save the list as plain text without one"]),
    Case("quoted name with a space", "\"a@x\" KEY", is: "a@x"),
    Case("CRLF", "a@x KEY\r\n", is: "a@x"),
    Case("zero byte", "a@x OTHER\u{0}\na@x KEY", is: "a@x"),
  ]

  @Test(arguments: cases) func decides(_ test: Case) throws {
    let (key, other) = (try one.get().publicKey, try two.get().publicKey)
    let text = test.list.replacing("KEY", with: key.line).replacing("OTHER", with: other.line)
    let signers = AllowedSigners(Array(text.utf8), origin: "s")
    var outcome: Result<String, Case.Refusal>
    do throws(SignatureError) {
      let principal = try signers.principal(
        of: key, namespace: "n", identity: test.identity, at: now, origin: "f")
      #expect(principal.key == key)
      #expect(principal.namespace == "n")
      outcome = .success(principal.identity)
    } catch {
      outcome = .failure(Case.Refusal(lines: error.details))
      let who = test.identity.map { "'\($0)'" } ?? "nobody"
      let may = test.identity == nil ? "may sign" : "may not sign"
      #expect(error.description == "f: \(who) \(may) with the key \(key) by s")
    }
    #expect(outcome == test.outcome)
  }

  @Test func tellsWhyASignatureDoesNotHold() throws {
    let signer = try one.get()
    let signature = try SSHSignature(of: [1], origin: "f.sig", namespace: "n", by: signer)
    let signers = AllowedSigners(Array("a@x \(signer.publicKey.line)".utf8), origin: "s")
    #expect(
      try signers.verify(signature, of: [1], origin: "f", namespace: "n", at: now).identity
        == "a@x")
    let changed = try #require(throws: SignatureError.self) {
      try signers.verify(signature, of: [2], origin: "f", namespace: "n", at: now)
    }
    #expect(
      changed.description == "f.sig: does not fit f: the file or the signature has changed")
    let purpose = try #require(throws: SignatureError.self) {
      try signers.verify(signature, of: [1], origin: "f", namespace: "m", at: now)
    }
    #expect(purpose.description == "f.sig: is made for 'n', expected 'm'")
  }

  @Test func faultyLinesAreKept() throws {
    let signers = AllowedSigners(Array("x\n\n# y\nz z z\n".utf8), origin: "s")
    #expect(
      signers.faults == [
        "s:1: expected principals, options and a key", "s:4: the key is none that OpenSSH knows",
      ])
  }

  @Test func missingListIsNamed() throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    let path = scratch.path("signers")
    let error = try #require(throws: SignatureError.self) { try AllowedSigners(path: path) }
    #expect(error.description == "\(path): cannot open: no such file or directory")
  }

  @Test(arguments: [
    ("20260101Z", 1_767_225_600), ("20260101z", 1_767_225_600), ("20260101UTC", 1_767_225_600),
    ("202601010102Z", 1_767_229_320), ("20260101010203Z", 1_767_229_323),
    ("20240229Z", 1_709_164_800), ("20230229Z", 1_677_628_800), ("19700101000001Z", 1),
    ("2026 1 1Z", 1_767_225_600), ("19700101Z", nil), ("19691231Z", nil), ("20261301Z", nil),
    ("20260100Z", nil), ("20260132Z", nil), ("202601012400Z", nil), ("202601010060Z", nil),
    ("20260101000062Z", nil), ("2026", nil), ("", nil), ("Z", nil), ("UTC", nil),
    ("2026-1-1Z", nil), ("202601011Z", nil), ("20260101ZZ", nil), ("20260101 Z", nil),
  ]) func readsTimes(_ text: String, _ seconds: Int?) {
    #expect(ValidityTime.seconds(Array(text.utf8)) == seconds)
  }
}
