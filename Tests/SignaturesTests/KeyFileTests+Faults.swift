import Files
import Foundation
import TestSupport
import Testing

@testable import Signatures

// Files that do not hold a usable key.
extension KeyFileTests {
  struct Fault: CustomTestStringConvertible {
    let testDescription: String
    let fault: String
    var hint = Fault.restore
    let change: @Sendable (inout KeyParts) -> Void

    static let restore =
      "restore it from a copy, or make a key with 'ssh-keygen -t ed25519'"
    static let another = "make a key with 'ssh-keygen -t ed25519'"

    init(
      _ name: String, _ fault: String, hint: String = Fault.restore,
      _ change: @escaping @Sendable (inout KeyParts) -> Void
    ) {
      testDescription = name
      self.fault = fault
      self.hint = hint
      self.change = change
    }
  }

  static let faults: [Fault] = [
    Fault(
      "encrypted", "the key is encrypted ('aes256-ctr')",
      hint:
        "hand it to the agent with 'ssh-add keys/release', and name 'keys/release.pub' as the key"
    ) { $0.cipher = "aes256-ctr" },
    Fault(
      "derived", "the key is encrypted ('none')",
      hint:
        "hand it to the agent with 'ssh-add keys/release', and name 'keys/release.pub' as the key"
    ) { $0.derivation = "bcrypt" },
    Fault("RSA", "is of type 'ssh-rsa'; only ssh-ed25519 is supported", hint: Fault.another) {
      $0.type = "ssh-rsa"
    },
    Fault(
      "security device",
      "is of type 'sk-ssh-ed25519@openssh.com', a key on a security device, which is not supported",
      hint: Fault.another
    ) { $0.type = "sk-ssh-ed25519@openssh.com" },
    Fault("two keys", "holds 2 keys, expected one", hint: Fault.another) { $0.count = 2 },
    Fault(
      "start", "is no key file of OpenSSH: does not begin with 'openssh-key-v1'",
      hint: Fault.another
    ) { $0.magic = "openssh-key-v2\u{0}" },
    Fault("options", "the key file is damaged: it is not encrypted and has options of encryption") {
      $0.options = [1]
    },
    Fault("check words", "the key file is damaged: its two check words differ") {
      $0.checkWords.1 = 8
    },
    Fault(
      "inner type",
      "the key file is damaged: its private part is of another type than its public part"
    ) { $0.privateType = "ssh-rsa" },
    Fault(
      "public key",
      "the key file is damaged: its public and its private half do not belong together"
    ) { $0.publicKey[3] ^= 1 },
    Fault(
      "copy of it",
      "the key file is damaged: its public and its private half do not belong together"
    ) { $0.privatePublicKey = Array(repeating: 1, count: 32) },
    Fault(
      "second copy",
      "the key file is damaged: its public and its private half do not belong together"
    ) { $0.pairPublicKey = Array(repeating: 1, count: 32) },
    Fault(
      "seed", "the key file is damaged: its public and its private half do not belong together"
    ) { $0.seed[0] ^= 1 },
    Fault("short seed", "the key file is damaged: its private key has 63 bytes, expected 64") {
      $0.seed.removeLast()
    },
    Fault("short public key", "the key file is damaged: its public key") {
      $0.publicKey.removeLast()
    },
    Fault("padding", "the key file is damaged: its padding") {
      $0.comment = "a"
      $0.padding = [1, 2, 3, 5]
    },
    Fault("long padding", "the key file is damaged: its padding") {
      $0.comment = "abcde"
      $0.padding = (1...8).map(UInt8.init)
    },
    Fault(
      "no padding", "the key file is damaged: its private part has 131 bytes, no multiple of 8"
    ) {
      $0.padding = []
    },
    Fault("bytes behind", "the key file is damaged: 2 bytes follow the key") {
      $0.trailing = [0, 0]
    },
  ]

}
