import Files
package import Graph

/// The staged encoders of one model, which get their names together or not at all.
package struct StagedModels: ~Copyable {
  /// A staged model as an element of an array, which holds only what can be copied.
  private final class Held {
    var staged: StagedModel?

    init(_ staged: consuming StagedModel) { self.staged = consume staged }
  }

  private var all: [Held] = []
  /// Whether files must have reached the disk; not those that are copied from a work folder.
  private let isDurable: Bool

  package init(isDurable: Bool = true) { self.isDurable = isDurable }

  /// Takes another encoder.
  package mutating func append(_ staged: consuming StagedModel) {
    models.append(staged.model)
    all.append(Held(staged))
  }

  /// The models as they read back, in the order in which they were staged.
  package private(set) var models: [Model] = []

  /// Gives every model its name once each receipt is found to name its model's very bytes.
  ///
  /// - Parameters:
  ///   - receipts: one for each model, in their order.
  ///   - named: called when all have their names, to give what belongs to them its own; no signal ends
  ///     the process in between.
  /// - Throws: as `StagedModel.commit`; then none of them is there. Errors of `named`; they are there.
  package consuming func commit(
    _ receipts: [some ModelReceipt], then named: ([EmittedModel]) throws -> Void = { _ in }
  ) throws -> [EmittedModel] {
    precondition(receipts.count == all.count, "a receipt for each model")
    for (held, receipt) in zip(all, receipts) { try held.staged?.seal(receipt) }
    return try commitSealed(then: named)
  }

  /// Gives names to models that were not judged, or that the gate refused. No package takes them.
  ///
  /// - Parameter named: as of `commit`.
  package consuming func commitUnproven(
    then named: ([EmittedModel]) throws -> Void = { _ in }
  ) throws -> [EmittedModel] { try commitSealed(then: named) }

  private consuming func commitSealed(
    then named: ([EmittedModel]) throws -> Void
  ) throws -> [EmittedModel] {
    let (all, isDurable) = (all, isDurable)
    let checked = try all.map { try $0.staged?.checked() }
    return try UnfinishedWork.together {
      var emitted: [EmittedModel] = []
      do {
        for (held, checked) in zip(all, checked) {
          guard let staged = held.staged.take(), let checked else { continue }
          emitted.append(try staged.commit(checked, isDurable: isDurable))
        }
      } catch {
        // One without the other is a model without a verdict.
        for model in emitted where model.held == nil { try Folder.remove(model.path) }
        throw error
      }
      try named(emitted)
      return emitted
    }
  }
}
