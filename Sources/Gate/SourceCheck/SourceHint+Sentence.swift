package import Files
import Graph
import StrictJSON

extension SourceHint {
  /// The cause as a sentence, with what the user may type as `name` spells it.
  package func sentence(_ name: UserOption.Names) -> String {
    switch self {
    case .order(let row, let line):
      "the rows are in another order than the lines: row \(row) is what the model gives for line "
        + "\(line); save one row for each line, in order"
    case .lengths(let lengths):
      "every direction agrees and only the lengths of vectors differ; \(lengths.words)"
    case .longTexts(let tokens, let limit):
      "only long texts differ, those of \(tokens) tokens and more: texts were cut at another "
        + "length, or on the other side; the model's is \(limit) tokens ('max_seq_length', "
        + "'model_max_length', 'truncation_side')"
    case .letters(let kind): "only texts \(kind.words) differ: \(kind.cause)"
    case .someRows:
      "some rows differ and others do not: look at what their inputs share; the tokenizer's files "
        + "and the length at which texts are cut are read from the model's folder"
    case .halfPrecision:
      "every row is off by a little, as when the vectors were made in half precision: make "
        + "them with the model in float32 on the CPU, or save them as float16 if that is their type"
    case .everyRow(ofTexts: true):
      "every row differs: another prompt (or none), another pooling, or a module after the "
        + "pooling; " + SourceHint.advice(name)
    case .everyRow(ofTexts: false):
      "every row differs: other weights, or inputs that are prepared in another way"
    case .outputs(let hint): hint.sentence
    case .sums(_, let areExact):
      (areExact
        ? "the sums of the leaves differ in their last bits"
        : "the numbers are exponentials of sums that differ in their last bits")
        + ": another order of the trees, another leaf or base score, sums of 64 bits, or numbers that "
        + "a GPU made; save what predict gives on the CPU, in float32"
    case .features: "look at the order and the scaling of the features, and at the activations"
    }
  }

  private static func advice(_ name: UserOption.Names) -> String {
    name(.inspection).map {
      "'\($0)' shows how the model is read, and its own library what it does"
    }
      ?? "its own library shows what it does"
  }

  /// Describes rows of another width, to follow a sentence.
  static func width(given: Int, _ output: ModelOutput) -> String {
    switch output {
    case .embedding(let width) where given < width:
      "; were they truncated ('truncate_dim')?"
    case .classes(_, 1, _) where given == 2:
      "; the model gives the second label alone: save predict_proba(…)[:, 1:]"
    case .classes(_, 2, _) where given == 1:
      "; the model gives both: save predict_proba(…) as it is (probabilities.py --both)"
    default: ""
    }
  }
}

extension VectorLengths {
  fileprivate var words: String {
    switch self {
    case .givenAreUnit:
      "the given ones have length 1: they were normalised, the model as it was saved does not "
        + "(a 'Normalize' module in 'modules.json', or encode(normalize_embeddings=False))"
    case .modelsAreUnit:
      "the model's have length 1: it normalises ('Normalize' in 'modules.json'), the given ones "
        + "were taken before that"
    case .first(let given, let model):
      "their lengths are \(Figures.short(given)) and \(Figures.short(model)) for the first"
    }
  }
}

extension LetterKind {
  fileprivate var words: String {
    switch self {
    case .upperCase: "with upper-case letters"
    case .beyondASCII: "with accents or letters beyond ASCII"
    }
  }

  fileprivate var cause: String {
    switch self {
    case .upperCase: "texts are put into lower case on one side only ('do_lower_case')"
    case .beyondASCII:
      "accents are stripped on one side only ('strip_accents', 'do_lower_case')"
    }
  }
}
