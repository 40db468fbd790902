import Graph
import Inputs
import ModelFixtures
import StrictJSON
import WeightCompression
import Weights

@testable import Calibration

extension SeededNumbers {
  mutating func floats(_ count: Int, scale: Float = 1) -> [Float] {
    (0..<count).map { _ in scale * Float(2 * unit() - 1) }
  }
}

extension OutputLosses {
  /// The loss of each candidate as a whole.
  func losses(
    of candidates: [TensorName: [CompressedTensor]]
  ) throws -> [TensorName: [Double]] {
    try partLosses(of: candidates).mapValues { $0.map { $0.reduce(0, +) } }
  }
}

/// The mean of 1 − cosine over inputs, of a model with some weights compressed.
///
/// - Parameter before: the outputs as trained, if they are known.
func measuredLoss(
  of swapped: [CompressedTensor], in model: Model, _ inputs: [Input],
  before known: OutputMatrix? = nil
) throws -> Double {
  var weights = PartialWeights(model.weights)
  for tensor in swapped { weights.take(tensor) }
  let before = try known ?? ModelRunner(model: model, jobs: 2).outputs(for: inputs)
  let after = try ModelRunner(model: model, weights: weights, jobs: 2).outputs(for: inputs)
  let losses = (0..<before.rowCount).map { row -> Double in
    func product(_ x: ArraySlice<Float>, _ y: ArraySlice<Float>) -> Double {
      zip(x, y).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    let (x, y) = (before[row], after[row])
    return 1 - product(x, y) / (product(x, x) * product(y, y)).squareRoot()
  }
  return losses.reduce(0, +) / Double(losses.count)
}

/// A BERT of two layers of random weights, in which texts of the words `w0` … `w27` become vectors
/// of 16.
enum TinyBert {
  static let words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + (0..<28).map { "w\($0)" }
  private static let config = """
    {"model_type": "bert", "hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 2,
     "intermediate_size": 32, "vocab_size": 32, "max_position_embeddings": 12,
     "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu"}
    """
  private static let modules = """
    [{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
     {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]
    """

  static func model(
    pooling: String = "mean",
    change: (inout [TensorName: (shape: [Int], values: [Float])]) -> Void = { _ in }
  ) throws -> Model {
    let texts = [
      "config.json": Array(config.utf8), "modules.json": Array(modules.utf8),
      "1_Pooling/config.json": Array(#"{"pooling_mode": "\#(pooling)"}"#.utf8),
      "tokenizer.json": wordPieceFile(words),
    ]
    let files = ModelFiles(carriedBy: "bert", texts: texts)
    let architecture = try Architectures.recognise(files, weights: MemoryWeights())
    var numbers = SeededNumbers(seed: 3)
    var weights = MemoryWeights(for: try architecture.smallestGraph().weights) { reference in
      let isGain = reference.name.text.hasSuffix("LayerNorm.weight")
      let scale: Float = reference.role.isCompressible ? 0.5 : 0.1
      return numbers.floats(reference.elementCount, scale: scale).map { isGain ? 1 + $0 : $0 }
    }
    change(&weights.tensors)
    return try Model(
      origin: "bert", architecture: architecture, files: files, weights: weights)
  }

  /// A set of sentences of one to nine words.
  static func sentences(_ count: Int, seed: UInt64 = 5) throws -> CalibrationSet {
    var numbers = SeededNumbers(seed: seed)
    let lines = (0..<count).map { _ in
      let words = (0..<1 + Int(numbers.next() % 9)).map { _ in "w\(numbers.next() % 28)" }
      return "{\"text\": \"\(words.joined(separator: " "))\"}"
    }
    return try calibration(lines, origin: "sentences.jsonl")
  }
}

/// A model of three features: 'first' [8, 3] with its bias 'shift' and tanh, then 'second' [2, 8].
func denseModel(
  change: (inout [TensorName: (shape: [Int], values: [Float])]) -> Void = { _ in }
) throws -> Model {
  let json = """
    {"architecture": "dense", "inputs": [{"name": "x"}, {"name": "y"}, {"name": "z"}],
     "layers": [{"weight": "first", "bias": "shift", "activation": "tanh"},
       {"weight": "second"}],
     "output": {"kind": "embedding"}}
    """
  let files = ModelFiles(carriedBy: "dense", texts: ["model.json": Array(json.utf8)])
  var numbers = SeededNumbers(seed: 11)
  var weights = MemoryWeights(tensors: [
    "first": ([8, 3], numbers.floats(24)), "shift": ([8], numbers.floats(8)),
    "second": ([2, 8], numbers.floats(16)),
  ])
  change(&weights.tensors)
  return try Model(
    origin: "dense", architecture: try Architectures.recognise(files, weights: weights),
    files: files, weights: weights)
}

/// Lines of values for the dense model.
func rows(_ count: Int, seed: UInt64 = 7) -> [String] {
  var numbers = SeededNumbers(seed: seed)
  return (0..<count).map { _ in "{\"values\": \(numbers.floats(3, scale: 2))}" }
}

/// A calibration set from its lines.
func calibration(_ lines: [String], origin: String = "lines.jsonl") throws -> CalibrationSet {
  try CalibrationSet(bytes: Array(lines.joined(separator: "\n").utf8), origin: origin)
}

/// A reference set from its lines.
func references(_ lines: [String], origin: String = "refs.jsonl") throws -> ReferenceSet {
  try ReferenceSet(bytes: Array(lines.joined(separator: "\n").utf8), origin: origin)
}
