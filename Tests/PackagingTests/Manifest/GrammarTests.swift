import PackageNames
import TestSupport
import Testing

@testable import Packaging

@Suite struct PackagePathTests {
  @Test(arguments: [
    "manifest.json", "a", "_", "models/x/model.safetensors", "A-b.c_d/0",
    String(repeating: "a", count: 99), long(3, 99), long(20, 100), long(99, 60), long(60, 98),
  ])
  func accepts(_ path: String) throws {
    #expect(try PackagePath(path).string == path)
  }

  /// Two parts of so many bytes.
  static func long(_ first: Int, _ second: Int) -> String {
    String(repeating: "m", count: first) + "/" + String(repeating: "n", count: second)
  }

  @Test(arguments: [
    "", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", ".hidden", "-a", "a b", "a\\b", "a\n",
    "é", "a:b", "a\0b", "CON\n", "a/.b",
  ])
  func refuses(_ path: String) {
    #expect(throws: PackagingError.self) { try PackagePath(path) }
  }

  @Test func refusesLongPaths() {
    let path = String(repeating: "a", count: 100)
    #expect(
      message { _ = try PackagePath(path) }
        == "'\(path)' is not a path a package may hold: has 100 bytes, at most 99 fit")
  }

  @Test(arguments: [(1, 101, 99), (156, 2, 99), (100, 60, 160)])
  func refusesPathsThatNoHeaderHolds(_ first: Int, _ second: Int, _ limit: Int) {
    let path = Self.long(first, second)
    #expect(
      message { _ = try PackagePath(path) }
        == "'\(path.prefix(120))' is not a path a package may hold: "
        + "has \(first + 1 + second) bytes, at most \(limit) fit")
  }

  @Test func quotesHostilePaths() {
    #expect(
      message { _ = try PackagePath("a\u{1B}[2J/é") }
        == "'a\\u001b[2J/\\u00e9' is not a path a package may hold: "
        + "each part must match [A-Za-z0-9_][A-Za-z0-9._-]*")
  }
}

@Suite struct SemanticVersionTests {
  /// The chain of section 11 of the standard, and its neighbours.
  @Test func orders() throws {
    let chain = [
      "0.0.1", "0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
      "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0",
    ].compactMap(SemanticVersion.init)
    #expect(chain.count == 14)
    for (left, right) in zip(chain, chain.dropFirst()) {
      #expect(left < right)
      #expect(!(right < left))
    }
  }

  @Test(arguments: [
    "", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3+", "1.2.3-a..b", "1.2.3-01", "v1.2.3",
    "1.2.x", " 1.2.3", "1.2.3\n", "-1.2.3", "1.2.3-é", "99999999999999999999.0.0",
    "1.2.3-" + String(repeating: "a", count: 60),
  ])
  func refuses(_ text: String) {
    #expect(SemanticVersion(text) == nil)
  }

  @Test(arguments: ["0.0.0", "1.4.0", "1.0.0-x.7.z.92", "1.0.0+20130313144700", "1.0.0-0A.is+b-1"])
  func keepsTheText(_ text: String) {
    #expect(SemanticVersion(text)?.description == text)
  }
}

@Suite struct TimestampTests {
  struct Case: CustomTestStringConvertible {
    let seconds: Int
    let text: String
    var testDescription: String { text }
  }

  // From `date -u -d @SECONDS +%FT%TZ`.
  @Test(arguments: [
    Case(seconds: 0, text: "1970-01-01T00:00:00Z"),
    Case(seconds: 951_782_399, text: "2000-02-28T23:59:59Z"),
    Case(seconds: 951_782_400, text: "2000-02-29T00:00:00Z"),
    Case(seconds: 951_868_800, text: "2000-03-01T00:00:00Z"),
    Case(seconds: 1_795_219_200, text: "2026-11-21T00:00:00Z"),
    Case(seconds: 4_107_542_400, text: "2100-03-01T00:00:00Z"),
    Case(seconds: 8_589_934_591, text: "2242-03-16T12:56:31Z"),
  ])
  func prints(_ item: Case) {
    #expect(Timestamp(seconds: item.seconds)?.description == item.text)
  }

  @Test(arguments: ["-1", "8589934592", "1.5", "0x10", " 1", "now", "٣"])
  func refuses(_ text: String) {
    #expect(
      message { _ = try Timestamp(sourceDateEpoch: text) }
        == "'SOURCE_DATE_EPOCH' is '\(text.asciiEscaped)', "
        + "expected seconds since 1970, at most 8589934591")
  }

  @Test func defaultsTo1970() throws {
    #expect(try Timestamp(sourceDateEpoch: nil).seconds == 0)
    #expect(try Timestamp(sourceDateEpoch: "").seconds == 0)
    #expect(try Timestamp(sourceDateEpoch: "12").seconds == 12)
  }
}

@Suite struct IdentifiersTests {
  @Test(arguments: ["con", "CON", "aux.v2", "nul", "PRN", "com1", "LPT9.txt", "model."])
  func namesThatWindowsCannotUnpack(_ name: String) {
    #expect(!Identifiers.isPortable(name))
  }

  @Test(arguments: ["console", "com", "com0", "com10", "lpt", "model.v2", "_con", "c.on"])
  func namesThatWindowsUnpacks(_ name: String) {
    #expect(Identifiers.isPortable(name))
  }

  @Test func appIDs() {
    #expect(Identifiers.isAppID("c2d67cdb-e117-4c3e-acca-2ae7f1a42210"))
    for text in [
      "C2D67CDB-E117-4C3E-ACCA-2AE7F1A42210", "c2d67cdbe1174c3eacca2ae7f1a42210", "",
      "c2d67cdb-e117-4c3e-acca-2ae7f1a4221", "c2d67cdb-e117-4c3e-acca-2ae7f1a4221g",
      "c2d67cdb-e117-4c3e-acca-2ae7f1a42210-", "c2d67cdb-e117-4c3e-acca-2ae7f1a42210\n",
    ] {
      #expect(!Identifiers.isAppID(text))
    }
  }

  @Test func bundleIdentifiers() {
    for text in ["com.example.app", "a.b", "com.My-App.0"] {
      #expect(Identifiers.isBundleIdentifier(text))
    }
    for text in ["", "com", "com.", ".com", "com..a", "com.a_b", "com.é", "com.a\n", "com.@"] {
      #expect(!Identifiers.isBundleIdentifier(text))
    }
  }

  @Test func flowNames() {
    #expect(Identifiers.isFlowName("onboarding_upsell"))
    #expect(Identifiers.isFlowName(String(repeating: "a", count: 64)))
    for text in ["", "A", "a-b", "a.b", "a/b", "é", String(repeating: "a", count: 65)] {
      #expect(!Identifiers.isFlowName(text))
    }
  }

  @Test func decimals() {
    for text in ["0", "-0", "1", "-1.5", "0.001", "10.0"] { #expect(Identifiers.isDecimal(text)) }
    for text in ["", "-", "01", "1.", ".5", "1e5", "+1", "nan", "1.2.3", "--1"] {
      #expect(!Identifiers.isDecimal(text))
    }
  }

  /// Names are read as they are written; what steers a terminal, or is not seen, is an escape.
  @Test func lettersOfOtherLanguagesStay() {
    #expect("Größe, 駅".controlsEscaped == "Größe, 駅")
    #expect("a\u{1B}[2J\u{202E}b\u{7F}".controlsEscaped == "a\\u001b[2J\\u202eb\\u007f")
  }
}
