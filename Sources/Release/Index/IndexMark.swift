package import Signatures
package import Weights

/// How far an index goes, as the list of a release says it: its number of lines and their last
/// digest, without which the end of a chain could be cut off unseen.
///
/// `before` is the line behind which every line is of a package of that list. An index that ends
/// between the two has lost lines, or was never given them because a build was killed; the list then
/// says what they were.
package struct IndexMark: Equatable, Sendable {
  /// A place in an index, behind a line.
  package struct End: Equatable, Sendable {
    /// Lines up to here.
    package let count: Int
    /// SHA-256 of the last of them without its newline; of nothing before the first.
    package let head: ContentDigest
  }

  package let before: End
  package let after: End

  init(before: End, after: End) {
    self.before = before
    self.after = after
  }

  /// Reads the first line of a list; nil if the list has none, as older ones do.
  ///
  /// - Parameter origin: the list, for messages.
  package init?(_ sums: SumsFile, origin: String) throws(SignatureError) {
    guard let note = sums.note else { return nil }
    let words = note.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 7, words[0] == ReleaseIndex.fileName, words[1] == "from",
      words[4] == "to", let before = End(words[2], words[3]), let after = End(words[5], words[6]),
      before.count <= after.count
    else {
      throw .malformed(
        origin: "\(origin):1",
        fault: "expected '# \(ReleaseIndex.fileName) from LINES SHA256 to LINES SHA256'")
    }
    self.init(before: before, after: after)
  }

  /// The line as a list holds it.
  var line: String {
    "# \(ReleaseIndex.fileName) from \(before.count) \(before.head) to \(after.count) \(after.head)\n"
  }
}

extension IndexMark.End {
  fileprivate init?(_ count: String, _ head: String) {
    guard let number = Int(count), number >= 0, "\(number)" == count,
      let digest = ContentDigest(hex: head)
    else { return nil }
    self.init(count: number, head: digest)
  }
}
