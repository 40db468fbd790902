package import Trees
import Weights

extension TableModel {
  /// Why the steps are neither trees alone nor linear layers over encoded features; nil where they are.
  ///
  /// - Throws: as the weight source, and `TreeError`.
  package func formFault(_ weights: any WeightSource) throws -> TableFault? {
    var arrays: [Table.Numbers] = []
    for array in steps.flatMap(\.arrays).compactMap(\.self) {
      arrays.append(
        Table.Numbers(
          name: array.name.text, shape: array.shape, values: try weights.floats(of: array.name)))
    }
    let trees = try PlacedTrees.all(of: self).map { placed in
      (
        step: placed.name,
        ensemble: try placed.ensemble(path: placed.name) { try weights.doubles(of: $0) }
      )
    }
    let table = Table(
      program: TableProgram(
        library: "", inputs: features, steps: steps.map(\.step), returned: returned, task: task,
        givesProbabilities: givesProbabilities, outputName: outputName),
      arrays: arrays, trees: trees)
    do throws(TableFault) {
      _ = try TableForm.model(of: table)
      return nil
    } catch {
      return error
    }
  }

  private var givesProbabilities: Bool {
    if case .classes(_, _, .probabilities) = output { true } else { false }
  }

  private var task: TreeTask {
    guard case .classes(let labels, _, _) = output else { return .regression }
    return switch labels {
    case .texts(let texts): .classification(labels: .texts(texts))
    case .integers(let numbers): .classification(labels: .integers(numbers))
    }
  }
}
