import Signatures
import StrictJSON

/// What `verify` tells of signatures.
enum SignatureReport {
  /// There is no signature, and none was asked for.
  case none
  /// There is a signature, and nobody asked for it to be checked.
  case unchecked
  /// The file is signed by someone who may, and so is its provenance where it has one.
  case signed(by: Principal, provenance: Principal? = nil)

  /// Lines for people; empty without a signature.
  var text: String {
    switch self {
    case .none: return ""
    case .unchecked: return "  signature: not checked, --allowed-signers was not given\n"
    case .signed(let signer, let provenance):
      let lines = [("signature", signer)] + (provenance.map { [("provenance", $0)] } ?? [])
      return lines.map { what, signer in
        "  \(what): good, by '\(signer.identity)' for \(signer.namespace), key \(signer.key)\n"
      }.joined()
    }
  }

  /// An answer with the keys this adds to it: `signature`, null when it was not checked, and
  /// `provenance`.
  func adding(to answer: JSONValue) -> JSONValue {
    guard case .object(var members) = answer else { return answer }
    switch self {
    case .none: break
    case .unchecked: members["signature"] = .null
    case .signed(let signer, let provenance):
      members["signature"] = SignatureReport.json(signer)
      if let provenance { members["provenance"] = SignatureReport.json(provenance) }
    }
    return .object(members)
  }

  private static func json(_ signer: Principal) -> JSONValue {
    [
      "identity": .string(signer.identity), "key": .string(signer.key.fingerprint),
      "namespace": .string(signer.namespace),
    ]
  }
}
