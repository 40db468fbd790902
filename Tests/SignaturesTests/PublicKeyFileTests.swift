import TestSupport
import Testing

@testable import Signatures

@Suite struct PublicKeyFileTests {
  private static let line =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"

  @Test(arguments: ["\n", "", " me@example.com\n", "\r\n", " a comment of words\r\n", "\n\r\n"])
  func readsOneLine(_ end: String) throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    let path = try scratch.writePrivate("k.pub", Self.line + end)
    let key = try PublicKeyFile(path: path).key
    #expect(key.bytes == KeyParts.vectorKey)
    #expect(key.line == Self.line)
  }

  @Test(arguments: [
    ("", "is no key file of OpenSSH: expected one line with a public key"),
    (line + "\n" + line + "\n", "is no key file of OpenSSH: expected one line with a public key"),
    ("hello\n", "is no key file of OpenSSH: expected 'ssh-ed25519', base64 and a comment"),
    (
      "ssh-ed25519 AAAA\n",
      "is no key file of OpenSSH: expected 'ssh-ed25519', base64 and a comment"
    ),
    (
      "sk-ssh-ed25519@openssh.com AAAA c\n",
      "is of type 'sk-ssh-ed25519@openssh.com', a key on a security device, which is not supported"
    ),
    ("ssh-rsa AAAA c\n", "is of type 'ssh-rsa'; only ssh-ed25519 is supported"),
  ]) func refuses(_ text: String, _ fault: String) throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    let path = try scratch.writePrivate("k.pub", text)
    #expect(
      throws: SignatureError.unusableKey(
        path: path, fault: fault,
        hint: "write it anew with 'ssh-keygen -y -f KEY >\(path)', KEY being the private key")
    ) { try PublicKeyFile(path: path) }
  }
}
