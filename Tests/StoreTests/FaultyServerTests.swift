import Files
import TestSupport
import Testing
import Weights

@testable import Store

@Suite(.enabled(if: FaultyServer.python != nil, "python3 is not installed"))
struct FaultyServerTests {
  /// Gives up a blob of a few bytes at once. Results may have more bytes, and it gives those up as
  /// late as `endless`: for servers whose blobs never come.
  private static let hasty = Patience(
    connectMilliseconds: 3_600_000, slowSeconds: 3600, bytesPerSecond: 0,
    objectMilliseconds: 300, minRate: 100, longestMilliseconds: 3_600_000)

  /// - Parameter seconds: the clock by which lost time is counted; it does not advance by default.
  private func store(
    _ server: FaultyServer, _ patience: Patience = .endless,
    seconds: @escaping @Sendable () -> Double = { 0 }
  ) throws -> TestStore {
    try TestStore(
      remote: try RemoteStore(address: server.address, patience: patience, seconds: seconds))
  }

  struct Case: CustomTestStringConvertible {
    let fault: FaultyServer.Fault
    let warning: String
    var testDescription: String { fault.rawValue }
    /// Whether only a deadline ends the wait for a blob.
    var isEndless: Bool { [.hanging, .stalled, .trickling].contains(fault) }
  }

  static let cases = [
    Case(fault: .hanging, warning: "the remote store fails: timeout was reached"),
    Case(fault: .stalled, warning: "the remote store fails: timeout was reached"),
    Case(fault: .trickling, warning: "the remote store fails: timeout was reached"),
    Case(
      fault: .announcing,
      warning: "is corrupt and not used: announces 1152921504606846976 bytes, expected 7"),
    Case(
      fault: .endless,
      warning: "is corrupt and not used: has more than the 7 bytes expected"),
    Case(
      fault: .short, warning: "the remote store fails: transferred a partial file"),
    Case(fault: .cut, warning: "is corrupt and not used: announces 6 bytes, expected 7"),
    Case(fault: .failing, warning: "the remote store answers 500"),
    Case(
      fault: .failingForEver,
      warning: "the remote store fails: its page for an error has more than 65536 bytes"),
    Case(fault: .elsewhere, warning: "the remote store answers 302"),
    Case(
      fault: .babbling, warning: "the remote store fails: unsupported protocol"),
    Case(
      fault: .garbage,
      warning: "is corrupt and not used: has 7 bytes with SHA-256 "
        + "\(ContentDigest(of: [UInt8](repeating: 0, count: 7))), expected 7 bytes with SHA-256 "
        + "\(ContentDigest(ofText: "weights"))"),
  ]

  @Test func everyFaultIsTried() {
    #expect(Self.cases.count == FaultyServer.Fault.allCases.count)
  }

  @Test(arguments: cases) func aBadAnswerIsAWarningAndAMiss(_ test: Case) throws {
    let server = try FaultyServer(test.fault)
    try store(server).record(.named("a"), ["model": "weights"])
    let second = try store(server, test.isEndless ? Self.hasty : .endless)
    #expect(second.store.result(for: .named("a")) == nil)
    let blob = "\(server.address)/cas/\(ContentDigest(ofText: "weights"))"
    #expect(second.warnings == ["\(blob): \(test.warning)"])
    #expect(try second.files() == [])
  }

  /// A stall ends long before the deadline of the object. On a slow machine a result may take as long
  /// as a stall; it is asked for again then.
  @Test(arguments: [FaultyServer.Fault.hanging, .stalled, .trickling])
  func aStallEnds(_ fault: FaultyServer.Fault) throws {
    let server = try FaultyServer(fault)
    try store(server).record(.named("a"), ["model": "weights"])
    var patience = Patience.endless
    patience.slowSeconds = 1
    patience.bytesPerSecond = 1000
    var warnings: [String] = []
    repeat {
      let second = try store(server, patience)
      #expect(second.store.result(for: .named("a")) == nil)
      warnings = second.warnings
    } while warnings.first?.contains("/ac/") == true
    let blob = "\(server.address)/cas/\(ContentDigest(ofText: "weights"))"
    #expect(warnings == ["\(blob): the remote store fails: timeout was reached"])
  }

  @Test(arguments: [
    (0, 60_000), (250_000, 61_000), (25_000_000, 160_000), (.max, 1_800_000),
    (10_000_000_000, 1_800_000),
  ])
  func deadlinesFollowSizes(_ byteCount: Int, _ milliseconds: Int) {
    #expect(Patience().milliseconds(for: byteCount) == milliseconds)
  }

  @Test func blobsThatHangAreGivenUp() throws {
    let server = try FaultyServer(.hanging)
    let keys = (0..<5).map { ActionKey.named("\($0)") }
    let first = try store(server)
    for key in keys { try first.record(key, ["model": "weights \(key)"]) }
    let second = try store(server, Self.hasty)
    for key in keys { #expect(second.store.result(for: key) == nil) }
    #expect(second.warnings.count == 4)
    #expect(
      second.warnings.last
        == "\(server.address): failed 3 times in a row and is not asked for blobs again")
  }

  @Test func aRunLosesOnlySoMuchTime() throws {
    var patience = Self.hasty
    patience.lostSeconds = 20
    let readings = Mutex(0.0)
    let server = try FaultyServer(.hanging)
    let first = try store(server)
    try first.record(.named("a"), ["model": "weights"])
    try first.record(.named("b"), ["model": "others"])
    // Each request takes 15 seconds of a clock that is made up.
    let second = try store(server, patience) {
      readings.withLock { time in
        time += 15
        return time
      }
    }
    #expect(second.store.result(for: .named("a")) == nil)
    #expect(second.store.result(for: .named("b")) == nil)
    #expect(second.warnings.count == 2)
    #expect(second.warnings.last?.hasSuffix(" seconds for nothing and is not asked again") == true)
  }

  @Test(arguments: [1 << 50, Int.max])
  func promisesBeyondTheDiskAreNotFetched(_ byteCount: Int) throws {
    let server = try FaultyServer(.endless)
    let first = try store(server)
    let key = ActionKey.named("a")
    let outputs = ["m", "n"].map {
      ActionResult.Output(path: $0, digest: ContentDigest(ofText: $0), byteCount: byteCount)
    }
    let entry = try ActionResult(outputs: outputs, exitCode: 0).encoded(for: key)
    let file = first.scratch.path("entry")
    try AtomicFile.write(entry, to: file)
    try RemoteStore.patient(server.address).put(key, at: file) {
      Issue.record("\($0)")
    }
    let second = try store(server)
    #expect(second.store.result(for: key) == nil)
    #expect(second.warnings.count == 1)
    #expect(second.warnings.first?.contains("more than half of the ") == true)
    #expect(try second.files() == [])
  }

  /// Some servers thank for a file in words.
  @Test func aWordOfThanksIsPassedOver() throws {
    let server = try FaultyServer(nil, thanks: "OK\n")
    let first = try store(server)
    try first.record(.named("a"), ["model": "weights"])
    #expect(first.warnings == [])
    let second = try store(server)
    #expect(second.store.result(for: .named("a")) != nil, "\(second.warnings)")
  }

  @Test func aPageOfThanksWithoutEndIsNot() throws {
    let server = try FaultyServer(nil, thanks: String(repeating: "O", count: 65_537))
    let first = try store(server)
    try first.record(.named("a"), ["model": "weights"])
    let blob = "\(server.address)/cas/\(ContentDigest(ofText: "weights"))"
    #expect(first.warnings == ["\(blob): the remote store answers too much"])
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
