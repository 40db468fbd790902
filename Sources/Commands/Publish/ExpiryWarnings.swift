import StrictJSON
import TUF

/// Metadata whose time is over, or soon will be, with the command that signs them anew.
struct ExpiryWarnings {
  enum Role: CaseIterable {
    case root, targets, timestamp

    /// Days before the end at which it is time to say so: timestamps are signed daily.
    fileprivate var days: Int { self == .timestamp ? 0 : 30 }

    fileprivate var noun: String {
      switch self {
      case .root: "the root"
      case .targets: "what is said of targets"
      case .timestamp: "the timestamp"
      }
    }

    /// The way out.
    fileprivate var hint: String {
      switch self {
      case .root: "'ingot publish rotate --same-keys' signs it anew"
      case .targets: "'ingot publish PACKAGES' signs it anew, with packages that are offered, too"
      case .timestamp: "'ingot publish refresh' signs it anew"
      }
    }
  }

  private let now: UpdateTime
  private var first: [Role: (expiry: UpdateTime, app: String)] = [:]
  private var apps: [Role: Set<String>] = [:]

  init(at now: UpdateTime) { self.now = now }

  /// - Parameter expiry: nil where there is nothing that could expire.
  mutating func look(at expiry: UpdateTime?, of role: Role, _ app: String) {
    guard let expiry, expiry <= now.adding(days: role.days) else { return }
    apps[role, default: []].insert(app)
    if first[role].map({ expiry < $0.expiry }) ?? true { first[role] = (expiry, app) }
  }

  /// Warns once of each role.
  func say(_ console: Console) {
    for role in Role.allCases {
      guard let first = first[role] else { continue }
      let others = (apps[role]?.count ?? 1) - 1
      let verb = first.expiry <= now ? "expired, and devices take nothing new," : "expires"
      let rest = others > 0 ? "; \(Figures.count(others, "other customer")) follow" : ""
      console.warn("\(first.app): \(role.noun) \(verb) at \(first.expiry)\(rest)", hint: role.hint)
    }
  }
}
