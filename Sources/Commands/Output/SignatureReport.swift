import Signatures
import StrictJSON

/// The report of `verify` on signatures.
enum SignatureReport {
  /// Without a signature, and none was required.
  case none
  /// There is a signature, but no check was asked for.
  case unchecked
  /// The archive is signed by someone who may, and so is its provenance where it has one.
  case signed(by: Principal, provenance: Principal?)
  /// The list of a release is signed by someone who may; lists have no provenance.
  case signedList(by: Principal)

  /// Whether the file's signer is known.
  var isAuthenticated: Bool {
    switch self {
    case .none, .unchecked: false
    case .signed, .signedList: true
    }
  }

  /// The checks done, by the names that `--json` uses.
  var checked: [String] {
    switch self {
    case .none, .unchecked: []
    case .signed(_, let provenance): ["signature"] + (provenance == nil ? [] : ["provenance"])
    case .signedList: ["signature"]
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
      return "  signature: \(SignatureReport.words(signer))\n"
        + "  provenance: \(provenance.map(SignatureReport.words) ?? "none")\n"
    case .signedList(let signer): return "  signature: \(SignatureReport.words(signer))\n"
    }
  }

  private static func words(_ signer: Principal) -> String {
    "good, by '\(signer.identity)' for \(signer.namespace), key \(signer.key)"
  }

  /// An answer with the keys this adds to it: `checked`; `authenticated`; `signature`, null without one that was
  /// checked; `provenance` of a signed archive, null where it has none.
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
      members["provenance"] = provenance.map(SignatureReport.json) ?? .null
    case .signedList(let signer): members["signature"] = SignatureReport.json(signer)
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
