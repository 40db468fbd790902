import Graph
import Inputs
import StrictJSON

/// Guesses why a model gives other outputs than were made elsewhere, by the pattern
/// of the rows that differ.
struct SourceHints {
  private let check: SourceCheck
  private let part: SourceFinding.Part
  private let given: OutputMatrix
  private let failing: Set<Int>
  /// Tokens of each row, with those around the text, cut as the model cuts; nil for other inputs.
  private let tokenCounts: [Int]?

  init(_ check: SourceCheck, _ part: SourceFinding.Part) throws {
    self.check = check
    self.part = part
    given = check.vectors.picking(part.rows)
    failing = Set(part.comparison.failing)
    guard case .tokens = part.model.architecture.input else {
      tokenCounts = nil
      return
    }
    let inputs = part.rows.map { check.lines.inputs[$0] }
    tokenCounts = try InputReader(model: part.model).read(inputs, images: check.images).map {
      if case .tokens(let ids) = $0 { ids.count } else { 0 }
    }
  }

  /// Likeliest first; one at least.
  var lines: [String] {
    if let hint = order { return [hint] }
    if case .embedding = part.model.architecture.output { return embeddingHints }
    return [outputHint]
  }

  private var rows: Range<Int> { 0..<given.rowCount }

  // Rows that agree with another line's output are in another order.
  private var order: String? {
    let tried = failing.sorted().prefix(20)
    let ours = Vectors(part.outputs), theirs = Vectors(given)
    func match(_ row: Int) -> Int? {
      rows.first { other in
        other != row && ours.cosine(other, of: theirs, row) >= part.comparison.minCosine
          && given.width > 2
      }
    }
    let found = tried.compactMap { row in match(row).map { (row, $0) } }
    guard let first = found.first, found.count * 2 > tried.count else { return nil }
    return "the rows are in another order than the lines: row \(part.rows[first.0]) is what the "
      + "model gives for line \(check.lines.lines[part.rows[first.1]]); save one row for each line, in order"
  }

  private var embeddingHints: [String] {
    if let hint = length { return [hint] }
    let found = [longTexts, writing].compactMap { $0 }
    if !found.isEmpty { return found }
    if failing.count == given.rowCount { return [everyRow] }
    return [
      "some rows differ and others do not: look at what their inputs share; the tokenizer's files "
        + "and the length at which texts are cut are read from the model's folder"
    ]
  }

  // Only the lengths differ: every cosine is right.
  private var length: String? {
    let comparison = part.comparison
    guard comparison.rows.allSatisfy({ ($0.cosine ?? 0) >= comparison.minCosine }) else {
      return nil
    }
    let ours = Vectors(part.outputs), theirs = Vectors(given)
    func areUnit(_ vectors: Vectors) -> Bool {
      rows.allSatisfy { (vectors.length($0) - 1).magnitude < 0.01 }
    }
    let cause =
      areUnit(theirs)
      ? "the given ones have length 1: they were normalised, the model as it was saved does not "
        + "(a 'Normalize' module in 'modules.json', or encode(normalize_embeddings=False))"
      : areUnit(ours)
        ? "the model's have length 1: it normalises ('Normalize' in 'modules.json'), the given ones "
          + "were taken before that"
        : "their lengths are \(Figures.short(theirs.length(0))) and "
          + "\(Figures.short(ours.length(0))) for the first"
    return "every direction agrees and only the lengths of vectors differ; \(cause)"
  }

  // All long texts differ and no short one does.
  private var longTexts: String? {
    guard let tokenCounts, failing.count < given.rowCount else { return nil }
    let long = failing.map { tokenCounts[$0] }.min() ?? 0
    let short = rows.filter { !failing.contains($0) }.map { tokenCounts[$0] }.max() ?? 0
    guard long > max(short, SourceHints.shortTokens) else { return nil }
    return "only long texts differ, those of \(long) tokens and more: texts were cut at another "
      + "length, or on the other side; the model's is \(limit) ('max_seq_length', "
      + "'model_max_length', 'truncation_side')"
  }

  /// Tokens of a text that is never cut.
  private static let shortTokens = 12

  private var limit: String {
    if case .tokens(let maximum, _) = part.model.architecture.input {
      "\(maximum) tokens"
    } else {
      ""
    }
  }

  // All texts with a kind of letter differ, and (nearly) no other does.
  private var writing: String? {
    let kinds: [(words: String, cause: String, holds: (Unicode.Scalar) -> Bool)] = [
      (
        "with upper-case letters",
        "texts are put into lower case on one side only ('do_lower_case')",
        { $0.properties.isUppercase }
      ),
      (
        "with accents or letters beyond ASCII",
        "accents are stripped on one side only ('strip_accents', 'do_lower_case')",
        { $0.value > 127 && $0.properties.isAlphabetic }
      ),
    ]
    for kind in kinds {
      let having = rows.filter { text($0)?.unicodeScalars.contains(where: kind.holds) ?? false }
      let share = having.filter(failing.contains).count
      guard !having.isEmpty, having.count < given.rowCount, share == failing.count,
        share * 10 >= having.count * 9
      else { continue }
      return "only texts \(kind.words) differ: \(kind.cause)"
    }
    return nil
  }

  private func text(_ row: Int) -> String? {
    if case .text(let text) = check.lines.inputs[part.rows[row]] { text } else { nil }
  }

  private var everyRow: String {
    let minimum = part.comparison.cosine?.min ?? -1
    if minimum >= 0.9999 {
      return "every row is off by a little, as when the vectors were made in half precision: make "
        + "them with the model in float32 on the CPU, or save them as float16 if that is their type"
    }
    let text = tokenCounts != nil
    return text
      ? "every row differs: another prompt (or none), another pooling, or a module after the "
        + "pooling; 'ingot inspect' shows how the model is read, and its own library what it does"
      : "every row differs: other weights, or inputs that are prepared in another way"
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

  // For scores and numbers.
  private var outputHint: String {
    if let hint = OutputHints.activation(ours: part.outputs, given: given) { return hint }
    if let hint = OutputHints.otherColumn(ours: part.outputs, given: given) { return hint }
    if let hint = OutputHints.line(ours: part.outputs, given: given, exactly: true) {
      return hint
    }
    return "look at the order and the scaling of the features, and at the activations"
  }
}
