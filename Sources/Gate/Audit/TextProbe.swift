import Graph
import Inputs
import Weights

/// The parts of a text encoder that references reach, and texts that reach the rest.
struct TextProbe: Sendable {
  let reached: ReachedRows
  /// Token ids of generated texts, those around each included.
  let texts: [[Int32]]

  /// - Parameters:
  ///   - isSample: whether the texts may leave tokens out.
  ///   - seed: chooses the tokens of a sample.
  /// - Returns: nil for an encoder of anything but texts, all of whose weights every input reaches.
  /// - Throws: as `ModelRunner.outputs(for:)`.
  init?(
    _ slot: EncoderSlot, _ references: ReferenceSet, baseline: Model, candidate: Model,
    isSample: Bool,
    seed: UInt64
  ) throws {
    guard case .tokens(let trained, _) = baseline.architecture.input,
      case .tokens(let maximum, let rows) = candidate.architecture.input
    else { return nil }
    let inputs = try TextInputs(of: candidate, maximumLength: maximum, rows: rows)
    let ids = try references.naming(slot.inputs) { try inputs.tokens(of: $0) }
    reached = ReachedRows(texts: ids, rows: rows, positions: maximum)
    let (before, behind) = inputs.surroundings
    var barred = inputs.structuralTokens
    if let end = candidate.architecture.endToken { barred.insert(end) }
    if let end = baseline.architecture.endToken { barred.insert(end) }
    texts =
      GeneratedTexts(
        reached, before: before, behind: behind, length: min(trained, maximum), barred: barred,
        isSample: isSample, seed: seed
      ).texts
  }
}

/// Which rows of a text encoder's tables the references reach.
struct ReachedRows: Sendable {
  /// Whether a row of the table of tokens is reached, one for each.
  let tokens: [Bool]
  /// Tokens of the longest text; the positions before it are reached.
  let longest: Int
  /// The positions that a text can have.
  let positions: Int
  /// Tokens of all texts together.
  let total: Int

  /// - Parameters:
  ///   - texts: the tokens of each, all with a row of the table.
  ///   - rows: of the table of tokens.
  init(texts: [[Int32]], rows: Int, positions: Int) {
    var tokens = [Bool](repeating: false, count: rows)
    for id in texts.joined() where tokens.indices.contains(Int(id)) { tokens[Int(id)] = true }
    self.tokens = tokens
    self.positions = positions
    longest = texts.map(\.count).max() ?? 0
    total = texts.reduce(0) { $0 + $1.count }
  }

  /// The ids without a text that holds them, ascending.
  var untouched: [Int32] { tokens.indices.filter { !tokens[$0] }.map { Int32($0) } }

  /// Whether the references reach each row of a weight; nil if every input reaches all.
  func rows(of reference: WeightReference) -> [Bool]? {
    switch reference.role {
    case .tokenTable: reference.shape.first == tokens.count ? tokens : nil
    case .positionTable: reference.shape.first.map { count in (0..<count).map { $0 < longest } }
    case .matrix, .bias, .norm, .statistic, .threshold, .number: nil
    }
  }
}

/// Texts of tokens that no reference holds, as long as the encoder takes where that costs little:
/// they also reach the rows that no input reaches, and positions behind the longest input.
///
/// The numbers of every row are compared with the baseline's, so a sample is enough; where they
/// cannot be compared, each token is part of a text. The candidate's own weights choose the sample,
/// so that a candidate cannot be trained for it.
struct GeneratedTexts: Sendable {
  /// Ids of each text, those around it included.
  let texts: [[Int32]]

  /// Share of the references' tokens that texts may cost besides; one text is always made.
  private static let budget = 0.02
  /// Tokens of that one at least, where the encoder takes as many.
  private static let shortest = 32
  /// Texts of a sample, at most.
  private static let maximum = 8

  /// - Parameters:
  ///   - before: ids that go before every text, `behind` those behind it.
  ///   - length: tokens of the longest text.
  ///   - barred: ids that mean something to the encoder by themselves and are never within a text.
  ///   - isSample: whether the texts may leave tokens out.
  ///   - seed: chooses the tokens of a sample.
  init(
    _ reached: ReachedRows, before: [Int32], behind: [Int32], length: Int, barred: Set<Int32>,
    isSample: Bool, seed: UInt64
  ) {
    let untouched = reached.untouched.filter { !barred.contains($0) }
    let affordable = Int(Double(reached.total) * GeneratedTexts.budget)
    let length = isSample ? min(length, max(GeneratedTexts.shortest, affordable)) : length
    let room = length - before.count - behind.count
    guard room > 0, !untouched.isEmpty || reached.longest < length else {
      texts = []
      return
    }
    // Where each token is reached, only positions are left.
    let all = reached.tokens.indices.map { Int32($0) }.filter { !barred.contains($0) }
    let ids = untouched.isEmpty ? all : untouched
    guard !ids.isEmpty else {
      texts = []
      return
    }
    let needed = (ids.count + room - 1) / room
    let count =
      isSample ? min(needed, max(1, min(affordable / length, GeneratedTexts.maximum))) : needed
    let places = count * room
    var numbers = SeededNumbers(seed: seed)
    texts = (0..<count).map { text in
      let fill = (0..<room).map { place -> Int32 in
        let index = text * room + place
        guard places < ids.count else { return ids[index % ids.count] }
        // One of each part of the vocabulary.
        let part = index * ids.count / places..<(index + 1) * ids.count / places
        return ids[part.lowerBound + Int(numbers.next() % UInt64(part.count))]
      }
      return before + fill + behind
    }
  }
}
