/// Finds what a user probably meant.
enum Suggestion {
  /// The known word nearest to a wrong one, if one is near: at most a third of its letters differ.
  static func nearest(to word: String, among known: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let letters = Array(word.lowercased().utf8)
    let ranked = known.map { (word: $0, distance: distance(letters, Array($0.lowercased().utf8))) }
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

  /// Levenshtein's distance: insertions, deletions and replacements between two words.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let replaced = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
