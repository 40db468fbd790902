import StrictJSON
import WeightCompression

extension Failure {
  /// Says why a model cannot be compressed as asked, everything at once.
  init(_ error: CompressionError, of model: String) {
    switch error {
    case .refused(let refusals):
      self.init(
        message:
          "\(model): \(Figures.count(refusals.count, "tensor")) cannot be compressed as asked",
        details: refusals.map(\.description))
    case .unfitRecipe(let name, let faults):
      self.init(
        message:
          "\(model): the recipe '\(name)' does not fit it, \(Figures.count(faults.count, "fault"))",
        details: faults.map(\.description),
        hint: "a rule may have a 'fallback', a rule that need not match 'optional: true', and what "
          + "no rule matches stays uncompressed with 'otherwise: keep'")
    default: self.init(message: "\(error)")
    }
  }

  /// Does what may find that a model's weights cannot be compressed, and says why then, everything at
  /// once.
  static func explaining<Result>(
    compressing model: String, _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch let error as CompressionError {
      throw Failure(error, of: model)
    }
  }
}
