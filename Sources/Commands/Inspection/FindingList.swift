import StrictJSON
import WeightCompression
import Weights

/// Findings as `inspect` shows them: the gravest first, those with one remedy together.
struct FindingList {
  private let findings: [Finding]

  init(_ findings: [Finding]) { self.findings = Finding.sorted(findings) }

  /// One line where all is well, otherwise a section of its own; ends in a newline.
  var text: String {
    guard !findings.isEmpty else { return "findings: none\n" }
    let counts = Finding.Severity.allCases.compactMap { severity in
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : FindingList.words(severity, count)
    }
    let groups = Dictionary(grouping: findings.indices) { Group(findings[$0]) }
    let ordered = groups.sorted { $0.value[0] < $1.value[0] }
    let sections = ordered.map { group, places in
      "\(group.severity.rawValue) \(group.id.rawValue): \(group.action)\n"
        + places.map { FindingList.line(findings[$0]) }.joined()
    }
    return "\nfindings: \(counts.joined(separator: ", "))\n" + sections.joined()
  }

  /// The common part of findings that are listed together.
  private struct Group: Hashable {
    let severity: Finding.Severity
    let id: Finding.ID
    let action: String

    init(_ finding: Finding) {
      (severity, id, action) = (finding.severity, finding.id, finding.action)
    }
  }

  // Names are from files.
  private static func line(_ finding: Finding) -> String {
    "  \(finding.tensor): \(finding.fact)".printable(keepsLines: false) + "\n"
  }

  var json: JSONValue { .array(findings.map(FindingList.json)) }

  private static func words(_ severity: Finding.Severity, _ count: Int) -> String {
    severity == .refused ? "\(count) refused" : Figures.count(count, severity.rawValue)
  }

  private static func json(_ finding: Finding) -> JSONValue {
    [
      "id": .string(finding.id.rawValue), "severity": .string(finding.severity.rawValue),
      "tensor": .string(finding.tensor.text),
      "others": .array(finding.others.map { .string($0.text) }),
      "fact": .string(finding.fact), "action": .string(finding.action),
      "figures": .object(
        Dictionary(
          finding.figures.map { figure in
            switch figure.value {
            case .count(let count): (figure.name, .integer(count))
            case .number(let number): (figure.name, .double(number))
            }
          }
        ) { first, _ in first }),
    ]
  }
}
