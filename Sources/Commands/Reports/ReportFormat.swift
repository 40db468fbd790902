import ArgumentParser

/// The forms in which `ingot validate` answers.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  /// Lines on stderr, for people.
  case text
  /// One object of our own, as `--json`.
  case json
  /// SARIF 2.1.0, which code scanning services read.
  case sarif
  /// Annotations of GitHub Actions.
  case github
}
