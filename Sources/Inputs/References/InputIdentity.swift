import Graph
import Weights

/// What makes inputs of reference sets one. Of an input that models take it is what each sees.
enum InputIdentity: Hashable {
  /// They hold the same; of an image, the bytes of its file.
  case content(ContentDigest)
  /// A model, by its number, cannot tell them apart.
  case seen(model: Int, SeenInput)
}

extension ReferenceSet {
  /// Everything that makes each input one with others.
  ///
  /// - Parameter models: that take the inputs; an input that none takes goes by what it holds.
  /// - Throws: `EvaluationError` for an input its model cannot take, by its line, and for columns that
  ///   are not its features; errors of reading images.
  func identities(seenBy models: [Model], jobs: Int) throws -> [[InputIdentity]] {
    var identities = [[InputIdentity]](repeating: [], count: inputs.count)
    for (place, model) in models.enumerated() {
      let rows = inputs.indices.filter { inputs[$0].kind == model.kind }
      if rows.isEmpty { continue }
      let arranged = try arranged(for: model.architecture.input)
      let seen = try arranged.seen(rows, by: model, decodes: true, jobs: jobs)
      for (row, view) in zip(rows, seen.views) {
        identities[row].append(.seen(model: place, view))
      }
    }
    for row in inputs.indices where identities[row].isEmpty {
      identities[row] = [.content(try contentDigest(of: inputs[row]))]
    }
    return identities
  }
}
