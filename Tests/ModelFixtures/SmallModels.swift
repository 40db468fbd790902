package import Graph
package import Inputs
import TestSupport
import Weights

/// The output of a small dense model.
package enum Kind: Sendable {
  case embedding
  case numbers
  case binary
  case softmax
  /// One raw score for two labels, or one for each.
  case score, scores

  package var activation: String {
    switch self {
    case .embedding, .numbers, .score, .scores: "identity"
    case .binary: "sigmoid"
    case .softmax: "softmax"
    }
  }

  package func output(width: Int) -> String {
    switch self {
    case .embedding: #"{"kind": "embedding"}"#
    case .numbers: #"{"kind": "regressor"}"#
    case .binary: #"{"kind": "classifier", "labels": ["no", "yes"]}"#
    case .score: #"{"kind": "classifier", "labels": ["no", "yes"]}"#
    case .scores: #"{"kind": "classifier", "labels": \#((0..<width).map { $0 })}"#
    case .softmax:
      #"{"kind": "classifier", "labels": \#((0..<width).map { "label\($0)" })}"#
    }
  }
}

/// A model of one linear layer without bias; `rows` are the rows of its weight 'w', [out, in].
package func denseModel(
  _ rows: [[Float]], _ kind: Kind = .embedding, inputs described: String? = nil,
  origin: String = "model", digest: String? = nil
) throws -> Model {
  let inputs = rows[0].count
  let names = (0..<inputs).map { #"{"name": "x\#($0)"}"# }.joined(separator: ", ")
  let json = """
    {"architecture": "dense", "inputs": \(described ?? "[\(names)]"),
     "layers": [{"weight": "w", "activation": "\(kind.activation)"}],
     "output": \(kind.output(width: rows.count))}
    """
  let files = ModelFiles(carriedBy: origin, texts: ["model.json": Array(json.utf8)])
  let values = rows.flatMap { $0 }
  let weights = MemoryWeights(tensors: ["w": ([rows.count, inputs], values)], label: digest)
  return try Model(
    origin: origin, architecture: try Architectures.recognise(files, weights: weights),
    files: files, weights: weights)
}

/// A model of two layers, 'first' [hidden, in] with tanh and 'second' [out, hidden].
package func twoLayerModel(first: [[Float]], second: [[Float]], origin: String = "model") throws
  -> Model
{
  let names = (0..<first[0].count).map { #"{"name": "x\#($0)"}"# }.joined(separator: ", ")
  let json = """
    {"architecture": "dense", "inputs": [\(names)],
     "layers": [{"weight": "first", "activation": "tanh"}, {"weight": "second"}],
     "output": {"kind": "embedding"}}
    """
  let files = ModelFiles(carriedBy: origin, texts: ["model.json": Array(json.utf8)])
  let weights = MemoryWeights(tensors: [
    "first": ([first.count, first[0].count], first.flatMap { $0 }),
    "second": ([second.count, second[0].count], second.flatMap { $0 }),
  ])
  return try Model(
    origin: origin, architecture: try Architectures.recognise(files, weights: weights),
    files: files, weights: weights)
}

/// A reference set from its lines; a few are meant to be enough.
package func references(_ lines: [String], origin: String = "refs.jsonl") throws -> ReferenceSet {
  var set = try ReferenceSet(bytes: Array(lines.joined(separator: "\n").utf8), origin: origin)
  set.isFewMeant = true
  return set
}

/// A line of a pair of values.
package func pairLine(_ a: [Float], _ b: [Float], _ more: String = "") -> String {
  #"{"a": {"values": \#(a)}, "b": {"values": \#(b)}\#(more)}"#
}

extension SeededGenerator {
  /// A matrix of numbers from −1 to 1.
  package mutating func matrix(_ rows: Int, _ columns: Int) -> [[Float]] {
    (0..<rows).map { _ in (0..<columns).map { _ in Float.random(in: -1...1, using: &self) } }
  }

  /// Pairs of random values.
  package mutating func pairs(_ count: Int, width: Int) -> [String] {
    (0..<count).map { _ in
      let rows = matrix(2, width)
      return pairLine(rows[0], rows[1])
    }
  }
}

/// A `tokenizer.json` of whole words, numbered in their order; the first four are `[PAD]`,
/// `[UNK]`, `[CLS]` and `[SEP]`.
package func wordPieceFile(_ words: [String]) -> [UInt8] {
  let vocabulary = words.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ", ")
  return Array(
    """
    {"version": "1.0", "truncation": null, "padding": null,
     "added_tokens": [
       {"id": 0, "content": "[PAD]", "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": false, "special": true}],
     "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
       "strip_accents": null, "lowercase": true},
     "pre_tokenizer": {"type": "BertPreTokenizer"},
     "post_processor": {"type": "TemplateProcessing",
       "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A",
         "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
       "pair": [],
       "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
         "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
     "decoder": null,
     "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
       "max_input_chars_per_word": 100, "vocab": {\(vocabulary)}}}
    """.utf8)
}
