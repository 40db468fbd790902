import Execution
import Graph
package import SelfTesting
import Weights

extension ModelRunner {
  /// Runs the inputs of a self-test one at a time, as an app's runtime takes them: with all padding.
  ///
  /// With `.portable` arithmetic the outputs have the same bits on every processor of a kind.
  ///
  /// - Parameter output: the name of what the model gives.
  /// - Throws: as `outputs(for:)`.
  package func cases(_ inputs: SelfTestInputs, output: String) throws -> [SelfTest.Case] {
    try inputs.prepared(for: model, by: preparation).map { input in
      let (floats, shape) = try run(input)
      guard let output = TensorValue(name: output, shape: shape, .float32(floats)) else {
        throw EvaluationError.wrongOutputCount(
          origin: model.origin, found: floats.count, expected: shape.reduce(1, *))
      }
      return SelfTest.Case(inputs: tensors(of: input), output: output)
    }
  }

  /// The output of one input, and its shape; without padding where the output is proven to be the same.
  private func run(_ input: PreparedInput) throws -> ([Float], [Int]) {
    let shape = input.graph.outputType.shape
    if let tokens = input.tokenCount, !model.architecture.output.isOfTokens,
      let short = try shortTexts?.graph(length: input.length, tokens: tokens)
    {
      let values = input.values.mapValues { $0.prefix(short.length) }
      return (try executor.run(short.graph, inputs: values), shape)
    }
    return (try executor.run(input.graph, inputs: input.values), shape)
  }

  private func tensors(of input: PreparedInput) -> [TensorValue] {
    var isImage = false
    if case .image = model.architecture.input { isImage = true }
    return input.graph.inputs.compactMap { taken in
      guard let values = input.values[taken.name] else { return nil }
      return TensorValue(
        name: taken.name, shape: taken.type.shape, values.elements(isImage: isImage))
    }
  }
}

extension InputValues {
  /// The first of one row.
  fileprivate func prefix(_ count: Int) -> InputValues {
    switch self {
    case .integers(let values): .integers(Array(values.prefix(count)))
    case .floats(let values): .floats(Array(values.prefix(count)))
    case .doubles(let values): .doubles(Array(values.prefix(count)))
    }
  }

  /// The values as a self-test holds them: a picture of whole levels takes a byte for each.
  fileprivate func elements(isImage: Bool) -> TensorValue.Elements {
    switch self {
    case .integers(let values): return .int32(values)
    case .doubles(let values): return .float64(values)
    case .floats(let values):
      let levels = isImage ? values.compactMap { UInt8(exactly: $0) } : []
      return isImage && levels.count == values.count ? .uint8(levels) : .float32(values)
    }
  }
}

extension ModelOutput {
  fileprivate var isOfTokens: Bool { if case .tokenClasses = self { true } else { false } }
}
