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

  /// Whether it is known who vouches for the file.
  var isAuthenticated: Bool {
    if case .signed = self { true } else { false }
  }

  /// What was checked, by the names that `--json` uses.
  var checked: [String] {
    switch self {
    case .none, .unchecked: []
    case .signed(_, let provenance): ["signature"] + (provenance == nil ? [] : ["provenance"])
    }
  }

  /// Lines for people; they never leave open whether a signer is known.
  var text: String {
    let open = "  integrity only, not authenticated: "
    switch self {
    case .none: return open + "there is no signature\n"
    case .unchecked:
      return open + "nobody looked who signed it\n"
        + "  signature: not checked, --allowed-signers was not given\n"
    case .signed(let signer, let provenance):
      let lines = [("signature", signer)] + (provenance.map { [("provenance", $0)] } ?? [])
      return lines.map { what, signer in
        "  \(what): good, by '\(signer.identity)' for \(signer.namespace), key \(signer.key)\n"
      }.joined()
    }
  }

  /// An answer with the keys this adds to it: `checked`; `authenticated`; `signature`, null without one that was
  /// checked; `provenance`.
  ///
  /// - Parameter checked: all that was checked, by name.
  func adding(to answer: JSONValue, checked: [String]) -> JSONValue {
    guard case .object(var members) = answer else { return answer }
    members["checked"] = .array(checked.map(JSONValue.string))
    members["authenticated"] = .bool(isAuthenticated)
    switch self {
    case .none, .unchecked: members["signature"] = .null
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
