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

  package init() {}

  /// Takes another encoder.
  package mutating func append(_ staged: consuming StagedModel) {
    models.append(staged.model)
    all.append(Held(staged))
  }

  /// The models as they read back, in the order in which they were staged.
  package private(set) var models: [Model] = []

  /// Gives every model its name once each receipt is found to name its model's very bytes.
  ///
  /// - Parameter receipts: one for each model, in their order.
  /// - Throws: as `StagedModel.commit`; then none of them is there.
  package consuming func commit(_ receipts: [some ModelReceipt]) throws -> [EmittedModel] {
    precondition(receipts.count == all.count, "a receipt for each model")
    for (held, receipt) in zip(all, receipts) { try held.staged?.seal(receipt) }
    return try commitSealed()
  }

  /// Gives names to models that were not judged, or that the gate refused. No package takes them.
  package consuming func commitUnproven() throws -> [EmittedModel] { try commitSealed() }

  private consuming func commitSealed() throws -> [EmittedModel] {
    var emitted: [EmittedModel] = []
    do {
      for held in all {
        if let staged = held.staged.take() { emitted.append(try staged.commitSealed()) }
      }
    } catch {
      // One without the other is a model without a verdict.
      for model in emitted { try Folder.remove(model.path) }
      throw error
    }
    return emitted
  }
}
