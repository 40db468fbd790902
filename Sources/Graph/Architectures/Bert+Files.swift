import StrictJSON

extension Bert {
  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Bert? {
    guard let config = try files.object("config.json"), config["model_type"]?.string == name else {
      return nil
    }
    try refuseVariants(config)
    let modules = try SentenceModules(files)
    let positions = try config.integer("max_position_embeddings", in: 1...1 << 20)
    let hidden = try config.integer("hidden_size", in: 1...1 << 20)
    let heads = try config.integer("num_attention_heads", in: 1...hidden)
    guard hidden.isMultiple(of: heads) else {
      throw config.error(
        "'hidden_size' \(hidden) is no multiple of 'num_attention_heads' \(heads)",
        at: config.position)
    }
    return Bert(
      layers: try config.integer("num_hidden_layers", in: 1...1000), heads: heads, hidden: hidden,
      intermediate: try config.integer("intermediate_size", in: 1...1 << 20),
      vocabulary: try config.integer("vocab_size", in: 1...1 << 24), positions: positions,
      segments: config.has("type_vocab_size")
        ? try config.integer("type_vocab_size", in: 1...1 << 16) : 2,
      epsilon: config.has("layer_norm_eps") ? Float(try config.double("layer_norm_eps")) : 1e-12,
      activation: try activation(config),
      prefix: weights.shape(of: "bert.embeddings.word_embeddings.weight") == nil ? "" : "bert.",
      pooling: modules.pooling, normalises: modules.normalises,
      maximumLength: min(positions, modules.maximumLength ?? positions),
      describingFiles: ["config.json"] + modules.files)
  }

  /// Refuses what changes the mathematics and is not built.
  private static func refuseVariants(_ config: JSONObject) throws(ModelError) {
    if let kind = config["position_embedding_type"]?.string, kind != "absolute" {
      throw .unsupported(
        place: "\(config.origin): 'position_embedding_type'", found: "'\(kind)'",
        supported: "absolute")
    }
    for key in ["is_decoder", "add_cross_attention"] where config[key]?.bool == true {
      throw .unsupported(place: "\(config.origin): '\(key)'", found: "true", supported: "false")
    }
  }

  private static func activation(_ config: JSONObject) throws -> Activation {
    let word = config.has("hidden_act") ? try config.string("hidden_act") : "gelu"
    switch word {
    case "gelu": return .gelu(.exact)
    case "gelu_new", "gelu_pytorch_tanh": return .gelu(.tanhApproximation)
    case "quick_gelu": return .gelu(.sigmoidApproximation)
    case "relu": return .relu
    default:
      throw ModelError.unsupported(
        place: "\(config.origin): 'hidden_act'", found: "'\(word)'",
        supported: "gelu, gelu_new, gelu_pytorch_tanh, quick_gelu, relu")
    }
  }
}

/// What sentence-transformers' `modules.json` and the files it names say.
struct SentenceModules {
  var pooling = Bert.Pooling.mean
  var normalises = false
  var maximumLength: Int?
  /// Every file that was read.
  var files = ["modules.json"]

  init(_ modelFiles: ModelFiles) throws {
    guard let bytes = try modelFiles.bytes(of: "modules.json") else {
      throw ModelError.missingFile(
        origin: modelFiles.origin, path: "modules.json",
        mend: "it says how token vectors become a sentence vector; save the model with "
          + "sentence-transformers, or write one that lists Transformer, Pooling and Normalize")
    }
    let list = try JSONParser.parse(bytes, origin: modelFiles.name(of: "modules.json"))
    let modules = try (list.array ?? []).map { (node) throws -> (type: String, path: String) in
      guard let module = node.object else {
        throw JSONError(
          origin: modelFiles.name(of: "modules.json"), position: node.position,
          fault: "is \(node.kind), expected an object with 'type' and 'path'")
      }
      let type = try module.string("type").split(separator: ".").last.map(String.init) ?? ""
      return (type, try module.string("path"))
    }
    guard modules.first?.type == "Transformer", modules.count >= 2, modules[1].type == "Pooling",
      modules.count == 2 || (modules.count == 3 && modules[2].type == "Normalize")
    else {
      throw ModelError.unsupported(
        place: modelFiles.name(of: "modules.json"),
        found: "the chain " + modules.map(\.type).joined(separator: ", "),
        supported: "Transformer, Pooling and optionally Normalize")
    }
    try readPooling(modelFiles, path: modules[1].path + "/config.json")
    normalises = modules.count == 3
    try readMaximumLength(modelFiles)
    if try modelFiles.bytes(of: "tokenizer.json") != nil { files.append("tokenizer.json") }
  }

  private mutating func readPooling(_ modelFiles: ModelFiles, path: String) throws {
    // By bytes: a combining mark behind a slash would hide it from a split by characters.
    let segments = path.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isInside = segments.allSatisfy { segment in
      !["", ".", ".."].contains { segment.elementsEqual($0.utf8) }
    }
    guard isInside else {
      throw ModelError.unsupported(
        place: modelFiles.name(of: "modules.json"), found: "the path '\(path)'",
        supported: "paths inside the model's folder")
    }
    guard let config = try modelFiles.object(path) else {
      throw ModelError.missingFile(
        origin: modelFiles.origin, path: path, mend: "modules.json names it for the pooling")
    }
    files.append(path)
    let modes = config.members.filter { $0.key.hasPrefix("pooling_mode") && $0.value.bool == true }
    guard modes.count == 1, let mode = Bert.Pooling(rawValue: modes[0].key) else {
      throw ModelError.unsupported(
        place: config.origin,
        found: modes.isEmpty ? "no pooling mode" : modes.map(\.key).joined(separator: " with "),
        supported: "one of " + Bert.Pooling.allCases.map(\.rawValue).joined(separator: ", "))
    }
    pooling = mode
  }

  private mutating func readMaximumLength(_ modelFiles: ModelFiles) throws {
    guard let config = try modelFiles.object("sentence_bert_config.json") else { return }
    files.append("sentence_bert_config.json")
    if config.has("max_seq_length") {
      maximumLength = try config.integer("max_seq_length", in: 3...1 << 20)
    }
    if config["do_lower_case"]?.bool == true {
      throw ModelError.unsupported(
        place: "\(config.origin): 'do_lower_case'", found: "true",
        supported: "lower-casing by tokenizer.json alone")
    }
  }
}
