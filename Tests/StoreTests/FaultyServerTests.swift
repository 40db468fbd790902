import Files
import Testing
import Weights

@testable import Store

@Suite(.enabled(if: FaultyServer.python != nil, "python3 is not installed"))
struct FaultyServerTests {
  private static let patience = Patience(
    connectMilliseconds: 1000, slowSeconds: 1, bytesPerSecond: 1000)

  private func store(_ server: FaultyServer) throws -> TestStore {
    try TestStore(
      remote: try RemoteStore(address: server.address, patience: Self.patience))
  }

  struct Case: CustomTestStringConvertible {
    let fault: FaultyServer.Fault
    let warning: String
    var testDescription: String { fault.rawValue }
  }

  static let cases = [
    Case(fault: .hanging, warning: "the remote store fails: timeout was reached"),
    Case(fault: .stalled, warning: "the remote store fails: timeout was reached"),
    Case(
      fault: .endless,
      warning: "is corrupt and not used: has more than the 7 bytes expected"),
    Case(
      fault: .short, warning: "the remote store fails: transferred a partial file"),
    Case(
      fault: .cut,
      warning: "is corrupt and not used: has 6 bytes with SHA-256 "
        + "\(ContentDigest(ofText: "weight")), expected 7 bytes with SHA-256 "
        + "\(ContentDigest(ofText: "weights"))"),
    Case(fault: .failing, warning: "the remote store answers 500"),
    Case(
      fault: .failingForEver,
      warning: "the remote store fails: its page for an error has more than 65536 bytes"),
    Case(fault: .elsewhere, warning: "the remote store answers 302"),
    Case(
      fault: .babbling, warning: "the remote store fails: unsupported protocol"),
  ]

  @Test func everyFaultIsTried() {
    #expect(Self.cases.count == FaultyServer.Fault.allCases.count)
  }

  @Test(arguments: cases) func aBadAnswerIsAWarningAndAMiss(_ test: Case) throws {
    let server = try FaultyServer(test.fault)
    try store(server).record(.named("a"), ["model": "weights"])
    let second = try store(server)
    let start = System.monotonicSeconds()
    #expect(second.store.result(for: .named("a")) == nil)
    #expect(System.monotonicSeconds() - start < 10)
    let blob = "\(server.address)/cas/\(ContentDigest(ofText: "weights"))"
    #expect(second.warnings == ["\(blob): \(test.warning)"])
    #expect(try second.files() == [])
  }
}

@Suite struct RemoteAddressTests {
  @Test func credentialsAreKeptApart() throws {
    let address = try RemoteAddress("https://ann:s%40cret@cache.example:8443/ingot//")
    #expect("\(address)" == "https://cache.example:8443/ingot")
    #expect(address.user == "ann" && address.password == "s@cret")
    #expect("\(try RemoteAddress("http://localhost"))" == "http://localhost")
  }

  struct Case: CustomTestStringConvertible {
    let text: String
    let message: String
    var testDescription: String { text }
  }

  static let bad = [
    Case(
      text: "ftp://ann:secret@host/a",
      message: "ftp://host/a: cannot be a remote store: its scheme is 'ftp', "
        + "expected 'http' or 'https'"),
    Case(
      text: "file:///etc/passwd",
      message: "file:///etc/passwd: cannot be a remote store: its scheme is 'file', "
        + "expected 'http' or 'https'"),
    Case(
      text: "http://ann:secret@host/a?key=1",
      message: "http://host/a?key=1: cannot be a remote store: it has a query"),
    Case(
      text: "http://host/a#b",
      message: "http://host/a#b: cannot be a remote store: it has a fragment"),
  ]

  @Test(arguments: bad) func otherAddressesAreRefused(_ test: Case) {
    #expect { try RemoteAddress(test.text) } throws: { "\($0)" == test.message }
  }

  @Test(arguments: ["", "host", "host/path", "http://", "http:// host", "ann:secret@host", "::"])
  func whatIsNoAddressIsNotShown(_ text: String) {
    #expect { try RemoteAddress(text) } throws: { error in
      "\(error)".hasPrefix("the address given: cannot be a remote store: ")
    }
  }
}
