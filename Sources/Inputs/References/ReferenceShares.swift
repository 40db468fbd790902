import StrictJSON

/// The references of a search: some to search by, and others that prove what was found.
package struct ReferenceShares: Sendable {
  package let search: ReferenceSet
  package let verdict: ReferenceSet

  /// Cuts a set in two by its content.
  ///
  /// - Throws: `ShareFault.fewLines`; errors of reading images.
  package init(cutting whole: ReferenceSet) throws {
    search = try whole.share(.search)
    verdict = try whole.share(.verdict)
    // Few may be meant to be enough; none never are.
    let needed = whole.isFewMeant ? 1 : ReferenceSet.fewestLines
    for (share, set) in [(ReferenceSet.Share.search, search), (.verdict, verdict)]
    where set.content.count < needed {
      throw ShareFault.fewLines(
        references: whole.origin, share: share, lines: set.content.count, needed: needed)
    }
  }

  /// Takes a set of its own for the verdict; the other one is for the search as a whole.
  ///
  /// - Throws: `ShareFault.shared` if both hold an input; errors of reading images.
  package init(search: ReferenceSet, verdict: ReferenceSet) throws {
    (self.search, self.verdict) = (search, verdict)
    let seen = Set(try search.contentDigests())
    guard let number = try verdict.contentDigests().firstIndex(where: seen.contains) else { return }
    throw ShareFault.shared(
      verdict: verdict.origin, line: verdict.lines[number], input: verdict.inputs[number].label,
      search: search.origin)
  }
}

/// Why references cannot be those of a search.
package enum ShareFault: Error, Equatable, CustomStringConvertible {
  /// A share holds fewer lines that differ than a proof needs.
  case fewLines(references: String, share: ReferenceSet.Share, lines: Int, needed: Int)
  /// An input of the verdict, by its line and short form, is one of the search.
  case shared(verdict: String, line: Int, input: String, search: String)

  package var description: String {
    switch self {
    case .fewLines(let references, let share, let lines, let needed):
      "\(references): the share for the \(share.rawValue) has \(Figures.count(lines, "line")) of "
        + "\(needed) that are needed"
    case .shared(let verdict, let line, let input, let search):
      "\(verdict):\(line): \(input) is an input of \(search) too"
    }
  }

  /// The lines that are enough to be cut in two, almost always.
  package static let enoughLines = 4 * ReferenceSet.fewestLines
}
