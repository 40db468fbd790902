import StrictJSON

/// A page as its template takes it.
struct PageView {
  struct Entry {
    let anchor: String
    let name: String
    let outcome: OutcomeWords
    let size: String
    let drift: String
  }

  struct Delivery {
    let customer: String
    let version: String
    let package: String?
    let size: String
    let sha256: String
    /// The first reason why there is none; the others are folded.
    let reason: String?
    let others: [String]
    let more: String
    let hasMore: Bool
  }

  let title: String
  let command: String
  let version: String
  let style: String
  let isProject: Bool
  let summary: String
  let index: [Entry]
  let deliveries: [Delivery]
  let hasDeliveries: Bool
  let models: [ModelView]

  init(_ page: ReportPage) {
    title = HostileText.cut(page.title, to: 300)
    (command, version, isProject) = (page.command, page.version, page.isProject)
    style = StyleSheet.text
    models = page.models.enumerated().map {
      ModelView($0.element, number: $0.offset + 1, isPart: page.isProject)
    }
    index = zip(page.models, models).map { model, view in
      Entry(
        anchor: view.anchor, name: view.name, outcome: view.outcome,
        size: view.cards.first { $0.label == "size" }?.value ?? "–",
        drift: model.judgement?.metrics.map { Figures.short($0.frontierDrift) } ?? "–")
    }
    deliveries = page.deliveries.map(PageView.delivery)
    hasDeliveries = !deliveries.isEmpty
    summary = PageView.summary(page)
  }

  private static func delivery(_ delivery: ReportPage.Delivery) -> Delivery {
    let reasons = delivery.reasons.map { HostileText.cut($0, to: 2000) }
    let others = Array(reasons.dropFirst())
    return Delivery(
      customer: delivery.customer, version: delivery.version,
      package: delivery.package.map { HostileText.cut($0.path, to: 300) },
      size: delivery.package.map { Figures.bytes($0.bytes) } ?? "–",
      sha256: delivery.package?.sha256 ?? "",
      reason: reasons.first, others: others, more: Figures.count(others.count, "further reason"),
      hasMore: !others.isEmpty)
  }

  private static func summary(_ page: ReportPage) -> String {
    let bad = page.models.count { !$0.outcome.isGood }
    let packages = page.deliveries.count { $0.package != nil }
    return "\(Figures.count(page.models.count, "model")), \(bad) refused or unusable; "
      + "\(Figures.count(packages, "package")) of \(page.deliveries.count)"
  }
}
