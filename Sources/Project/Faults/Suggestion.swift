/// Finds what a user probably meant.
package enum Suggestion {
  /// The known word nearest to a wrong one, if one is near: at most a third of its letters differ.
  package static func nearest(to word: String, among known: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let letters = Array(word.lowercased().utf8)
    // Words of too different lengths need not be compared.
    let comparable = known.filter {
      abs($0.utf8.count - letters.count) <= max(1, $0.utf8.count / 3)
    }
    let ranked = comparable.map {
      (word: $0, distance: distance(letters, Array($0.lowercased().utf8)))
    }
    guard let best = ranked.min(by: { $0.distance < $1.distance }),
      best.distance <= max(1, best.word.utf8.count / 3)
    else { return nil }
    return best.word
  }

  /// `did you mean 'x'?`, or the list of what is known.
  static func hint(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { "did you mean '\($0)'?" }
      ?? "known here: \(known.joined(separator: ", "))"
  }

  /// Edits between two words: insertions, deletions, replacements, and neighbours swapped (the
  /// restricted distance of Damerau and Levenshtein).
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var before = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        var best = min(last[j] + (left[i] == right[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          best = min(best, before[j - 1] + 1)
        }
        row.append(best)
      }
      (before, last) = (last, row)
    }
    return last[right.count]
  }
}
