import StrictJSON

/// A small forest for two classes with numbers made up by a formula, the same on every machine: plain
/// arrays, as scikit-learn's are saved.
struct StarterForest {
  let inputs: [String]
  let trees: Int
  let output: String
  let labels: [String]
  let seed: UInt32

  /// Branches from the root of each tree to its leaves.
  private static let depth = 3
  /// Nodes of a tree: node n has the children 2n + 1 and 2n + 2.
  private static let nodes = (1 << (depth + 1)) - 1
  private static let branches = (1 << depth) - 1

  /// The description and the arrays.
  func files(in folder: String) -> [StarterFile] {
    [StarterFile(path: "\(folder)/model.json", content: .text(description.pretty))]
      + arrays.map { StarterFile(path: "\(folder)/\($0.name).npy", content: .vector($0.values)) }
  }

  /// Inputs to judge the model on, between 0 and 1; now and then one is missing.
  func references(at path: String, seed: UInt32) -> StarterFile {
    var numbers = StarterNumbers(seed: seed)
    let lines = (0..<64).map { _ in
      let values = inputs.map { _ -> JSONValue in
        let value = Double((numbers.next() + 1) / 2)
        return value < 0.03 ? .null : .double(value)
      }
      return JSONValue.object(["input": ["values": .array(values)]]).compact + "\n"
    }
    return StarterFile(path: path, content: .text(lines.joined()))
  }

  private var arrays: [(name: String, values: [Float])] {
    var numbers = StarterNumbers(seed: seed)
    let all = (0..<trees * Self.nodes).map { $0 % Self.nodes }
    func ofBranches(_ value: (Int) -> Float, leaf: Float) -> [Float] {
      all.map { $0 < Self.branches ? value($0) : leaf }
    }
    let features = all.map { _ in Float(Int((numbers.next() + 1) * 64) % inputs.count) }
    let thresholds = all.map { _ in (numbers.next() + 1) / 2 }
    let shares = all.map { _ in (numbers.next() + 1) / 2 }
    return [
      ("starts", (0..<trees).map { Float($0 * Self.nodes) }),
      ("children_left", ofBranches({ Float(2 * $0 + 1) }, leaf: -1)),
      ("children_right", ofBranches({ Float(2 * $0 + 2) }, leaf: -1)),
      ("feature", features), ("threshold", thresholds), ("value", shares),
    ]
  }

  private var description: JSONValue {
    [
      "architecture": "trees",
      "inputs": .array(inputs.map { ["name": .string($0)] }),
      "trees": .object(
        Dictionary(uniqueKeysWithValues: arrays.map { ($0.name, .string("\($0.name).npy")) })),
      "float32_features": true, "divisor": .integer(trees),
      "output": [
        "name": .string(output), "kind": "classifier", "gives": "probabilities",
        "labels": .array(labels.map(JSONValue.string)),
      ],
    ]
  }
}
