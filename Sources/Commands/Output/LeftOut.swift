import Graph
import StrictJSON
import Weights

/// The tensors of a model that compression leaves out, and why.
struct LeftOut {
  /// A line for each tensor, or for all of another encoder.
  let text: String

  /// - Parameters:
  ///   - names: those that were left out.
  ///   - model: the encoder that was compressed.
  ///   - all: every encoder of the same model.
  init(_ names: [TensorName], by model: Model, of all: [Model]) throws {
    var text = ""
    var foreign: Set<TensorName> = []
    for other in all where other.architecture.encoder != model.architecture.encoder {
      let used = Set(try other.usedWeights().map(\.name))
      let count = names.count(where: used.contains)
      foreign.formUnion(used)
      guard count > 0, let encoder = other.architecture.encoder else { continue }
      text += "left out, of the \(encoder.rawValue) encoder: \(Figures.count(count, "tensor"))\n"
    }
    for name in names where !foreign.contains(name) {
      let role = model.architecture.role(ofUnused: name)
      text += "left out, \(role ?? "the model does not use it"): \(name)\n"
    }
    self.text = text
  }
}
