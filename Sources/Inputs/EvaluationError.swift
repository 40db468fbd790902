import StrictJSON

/// Why models cannot be compared at all; a comparison that was made and failed is a refusal instead.
package enum EvaluationError: Error, Equatable, CustomStringConvertible {
  /// An input that the model cannot take; `index` counts from 0, `input` is its short form.
  case unusableInput(index: Int, input: String, fault: String)
  /// The same, with the place it was read from.
  case unusableLine(origin: String, line: Int, input: String, fault: String)
  /// An image that cannot be read; `index` counts from 0, `fault` names the file.
  case unusableImage(index: Int, fault: String)
  /// The same, with the place that names it.
  case unusableImageLine(origin: String, line: Int, fault: String)
  /// The tokenizer has more pieces than the model's table has rows.
  case vocabularyTooLarge(origin: String, tokens: Int, rows: Int)
  /// The tokenizer pads with a token that the model's table does not have.
  case paddingOutside(origin: String, id: Int, rows: Int)
  /// A package states otherwise how texts are prepared than they are.
  case statedOtherwise(origin: String, key: String, stated: String, found: String)
  /// The file that says how images are prepared makes them of another size, [width, height].
  case otherImageSize(origin: String, found: [Int], needed: [Int])
  /// The executor gave another number of values than the graph promises.
  case wrongOutputCount(origin: String, found: Int, expected: Int)
  /// Baseline and candidate are of different kinds.
  case notComparable(what: String, baseline: String, candidate: String)
  /// Models that do not belong together on one side.
  case wrongEncoders(side: String, fault: String)
  /// A reference set whose form does not suit the model's output.
  case wrongForm(references: String, found: String, reason: String)
  /// A set of too few distinct lines that nobody declared to be enough.
  case fewReferences(origin: String, fault: String)
  /// A set on which every candidate would pass.
  case blindReferences(origin: String, fault: String)
  /// A candidate that was fitted to the very set that is to judge it.
  case calibratedOnReferences(origin: String, references: String)
  /// Rows of given outputs do not suit the reference set.
  case wrongRows(origin: String, fault: String)
  /// A table whose columns are not the features of the model.
  case otherColumns(origin: String, columns: [String], features: [String])
  /// A true label that the model does not give; its labels as messages name them.
  case unknownLabel(origin: String, line: Int, label: String, labels: [String])
  /// A limit that true labels are needed for, which there are none of.
  case unlabelled(origin: String, limit: String, fault: String)
  /// A limit or threshold that means nothing.
  case badLimit(fault: String)
  /// Outputs made elsewhere that a model cannot be compared with.
  case badSourceCheck(origin: String, fault: String)
  /// A source check of bytes other than those judged.
  case otherSourceCheck(kind: String)
  /// A baseline that misses outputs the reference set knows to be right: the worst lines, and a
  /// hint at the cause.
  case missedOutputs(origin: String, fault: String, lines: [String], hint: String)

  package var description: String {
    switch self {
    case .unusableInput(let index, let input, let fault): "input \(index + 1) (\(input)): \(fault)"
    case .unusableLine(let origin, let line, let input, let fault):
      "\(origin):\(line): \(input): \(fault)"
    case .unusableImage(let index, let fault): "input \(index + 1): \(fault)"
    case .unusableImageLine(let origin, let line, let fault): "\(origin):\(line): \(fault)"
    case .vocabularyTooLarge(let origin, let tokens, let rows):
      "\(origin): 'tokenizer.json' knows \(tokens) tokens, the token table has \(rows) rows"
    case .paddingOutside(let origin, let id, let rows):
      "\(origin): 'tokenizer.json' pads with id \(id), the token table has \(rows) rows"
    case .statedOtherwise(let origin, let key, let stated, let found):
      "\(origin): '\(key)' of its metadata is \(quoted(stated)), the files that prepare its texts "
        + "make it \(quoted(found)); an app that believes the metadata makes other inputs"
    case .otherImageSize(let origin, let found, let needed):
      "\(origin): images are prepared with \(EvaluationError.size(found)) pixels, the model takes "
        + EvaluationError.size(needed)
    case .wrongOutputCount(let origin, let found, let expected):
      "\(origin): a batch gave \(Figures.count(found, "output")), its graph promises \(expected)"
    case .notComparable(let what, let baseline, let candidate):
      "the candidate's \(what) is \(candidate), the baseline's is \(baseline)"
    case .wrongEncoders(let side, let fault): "the \(side) \(fault)"
    case .wrongForm(let references, let found, let reason):
      "\(references): holds \(found); \(reason)"
    case .calibratedOnReferences(let origin, let references):
      "\(origin): was calibrated on \(references), which cannot judge it; use other references"
    case .fewReferences(let origin, let fault), .blindReferences(let origin, let fault),
      .wrongRows(let origin, let fault):
      "\(origin): \(fault)"
    case .otherColumns(let origin, let columns, let features):
      "\(origin):1: the columns are \(Figures.list(columns)), the model takes "
        + "\(Figures.count(features.count, "feature")): \(Figures.list(features))"
        + EvaluationError.difference("too many", columns, without: features)
        + EvaluationError.difference("missing", features, without: columns)
    case .unknownLabel(let origin, let line, let label, let labels):
      "\(origin):\(line): the label is \(quoted(label)), the model gives "
        + EvaluationError.labels(labels)
    case .unlabelled(let origin, let limit, let fault):
      "\(origin): the limit '\(limit)' cannot be judged: \(fault)"
    case .badLimit(let fault): fault
    case .badSourceCheck(let origin, let fault): "\(origin): \(fault)"
    case .otherSourceCheck(let kind):
      "the source check was made of another \(kind) than is judged; its files changed meanwhile"
    case .missedOutputs(let origin, let fault, let lines, let hint):
      (["\(origin): the known outputs \(fault)"] + lines + [hint]).joined(separator: "\n")
    }
  }

  /// `; missing: 'x', 'y'`; empty if none is missing.
  private static func difference(
    _ word: String, _ names: [String], without others: [String]
  ) -> String {
    let known = Set(others.map { Array($0.utf8) })
    let rest = names.filter { !known.contains(Array($0.utf8)) }
    return rest.isEmpty ? "" : "; \(word): \(Figures.list(rest))"
  }

  private static func labels(_ words: [String]) -> String {
    let shown = words.prefix(20)
    return Figures.list(words: Array(shown))
      + (words.count > shown.count ? " and \(words.count - shown.count) more" : "")
  }

  private static func size(_ edges: [Int]) -> String {
    edges.map(String.init).joined(separator: " × ")
  }

  /// The description without what lines and headers hold: for files of a project, which may be of
  /// any kind.
  package var discreet: String {
    switch self {
    case .unusableInput(let index, _, let fault): "input \(index + 1): \(fault)"
    case .unusableLine(let origin, let line, _, let fault): "\(origin):\(line): \(fault)"
    case .otherColumns(let origin, let columns, let features):
      "\(origin):1: has \(Figures.count(columns.count, "column")), the model takes "
        + "\(Figures.count(features.count, "feature")): \(Figures.list(features))"
        + EvaluationError.difference("missing", features, without: columns)
    case .unknownLabel(let origin, let line, _, let labels):
      "\(origin):\(line): the label is none that the model gives: "
        + EvaluationError.labels(labels)
    default: description
    }
  }

  /// The same fault, of an input that has another number.
  func numbered(_ index: Int) -> EvaluationError {
    switch self {
    case .unusableInput(_, let input, let fault):
      .unusableInput(index: index, input: input, fault: fault)
    case .unusableImage(_, let fault): .unusableImage(index: index, fault: fault)
    default: self
    }
  }

  /// The same fault, of an input by the place it was read from.
  ///
  /// - Parameter line: the line of an input, by its number from 0.
  package func placed(in origin: String, line: (Int) -> Int) -> EvaluationError {
    switch self {
    case .unusableInput(let index, let input, let fault):
      .unusableLine(origin: origin, line: line(index), input: input, fault: fault)
    case .unusableImage(let index, let fault):
      .unusableImageLine(origin: origin, line: line(index), fault: fault)
    default: self
    }
  }
}

extension EvaluationError {
  /// Columns that are not the model's features, where all of its features are there besides; else nil.
  package var otherColumns: [String]? {
    guard case .otherColumns(_, let columns, let features) = self else { return nil }
    let known = Set(features)
    let others = columns.filter { !known.contains($0) }
    return others.isEmpty || !known.isSubset(of: columns) ? nil : others
  }

  /// Whether lines are of another kind than the model's.
  package var isOfLines: Bool {
    switch self {
    case .wrongForm, .otherColumns, .unusableLine: true
    default: false
    }
  }
}
