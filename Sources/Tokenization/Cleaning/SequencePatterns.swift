/// Short sequences of sets of numbers, to search for in a list of numbers.
///
/// One sequence a line, ranges in hexadecimal, `|` between neighbours; `^` in front of one that
/// matches only at the start.
struct SequencePatterns: Sendable {
  private struct Pattern {
    let isAtStart: Bool
    /// The set of numbers for each place.
    let sets: [[Bool]]
  }

  private var patterns: [Pattern] = []
  /// The patterns that a number may begin, in the order of the table.
  private var byFirst: [[Int]]

  init(_ table: String) {
    byFirst = Array(repeating: [], count: 256)
    for line in table.split(separator: "\n") {
      let isAtStart = line.hasPrefix("^")
      let sets = line.dropFirst(isAtStart ? 1 : 0).split(separator: "|").map { part in
        var set = Array(repeating: false, count: 256)
        for item in TableReader(String(part)) {
          for number in item.first...item.last { set[Int(number)] = true }
        }
        return set
      }
      guard let first = sets.first else { continue }
      for number in first.indices where first[number] { byFirst[number].append(patterns.count) }
      patterns.append(Pattern(isAtStart: isAtStart, sets: sets))
    }
  }

  /// The length of the first pattern of the table that matches at `index`; nil without a match.
  func match(_ numbers: [UInt8], at index: Int) -> Int? {
    for place in byFirst[Int(numbers[index])] {
      let sets = patterns[place].sets
      guard numbers.count - index >= sets.count, index == 0 || !patterns[place].isAtStart else {
        continue
      }
      if sets.indices.dropFirst().allSatisfy({ sets[$0][Int(numbers[index + $0])] }) {
        return sets.count
      }
    }
    return nil
  }

  func isFound(in numbers: [UInt8]) -> Bool {
    numbers.indices.contains { match(numbers, at: $0) != nil }
  }

  /// Replaces every match of a pattern, from left to right.
  func replacing(
    in numbers: [UInt8], by replacement: (ArraySlice<UInt8>) -> [UInt8]
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(numbers.count)
    var index = 0
    while index < numbers.count {
      if let length = match(numbers, at: index) {
        result += replacement(numbers[index..<index + length])
        index += length
      } else {
        result.append(numbers[index])
        index += 1
      }
    }
    return result
  }
}
