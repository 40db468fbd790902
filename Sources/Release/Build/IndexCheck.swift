import Files
import Signatures

/// Holds an index against the list of the release that was built last, so that its end cannot be cut
/// off: the list is signed where the project has a key, the index is not.
package struct IndexCheck {
  /// The index and the list do not belong together, or nobody can tell.
  package struct Fault: Error, Equatable, CustomStringConvertible {
    package let words: String

    package var description: String { words }

    /// The way out.
    package var hint: String {
      "bring \(ReleaseIndex.fileName) and \(ReleaseSums.fileName) back from a backup; after a key "
        + "was added or replaced, say --accept-index"
    }
  }

  let index: ReleaseIndex
  /// Path of the index, for messages.
  let path: String

  /// Why an index is not the one that a list was made with; nil where it is.
  ///
  /// A build writes the list before the index, so that no kill leaves an index that goes further than
  /// the list of the last build. What does was added by somebody else.
  ///
  /// - Parameter isLast: whether the list is that of the last build; behind an older one lines may follow.
  /// - Returns: a fault, too, where lines are missing that the list makes good.
  func fault(_ mark: IndexMark, isLast: Bool) -> String? {
    let (found, wanted) = (index.end, mark.after)
    if index.holds(wanted) {
      guard isLast, found.count > wanted.count else { return nil }
      return "\(path): ends behind line \(found.count), \(ReleaseSums.fileName) says behind line "
        + "\(wanted.count); lines were added that are of no build"
    }
    guard found.count < wanted.count else {
      return "\(path): line \(wanted.count) is not the one with sha256 \(wanted.head) that "
        + "\(ReleaseSums.fileName) names"
    }
    return "\(path): ends behind line \(found.count), \(ReleaseSums.fileName) says behind line "
      + "\(wanted.count); lines are missing"
  }

  /// What is wrong with an index by the list beside it, whoever wrote that; for what is told before a
  /// build.
  static func fault(of index: ReleaseIndex, in folder: String) -> String? {
    let place = Folder.join(folder, ReleaseSums.fileName)
    guard let bytes = try? MappedFile.contents(of: place, limit: SumsFile.sizeLimit),
      let list = try? ReleaseList(bytes, origin: place), let mark = list.mark
    else { return nil }
    let check = IndexCheck(index: index, path: Folder.join(folder, ReleaseIndex.fileName))
    return check.isMadeGood(by: list, mark) ? nil : check.fault(mark, isLast: true)
  }

  /// Whether all lines that are missing are of archives that the list names, and all others there.
  func isMadeGood(by list: ReleaseList, _ mark: IndexMark) -> Bool {
    guard index.lines.count < mark.after.count, index.holds(mark.before) else { return false }
    return index.lines.dropFirst(mark.before.count).allSatisfy {
      list.archives[$0.path]?.sha256 == $0.sha256
    }
  }

  /// The place behind which every line is of an archive with this path and digest.
  static func start(
    of archives: [ReleaseIndex.Entry], in index: ReleaseIndex
  ) -> IndexMark.End {
    let listed = Dictionary(archives.map { ($0.path, $0.sha256) }) { first, _ in first }
    let count = index.lines.lastIndex { listed[$0.path] != $0.sha256 }.map { $0 + 1 } ?? 0
    return index.place(behind: count)
  }
}

extension ReleaseIndex {
  /// Reads the index of an output folder and holds it against the list of the last release.
  ///
  /// What a list names that is signed with the project's key counts as built, whatever the lines say.
  ///
  /// - Parameters:
  ///   - isAccepted: whether the index is taken at its word where no list of the project's confirms it.
  ///   - say: told what is doubtful, and what is not known from an older list.
  /// - Throws: `IndexCheck.Fault` besides what reading throws.
  static func checked(
    in folder: OutputFolder, _ signer: ReleaseSigner?, isAccepted: Bool,
    say: (BuildEvent) -> Void
  ) throws -> ReleaseIndex {
    var index = try ReleaseIndex(folder: folder.path)
    do {
      try ReleaseList.finishWaiting(in: folder, signer: signer)
      let found = try ReleaseList(in: folder, signer: signer, isIndexEmpty: index.lines.isEmpty)
      guard let list = found else { return index }
      let check = IndexCheck(index: index, path: folder.inside(fileName))
      // Anyone can write a list that nobody signed; it is no word on what must not be built.
      if signer != nil { index.bind(Array(list.archives.values)) }
      try check.hold(to: list, folder, isSigned: signer != nil, say: say)
    } catch let error as ReleaseList.Untrusted {
      guard isAccepted else { throw IndexCheck.Fault(words: error.words) }
      say(.warning("\(error.words); \(fileName) is taken at its word"))
    } catch let fault as IndexCheck.Fault where isAccepted {
      say(.warning("\(fault.words); it is taken at its word"))
    }
    return index
  }
}

extension IndexCheck {
  fileprivate func hold(
    to list: ReleaseList, _ folder: OutputFolder, isSigned: Bool, say: (BuildEvent) -> Void
  ) throws(Fault) {
    guard let mark = list.mark else {
      return say(
        .note(
          "\(folder.inside(ReleaseSums.fileName)): does not say where \(ReleaseIndex.fileName) "
            + "ends, as lists of before do not; the next one will"))
    }
    guard let words = fault(mark, isLast: true) else { return }
    if isMadeGood(by: list, mark) {
      return say(.note("\(words); what the list names counts as built"))
    }
    // Without a key an index may go; then it is made anew.
    if !isSigned && index.lines.isEmpty { return }
    throw Fault(words: words)
  }
}
