import Packaging
import Testing

@testable import Project

@Suite struct CorrectionTests {
  static let appIDs: [(String, String?)] = [
    (
      "C2D67CDB-E117-4C3E-ACCA-2AE7F1A42210", "write it as c2d67cdb-e117-4c3e-acca-2ae7f1a42210"
    ),
    ("c2d67cdbe1174c3eacca2ae7f1a42210", "write it as c2d67cdb-e117-4c3e-acca-2ae7f1a42210"),
    (
      " {c2d67cdb-e117-4c3e-acca-2ae7f1a42210}\n",
      "write it as c2d67cdb-e117-4c3e-acca-2ae7f1a42210"
    ),
    (
      "urn:uuid:c2d67cdb-e117-4c3e-acca-2ae7f1a42210",
      "write it as c2d67cdb-e117-4c3e-acca-2ae7f1a42210"
    ),
    ("c2d67cdb-e117", "a UUID has 32 hexadecimal digits, this one 12"),
    ("", nil), ("---", nil), ("c2d67cdg-e117-4c3e-acca-2ae7f1a42210", nil),
    ("my-app", nil), (String(repeating: "a", count: 100_000), nil),
  ]

  @Test(arguments: appIDs)
  func appID(_ text: String, _ hint: String?) {
    #expect(Correction.appID(text) == hint)
  }

  @Test(
    arguments: [
      ("com.my_app.x", "'_' is not allowed; is it 'com.my-app.x'?"),
      (" com.a.b", "write it as com.a.b"),
      (
        "app",
        "a bundle identifier has two parts or more, "
          + "with a '.' between them"
      ), ("com.*", "name one app; a wildcard stands for many"),
      ("com..x", nil), ("com.ä", nil),
      (String(repeating: "a.", count: 80) + "a", "it has 161 bytes, at most 155 fit"),
    ] as [(String, String?)])
  func bundleIdentifier(_ text: String, _ hint: String?) {
    #expect(Correction.bundleIdentifier(text) == hint)
  }

  @Test(
    arguments: [
      ("Upsell", "write it as upsell, and its folder too"),
      ("on-boarding upsell", "write it as on_boarding_upsell, and its folder too"),
      ("../x", nil), ("", nil), (String(repeating: "A", count: 65), nil),
    ] as [(String, String?)])
  func flowName(_ text: String, _ hint: String?) {
    #expect(Correction.flowName(text) == hint)
  }

  @Test(
    arguments: [
      ("v1.4.0", "write it as 1.4.0"), ("1.4", "write it as 1.4.0"), ("2", "write it as 2.0.0"),
      ("v2", "write it as 2.0.0"), ("1.4.0.1", nil), ("latest", nil), ("", nil),
    ] as [(String, String?)])
  func version(_ text: String, _ hint: String?) {
    #expect(Correction.version(text) == hint)
  }

  /// Whatever is suggested is accepted.
  @Test func suggestionsAreSound() {
    for (text, hint) in Self.appIDs {
      guard let hint, hint.hasPrefix("write it as ") else { continue }
      #expect(Identifiers.isAppID(String(hint.dropFirst(12))), "\(text)")
    }
  }
}
