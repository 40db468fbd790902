import Gate

/// The limits of the models of a build.
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
  /// Its limits, the same for all parts; nil if it did not pass.
  var limits: Limits? {
    if case .proven(let model) = self { model.parts.first?.receipt.limits } else { nil }
  }
}
