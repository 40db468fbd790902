import Files
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Trees
import Weights

@testable import Formats
@testable import Graph

/// The files that describe a model, each mutated while the others are sound.
extension FuzzTests {
  private static let errors: [any Error.Type] = [
    JSONError.self, ModelError.self, GraphError.self, WeightsError.self, FileError.self,
    TreeError.self,
  ]

  private static let dense = [
    #"{"architecture":"dense","inputs":[{"name":"a"},{"name":"b","kind":"boolean"}],"#
      + #""standardize":{"mean":"mean.npy","scale":"scale"},"#
      + #""layers":[{"weight":"w.npy","bias":"b","layout":"out,in","activation":"gelu"},"#
      + #"{"weight":"v","layout":"in,out","activation":"softmax"},"#
      + #"{"weight":"u","bias":"one"}],"#
      + #""output":{"name":"p","kind":"classifier","labels":["no","yes"]}}"#,
    #"{"architecture":"dense","inputs":[{"name":"a"},{"name":"\u00e9"}],"#
      + #""layers":[{"weight":"w","activation":"tanh"}],"output":{"kind":"embedding"}}"#,
    #"{"architecture":"dense","inputs":[{"name":"x"},{"name":"y"},{"name":"z"}],"#
      + #""standardize":null,"layers":[{"weight":"v","bias":null}],"output":{"kind":"regressor"}}"#,
  ]

  private static let denseShapes: [TensorName: [Int]] = [
    "mean": [2], "scale": [2], "w": [3, 2], "b": [3], "v": [3, 3], "u": [3], "one": [1],
    "empty": [0, 3], "deep": [1, 2, 3], "scalar": [],
  ]

  private static let bert = [
    "config.json":
      #"{"model_type":"bert","max_position_embeddings":16,"hidden_size":8,"#
      + #""num_attention_heads":2,"num_hidden_layers":2,"intermediate_size":12,"vocab_size":20,"#
      + #""type_vocab_size":2,"layer_norm_eps":1e-12,"hidden_act":"gelu_new","#
      + #""position_embedding_type":"absolute","is_decoder":false,"dtype":"float32"}"#,
    "modules.json":
      #"[{"idx":0,"path":"","type":"sentence_transformers.models.Transformer"},"#
      + #"{"idx":1,"path":"1_Pooling","type":"sentence_transformers.models.Pooling"},"#
      + #"{"idx":2,"path":"2_Normalize","type":"sentence_transformers.models.Normalize"}]"#,
    "1_Pooling/config.json":
      #"{"word_embedding_dimension":8,"pooling_mode_cls_token":false,"#
      + #""pooling_mode_mean_tokens":true,"pooling_mode_max_tokens":false}"#,
    "sentence_bert_config.json": #"{"max_seq_length":null,"do_lower_case":false}"#,
    "config_sentence_transformers.json":
      #"{"__version__":{"sentence_transformers":"5.1.0"},"similarity_fn_name":"cosine","#
      + #""prompts":{"query":"query: ","\u00e9":""},"default_prompt_name":"query","#
      + #""truncate_dim":6,"model_type":"SentenceTransformer"}"#,
    "tokenizer_config.json":
      #"{"model_max_length":12,"tokenizer_class":"BertTokenizer","do_lower_case":true}"#,
  ]

  @Test func denseModels() {
    run("model.json", bytes(FuzzTests.dense)) { bytes in
      check(["model.json": bytes], ShapesOnly(shapes: FuzzTests.denseShapes))
    }
  }

  @Test(arguments: FuzzTests.bert.keys.sorted())
  func bertModels(path: String) throws {
    var texts = FuzzTests.bert.mapValues { Array($0.utf8) }
    let shapes = try bertShapes(texts)
    run(path, [texts[path] ?? []]) { bytes in
      texts[path] = bytes
      return check(texts, shapes)
    }
  }

  /// All weights that the sound model asks for.
  private func bertShapes(_ texts: [String: [UInt8]]) throws -> ShapesOnly {
    let files = ModelFiles(carriedBy: "m", texts: texts)
    let bert = try #require(try Bert.recognise(files, weights: ShapesOnly()))
    let weights = try bert.graph(batch: 1, length: 1).weights
    return ShapesOnly(
      shapes: Dictionary(weights.map { ($0.name, $0.shape) }) { first, _ in first })
  }

  func check(_ texts: [String: [UInt8]], _ weights: ShapesOnly) -> Bool? {
    parsing(FuzzTests.errors) {
      let files = ModelFiles(carriedBy: "m", texts: texts)
      let model = try Model(
        origin: "m", architecture: try Architectures.recognise(files, weights: weights),
        files: files, weights: weights)
      return try isSound(model)
    }
  }

  /// Whether a graph of another size can be made, and every weight it uses has the right shape.
  private func isSound(_ model: Model) throws -> Bool {
    for path in model.architecture.describingFiles {
      guard try model.files.bytes(of: path) != nil else { return false }
    }
    let graph = try model.architecture.graph(batch: 3, length: 2)
    let references = graph.nodes.flatMap { $0.operation.operands }.compactMap { operand in
      if case .weight(let reference) = operand.operand { reference } else { nil }
    }
    return model.architecture.output.width > 0 && graph.outputType.shape.first == 3
      && graph.outputType.shape.last == model.architecture.output.width
      && references.allSatisfy { reference in
        model.weights.shape(of: reference.name).map {
          Model.matches(stored: $0, needed: reference.shape)
        } ?? false
      }
  }
}
