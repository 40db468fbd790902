package import Graph
import StrictJSON

/// The references of a search: some to search by, and others that prove what was found.
package struct ReferenceShares: Sendable {
  package let search: ReferenceSet
  package let verdict: ReferenceSet

  /// The references of a share.
  package subscript(share: ReferenceSet.Share) -> ReferenceSet {
    share == .search ? search : verdict
  }

  /// Cuts a set in two by its content.
  ///
  /// - Parameter models: that take the inputs, as trained; what they cannot tell apart is in one share.
  /// - Throws: `ShareFault.fewLines`; errors of preparing the inputs.
  package init(cutting whole: ReferenceSet, seenBy models: [Model], jobs: Int) throws {
    (search, verdict) = try whole.shares(seenBy: models, jobs: jobs)
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
  /// - Parameter models: that take the inputs, as trained.
  /// - Throws: `ShareFault.shared` if both hold an input, or two that a model cannot tell apart; errors
  ///   of preparing the inputs.
  package init(
    search: ReferenceSet, verdict: ReferenceSet, seenBy models: [Model], jobs: Int
  ) throws {
    (self.search, self.verdict) = (search, verdict)
    var searched: [InputIdentity: Int] = [:]
    for (number, all) in try search.identities(seenBy: models, jobs: jobs).enumerated() {
      for identity in all where searched[identity] == nil { searched[identity] = number }
    }
    for (number, all) in try verdict.identities(seenBy: models, jobs: jobs).enumerated() {
      guard let other = all.lazy.compactMap({ searched[$0] }).first else { continue }
      let (own, theirs) = (verdict.inputs[number], search.inputs[other])
      throw ShareFault.shared(
        ShareFault.Place(verdict, number), as: ShareFault.Place(search, other),
        isWrittenAlike: try verdict.contentDigest(of: own) == search.contentDigest(of: theirs))
    }
  }
}

/// Why references cannot be those of a search.
package enum ShareFault: Error, Equatable, CustomStringConvertible {
  /// A share holds fewer lines that differ than a proof needs.
  case fewLines(references: String, share: ReferenceSet.Share, lines: Int, needed: Int)
  /// An input of the verdict is one of the search, or to the model what that is.
  case shared(Place, as: Place, isWrittenAlike: Bool)

  /// An input by its file and its line.
  package struct Place: Equatable, Sendable {
    package let origin: String
    package let line: Int
    /// Its short form.
    let input: String

    init(_ set: ReferenceSet, _ number: Int) {
      (origin, line, input) = (set.origin, set.lines[number], set.inputs[number].label)
    }
  }

  package var description: String {
    switch self {
    case .fewLines(let references, let share, let lines, let needed):
      "\(references): the share for the \(share.rawValue) has \(Figures.count(lines, "line")) of "
        + "\(needed) that are needed"
    case .shared(let own, let other, let isWrittenAlike):
      "\(own.origin):\(own.line): "
        + (isWrittenAlike
          ? "\(own.input) is an input of \(other.origin) too (line \(other.line))"
          : "\(own.input) is to the model what \(other.input) is (\(other.origin):\(other.line))")
    }
  }

  /// The lines that are enough to be cut in two, almost always.
  package static let enoughLines = 4 * ReferenceSet.fewestLines
}
