import Graph
import Inputs
import Tokenization

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
      if case .tokens(let tokens) = $0 { tokens.count } else { 0 }
    }
  }

  /// Likeliest first; one at least.
  var all: [SourceHint] {
    if let steps = part.comparison.stepsOfSumsAlone {
      return [.sums(steps: steps, areExact: part.comparison.sums == .exact)]
    }
    if let hint = order { return [hint] }
    if case .embedding = part.model.architecture.output { return embeddingHints }
    return [outputHint]
  }

  private var rows: Range<Int> { 0..<given.rowCount }

  // Rows that agree with another line's output are in another order.
  private var order: SourceHint? {
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
    return .order(row: part.rows[first.0], line: check.lines.lines[part.rows[first.1]])
  }

  private var embeddingHints: [SourceHint] {
    if let hint = length { return [hint] }
    let found = [longTexts, writing].compactMap { $0 }
    if !found.isEmpty { return found }
    return [failing.count == given.rowCount ? everyRow : .someRows]
  }

  // Only the lengths differ: every cosine is right.
  private var length: SourceHint? {
    let comparison = part.comparison
    guard comparison.rows.allSatisfy({ ($0.cosine ?? 0) >= comparison.minCosine }) else {
      return nil
    }
    let ours = Vectors(part.outputs), theirs = Vectors(given)
    func areUnit(_ vectors: Vectors) -> Bool {
      rows.allSatisfy { (vectors.length($0) - 1).magnitude < 0.01 }
    }
    if areUnit(theirs) { return .lengths(.givenAreUnit) }
    if areUnit(ours) { return .lengths(.modelsAreUnit) }
    return .lengths(.first(given: theirs.length(0), model: ours.length(0)))
  }

  // All long texts differ and no short one does.
  private var longTexts: SourceHint? {
    guard let tokenCounts, failing.count < given.rowCount,
      case .tokens(let limit, _) = part.model.architecture.input
    else { return nil }
    let long = failing.map { tokenCounts[$0] }.min() ?? 0
    let short = rows.filter { !failing.contains($0) }.map { tokenCounts[$0] }.max() ?? 0
    guard long > max(short, SourceHints.shortTokens) else { return nil }
    return .longTexts(tokens: long, limit: limit)
  }

  /// Tokens of a text that is never cut.
  private static let shortTokens = 12

  // All texts with a kind of letter differ, and (nearly) no other does.
  private var writing: SourceHint? {
    let found = LetterKind.allCases.first { kind in
      let having = rows.filter { text($0).map(kind.occurs) ?? false }
      let share = having.filter(failing.contains).count
      return !having.isEmpty && having.count < given.rowCount && share == failing.count
        && share * 10 >= having.count * 9
    }
    return found.map(SourceHint.letters)
  }

  private func text(_ row: Int) -> String? {
    switch check.lines.inputs[part.rows[row]] {
    case .text(let text): text
    case .textPair(let first, let second): first + second
    case .values, .named, .image: nil
    }
  }

  private var everyRow: SourceHint {
    let minimum = part.comparison.cosine?.min ?? -1
    return minimum >= 0.9999 ? .halfPrecision : .everyRow(ofTexts: tokenCounts != nil)
  }

  // For scores and numbers.
  private var outputHint: SourceHint {
    OutputHints.likeliest(ours: part.outputs, given: given, exactly: true)
      .map(SourceHint.outputs) ?? .features
  }
}
