import Gate

/// What the models of a build were held to.
extension BuildReport {
  /// A line for each model that passed limits other than its profile's own.
  package var limitLines: [String] {
    models.compactMap { model in
      guard let limits = model.limits, !limits.overridden.isEmpty else { return nil }
      return "limits: model '\(model.model)' passed \(limits.words)"
    }
  }
}

extension ModelOutcome {
  /// What it was held to, all parts alike; nil where it did not pass.
  var limits: Limits? {
    if case .proven(let model) = self { model.parts.first?.receipt.limits } else { nil }
  }
}
