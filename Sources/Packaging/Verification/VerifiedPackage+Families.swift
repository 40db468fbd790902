import StrictJSON

/// The families of a package, whose members are too many to be told one by one.
extension VerifiedPackage {
  /// Most different lines that are told of a family.
  private static let lineLimit = 10

  /// A few lines for people about all members of a family.
  ///
  /// - Parameter isAuthenticated: as of `summary`.
  func summary(
    ofFamily name: String, _ members: [ModelEntry], isAuthenticated: Bool
  ) -> String {
    let methods = VerifiedPackage.counted(members.map(\.compression.method), of: members.count)
    let bytes = members.reduce(0) { $0 + $1.compression.bytes }
    let limits = VerifiedPackage.counted(members.flatMap(limitLines), of: members.count)
    var text = "  family '\(name)', \(Figures.count(members.count, "model")), "
    text += "\(methods.joined(separator: ", ")), \(bytes) bytes, "
    if !isAuthenticated { text += "claims to have " }
    text += limits.joined(separator: "\n    ") + "\n"
    let lines = VerifiedPackage.counted(
      members.flatMap { readings[$0.gate.receipt]?.lines ?? [] }, of: members.count)
    for line in lines.prefix(VerifiedPackage.lineLimit) { text += "    \(line)\n" }
    if lines.count > VerifiedPackage.lineLimit {
      text += "    \(lines.count - VerifiedPackage.lineLimit) other lines, each of some of them\n"
    }
    return text
  }

  /// Each different line once, in the order of first use, with its number where it is not all.
  private static func counted(_ lines: [String], of all: Int) -> [String] {
    var counts: [String: Int] = [:]
    var order: [String] = []
    for line in lines {
      if counts[line] == nil { order.append(line) }
      counts[line, default: 0] += 1
    }
    return order.map { line in
      guard let count = counts[line], count != all else { return line }
      return "\(line) (\(Figures.count(count, "model")))"
    }
  }
}
