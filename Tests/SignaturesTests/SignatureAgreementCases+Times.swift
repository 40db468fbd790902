import Foundation

@testable import Signatures

// Times, and where two readers may differ.
extension SignatureAgreementTests {
  static let times: [Case] = [-48, -1, 1, 48].flatMap { hours in
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "yyyyMMddHHmmss"
    let time = formatter.string(from: Date(timeIntervalSinceNow: Double(hours) * 3600))
    return [
      Case("until \(hours) h from now", hours > 0, list: "a@x valid-before=\"\(time)Z\" KEY"),
      Case("from \(hours) h from now", hours < 0, list: "a@x valid-after=\"\(time)Z\" KEY"),
    ]
  }

  /// What we refuse although OpenSSH 9.2 accepts it; `specs/formats/signature.md` says why.
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
