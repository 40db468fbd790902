import StrictJSON

/// A small dense classifier with numbers made up by a formula, the same on every machine.
struct StarterModel {
  let inputs: [String]
  /// Outputs of each layer.
  let widths: [Int]
  /// One per layer.
  let activations: [String]
  let output: String
  let labels: [String]
  let seed: UInt32

  /// The description and the weights.
  func files(in folder: String) -> [StarterFile] {
    var numbers = StarterNumbers(seed: seed)
    var width = inputs.count
    let layers = widths.enumerated().map { index, outputs in
      defer { width = outputs }
      return StarterFile(
        path: "\(folder)/\(name(index))",
        content: .matrix(
          (0..<outputs * width).map { _ in numbers.next() }, rows: outputs, columns: width))
    }
    return [StarterFile(path: "\(folder)/model.json", content: .text(description.pretty))] + layers
  }

  /// Inputs to judge the model on, between 0 and 1.
  func references(at path: String, seed: UInt32) -> StarterFile {
    var numbers = StarterNumbers(seed: seed)
    let lines = (0..<32).map { _ in
      let values = inputs.map { _ in JSONValue.double(Double((numbers.next() + 1) / 2)) }
      return JSONValue.object(["input": ["values": .array(values)]]).compact + "\n"
    }
    return StarterFile(path: path, content: .text(lines.joined()))
  }

  private var description: JSONValue {
    let layers = activations.enumerated().map { index, activation -> JSONValue in
      ["weight": .string(name(index)), "activation": .string(activation)]
    }
    return [
      "architecture": "dense",
      "inputs": .array(inputs.map { ["name": .string($0)] }),
      "layers": .array(layers),
      "output": [
        "name": .string(output), "kind": "classifier",
        "labels": .array(labels.map(JSONValue.string)),
      ],
    ]
  }

  private func name(_ layer: Int) -> String { "layer\(layer + 1).npy" }
}

/// Numbers that look random: the linear congruential generator of "Numerical Recipes" (3rd edition,
/// section 7.1).
struct StarterNumbers {
  private var state: UInt32

  init(seed: UInt32) { state = seed }

  /// A multiple of 1/128 from -1 to below 1, exact in binary and short in decimal.
  mutating func next() -> Float {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(Int(state >> 24) - 128) / 128
  }
}
