import Crypto
import Files
import StrictJSON

/// Roles that vouch for some targets in another one's place.
package struct Delegations: Sendable {
  package let keys: KeyRing
  /// In the order in which they are asked.
  package let roles: [DelegatedRole]

  /// Names of the roles that every repository has, which no other may have.
  private static let reserved = ["root", "timestamp", "snapshot", "targets"]

  init(_ object: JSONObject) throws(JSONError) {
    keys = try KeyRing(try object.object("keys"))
    var roles: [DelegatedRole] = []
    if object.has("succinct_roles") {
      guard !object.has("roles") else {
        throw object.error("has 'roles' and 'succinct_roles'", at: object.position)
      }
      roles = try DelegatedRole.bins(try object.object("succinct_roles"))
    } else {
      for node in try object.array("roles") {
        guard let entry = node.object else {
          throw object.error("a role is \(node.kind), expected an object", at: node.position)
        }
        roles.append(try DelegatedRole(entry))
      }
    }
    var names: Set<String> = []
    for role in roles {
      guard !role.name.isEmpty, !Delegations.reserved.contains(role.name) else {
        throw object.error(
          "delegates to a role named \(quoted(role.name))", at: object.position)
      }
      guard names.insert(role.name).inserted else {
        throw object.error("delegates to \(quoted(role.name)) twice", at: object.position)
      }
    }
    self.roles = roles
  }
}

/// A role of a delegation.
package struct DelegatedRole: Sendable {
  package let name: String
  package let role: Role
  /// Whether no role behind it is asked for targets that it is asked for.
  package let isTerminating: Bool
  private let scope: Scope

  private enum Scope: Sendable {
    /// Patterns of paths, part by part; `*`, `?` and `[…]` as in a shell.
    case patterns([String])
    /// Beginnings of the SHA-256 of a path.
    case prefixes([String])
    /// The number that the first bits of the SHA-256 of a path make.
    case bin(Int, bits: Int)
  }

  init(_ object: JSONObject) throws(JSONError) {
    name = try object.string("name")
    role = try Role(object)
    isTerminating = try object.bool("terminating")
    switch (object.has("paths"), object.has("path_hash_prefixes")) {
    case (true, false): scope = .patterns(try Self.strings(object, "paths"))
    case (false, true): scope = .prefixes(try Self.strings(object, "path_hash_prefixes"))
    default:
      throw object.error(
        "the role \(quoted(name)) needs one of 'paths' and 'path_hash_prefixes'",
        at: object.position)
    }
  }

  private init(_ name: String, _ role: Role, _ scope: Scope) {
    (self.name, self.role, self.scope) = (name, role, scope)
    isTerminating = true
  }

  private static func strings(_ object: JSONObject, _ key: String) throws(JSONError) -> [String] {
    var strings: [String] = []
    for node in try object.array(key) {
      guard let text = node.string else {
        throw object.error("\(quoted(key)) has \(node.kind), expected a string", at: node.position)
      }
      strings.append(text)
    }
    return strings
  }

  /// The roles that share out all paths by their first bits. Source: TAP 15.
  static func bins(_ object: JSONObject) throws(JSONError) -> [DelegatedRole] {
    let bits = try object.integer("bit_length", in: 1...16)
    let (prefix, role) = (try object.string("name_prefix"), try Role(object))
    let digits = String((1 << bits) - 1, radix: 16).count
    return (0..<1 << bits).map { number in
      let text = String(number, radix: 16)
      let padded = String(repeating: "0", count: digits - text.count) + text
      return DelegatedRole("\(prefix)-\(padded)", role, .bin(number, bits: bits))
    }
  }

  /// Whether it may vouch for a target.
  func covers(_ path: String) -> Bool {
    switch scope {
    case .patterns(let patterns):
      return patterns.contains { PathPattern.matches($0, path) }
    case .prefixes(let prefixes):
      let digest = HexText.text(SHA256.hash(data: Array(path.utf8)))
      return prefixes.contains { digest.hasPrefix($0) }
    case .bin(let number, let bits):
      let first = SHA256.hash(data: Array(path.utf8)).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      return first >> (32 - bits) == number
    }
  }
}
