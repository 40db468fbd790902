package import Trees

/// A linear classifier of Core ML (`glmClassifier`).
package struct LinearClassifier: Equatable, Sendable {
  /// [rows, features]; for two labels one row.
  package let weights: [[Double]]
  /// Of each row.
  package let offsets: [Double]
  package let encoding: Encoding
  package let link: Link
  package let labels: TreeLabels

  package enum Encoding: Hashable, Sendable {
    /// A row for each label but the first, whose sum is 0; shares of exp. Of more than two labels this
    /// is as Turi Create exports multinomial regression; Apple's text does not say it.
    case referenceClass
    /// A row for each label, or for two labels one: links over their sum.
    case oneVersusRest
  }

  /// What becomes of a sum.
  package enum Link: Hashable, Sendable {
    /// 1 / (1 + exp(−x)).
    case logit
    /// The share of the normal distribution below x. Only for two labels.
    case probit
  }

  package init(
    weights: [[Double]], offsets: [Double], encoding: Encoding, link: Link = .logit,
    labels: TreeLabels
  ) {
    self.weights = weights
    self.offsets = offsets
    self.encoding = encoding
    self.link = link
    self.labels = labels
  }

  /// A classifier by softmax over a row per label: the first row is subtracted from all, which changes
  /// no share.
  ///
  /// - Parameters:
  ///   - weights: [labels, features], two labels or more.
  ///   - offsets: of each label.
  package init(softmax weights: [[Double]], offsets: [Double], labels: TreeLabels) {
    let first = weights.first ?? []
    let rows = weights.dropFirst().map { zip($0, first).map { $0 - $1 } }
    self.init(
      weights: Array(rows), offsets: offsets.dropFirst().map { $0 - (offsets.first ?? 0) },
      encoding: .referenceClass, labels: labels)
  }
}

/// A linear regressor of Core ML (`glmRegressor`) of one number.
package struct LinearRegressor: Equatable, Sendable {
  /// Of each feature.
  package let weights: [Double]
  package let offset: Double
  package let link: Link

  /// What becomes of the sum.
  package enum Link: Hashable, Sendable {
    case identity
    /// 1 / (1 + exp(−x)).
    case logit
    /// The share of the normal distribution below x.
    case probit
  }

  package init(weights: [Double], offset: Double, link: Link = .identity) {
    self.weights = weights
    self.offset = offset
    self.link = link
  }
}
