import Foundation

@testable import Signatures

// Times, and where two readers may differ.
extension SignatureAgreementTests {
  /// Days from now: cases are made once, and compared as late as the run comes to them.
  static let times: [Case] = [-20, -2, 2, 20].flatMap { days in
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "yyyyMMddHHmmss"
    let time = formatter.string(from: Date(timeIntervalSinceNow: Double(days) * 86_400))
    return [
      Case("until \(days) days from now", days > 0, list: "a@x valid-before=\"\(time)Z\" KEY"),
      Case("from \(days) days from now", days < 0, list: "a@x valid-after=\"\(time)Z\" KEY"),
    ]
  }

  /// Cases that we refuse although OpenSSH 9.2 accepts them; `specs/formats/signature.md` says why.
  static let differences: [Case] = [
    Case("RSA", true, list: "a@x RSA", change: "rm m.sig && sign -f rsa m"),
    Case(
      "zero byte behind the purpose", true,
      signature: blob { blob in
        let name = Array("package@ingot.dev".utf8)
        return Array(blob[..<(Place.reserved - 21)]) + [0, 0, 0, 18] + name + [0]
          + blob[Place.reserved...]
      }),
    Case(
      "the other number of the same remainder", true,
      signature: blob { blob in
        Array(blob.dropLast(32)) + addingOrder(to: Array(blob.suffix(32)))
      }),
  ]

}
