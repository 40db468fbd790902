/// A report as one page of HTML that needs nothing else: no script, no file, no network.
///
/// The same values give the same text: it names neither time nor machine.
package struct ReportPage: Sendable {
  /// What the page is about, as its heading.
  package let title: String
  /// The command that made it: `shrink`.
  package let command: String
  /// The version of the program.
  package let version: String
  /// One for each model; refused ones are shown first.
  package let models: [ModelReport]
  /// What a project gave, by customers; empty for a single model.
  package let deliveries: [Delivery]
  /// Whether models are parts of a project, with an index.
  package let isProject: Bool

  /// The package of a customer, or why there is none.
  package struct Delivery: Sendable {
    package let customer: String
    package let version: String
    /// Path, size and digest of the archive; nil if there is none.
    package let package: (path: String, bytes: Int, sha256: String)?
    /// Why there is none.
    package let reasons: [String]

    package init(
      customer: String, version: String, package: (path: String, bytes: Int, sha256: String)?,
      reasons: [String]
    ) {
      (self.customer, self.version) = (customer, version)
      (self.package, self.reasons) = (package, reasons)
    }
  }

  /// The report of one model.
  package init(_ model: ModelReport, command: String, version: String) {
    (title, self.command, self.version) = (model.name, command, version)
    (models, deliveries, isProject) = ([model], [], false)
  }

  /// The report of a project.
  package init(
    project: String, _ models: [ModelReport], deliveries: [Delivery], command: String,
    version: String
  ) {
    (title, self.command, self.version) = (project, command, version)
    self.models =
      models.filter { !$0.outcome.isGood } + models.filter { $0.outcome.isGood }
    (self.deliveries, isProject) = (deliveries, true)
  }

  /// Bytes that tell such a page from other files.
  package static let headCount = PageTemplate.head.utf8.count

  /// Whether a file is such a page, by its first bytes.
  package static func isPage(_ start: [UInt8]) -> Bool {
    start.starts(with: PageTemplate.head.utf8)
  }

  /// The page.
  ///
  /// - Throws: errors of a template, which are faults of this program.
  package func html() throws -> String { try Templates().page(PageView(self)) }
}
