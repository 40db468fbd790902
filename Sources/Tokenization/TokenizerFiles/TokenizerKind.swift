import StrictJSON

/// The class of the library `transformers` that reads a tokenizer.
enum TokenizerKind: Equatable {
  /// BERT's own, which sets `tokenizer_config.json` over `tokenizer.json`.
  case bert
  /// One of another model that is BERT's up to transformers 4.57.
  case bertsOnce
  /// CLIP's own.
  case clip
  /// Byte-level classes: RoBERTa's, GPT-2's, that of Qwen 2 and 3, DeBERTa's of the first version.
  case roberta, gpt2, qwen, deberta
  /// Gemma's, of characters.
  case gemma
  /// MPNet's, BERT's with other special tokens.
  case mpnet
  /// SigLIP's, which runs the library SentencePiece itself.
  case siglip
  /// One of a model with Unigram pieces, which builds the rest itself from transformers 5.0 on.
  case unigram(UnigramClass)
  /// The one that takes `tokenizer.json` as it is.
  case file

  /// Classes whose name may end in `Fast`.
  private static let named: [String: TokenizerKind] = [
    "BertTokenizer": .bert, "DistilBertTokenizer": .bertsOnce, "ElectraTokenizer": .bertsOnce,
    "MPNetTokenizer": .mpnet, "CLIPTokenizer": .clip, "RobertaTokenizer": .roberta,
    "GPT2Tokenizer": .gpt2, "Qwen2Tokenizer": .qwen, "DebertaTokenizer": .deberta,
    "GemmaTokenizer": .gemma, "SiglipTokenizer": .siglip, "AlbertTokenizer": .unigram(.albert),
    "CamembertTokenizer": .unigram(.camembert), "DebertaV2Tokenizer": .unigram(.debertaV2),
    "T5Tokenizer": .unigram(.t5), "XLMRobertaTokenizer": .unigram(.xlmRoberta),
  ]
  private static let byClass: [String: TokenizerKind] = named.reduce(
    into: ["PreTrainedTokenizerFast": TokenizerKind.file, "TokenizersBackend": TokenizerKind.file]
  ) { classes, entry in
    classes[entry.key] = entry.value
    classes[entry.key + "Fast"] = entry.value
  }
  /// Every class that is known.
  static let classNames = byClass.keys.sorted()
  private static let byModel: [String: TokenizerKind] = [
    "albert": .unigram(.albert), "bert": .bert, "camembert": .unigram(.camembert), "clip": .clip,
    "clip_text_model": .clip, "deberta": .deberta, "deberta-v2": .unigram(.debertaV2),
    "distilbert": .bertsOnce, "electra": .bertsOnce, "gemma": .gemma, "gemma2": .gemma,
    "gemma3_text": .gemma, "gpt2": .gpt2, "modernbert": .file, "mpnet": .mpnet, "qwen2": .qwen,
    "qwen3": .qwen, "roberta": .roberta, "siglip": .siglip, "t5": .unigram(.t5),
    "xlm-roberta": .unigram(.xlmRoberta),
  ]

  /// Whether `tokenizer_config.json` is set over `tokenizer.json`.
  var isBert: Bool { self == .bert || self == .bertsOnce }

  /// Whether the library reads a tokenizer without looking at `tokenizer.json`.
  ///
  /// - Parameter words: the class of `tokenizer_config.json`, that of `config.json` and its kind of
  ///   model; the first that is there counts.
  static func ignoresFile(_ words: (String?, String?, String?)) -> Bool {
    let kind = (words.0 ?? words.1).map { byClass[$0] } ?? words.2.map { byModel[$0] }
    return kind == .siglip
  }

  /// As the library decides: by the class that `tokenizer_config.json` names, else by the one of
  /// `config.json`, else by the kind of model. Where nothing says anything the file counts.
  init(
    _ configuration: TokenizerConfiguration, _ model: ModelDescription
  ) throws(PreprocessingError) {
    if let name = configuration.className ?? model.className {
      self = try TokenizerKind.lookUp(name, TokenizerKind.byClass)
    } else if let type = model.modelType {
      self = try TokenizerKind.lookUp(type, TokenizerKind.byModel)
    } else {
      self = .file
    }
  }

  private static func lookUp(
    _ word: JSONWord, _ table: [String: TokenizerKind]
  ) throws(PreprocessingError) -> TokenizerKind {
    guard let kind = table[word.text] else {
      throw word.object.unsupported(
        word.key, word.text, at: word.key, known: table.keys.sorted())
    }
    return kind
  }
}

/// The facts of `config.json` about the tokenizer.
struct ModelDescription: Sendable {
  private(set) var className: JSONWord?
  private(set) var modelType: JSONWord?
  /// The version of the library that saved the model, where the file says.
  private(set) var version: JSONWord?
  /// Whether the library from 5.0 on takes `tokenizer.json` as it is for this kind of model,
  /// whatever class other files name.
  var takesFile: Bool { modelType?.text == "modernbert" }
  /// The library of that version.
  var library: TransformersLibrary? { version.flatMap { TransformersLibrary(version: $0.text) } }
  /// The file's name for messages.
  let origin: String

  init(_ file: TokenizerFiles.File?) throws(PreprocessingError) {
    origin = file?.origin ?? TokenizerFiles.Name.model.rawValue
    guard let file else { return }
    let root = try reading { () throws(JSONError) in
      try JSONParser.parseObject(file.bytes, origin: file.origin)
    }
    try reading { () throws(JSONError) in
      className = try JSONWord(root, "tokenizer_class")
      modelType = try JSONWord(root, "model_type")
      version =
        root["transformers_version"]?.string == nil
        ? nil : try JSONWord(root, "transformers_version")
    }
  }
}

/// The generations of the library `transformers`, which read the same files in different ways.
enum TransformersLibrary: Sendable {
  /// Up to 4.57: `tokenizer.json`, and the settings laid over it.
  case four
  /// From 5.0 on: classes of models build their tokenizer themselves and take little more than the
  /// vocabulary from `tokenizer.json`.
  case five

  /// - Parameter version: as `4.57.1`.
  init?(version: String) {
    guard let major = version.split(separator: ".").first.flatMap({ Int($0) }), major > 0 else {
      return nil
    }
    self = major < 5 ? .four : .five
  }
}

/// A string under a key, kept with its place.
struct JSONWord: Sendable {
  let object: JSONObject
  let key: String
  let text: String

  /// Nil if the key is missing or null.
  init?(_ object: JSONObject, _ key: String) throws(JSONError) {
    guard object.has(key) else { return nil }
    self.object = object
    self.key = key
    text = try object.string(key)
  }
}
