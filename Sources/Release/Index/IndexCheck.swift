package import Files
import Project
import Signatures

/// Holds an index against the list of the release that was built last, so that its end cannot be cut
/// off: the list is signed where the project has a key, the index is not.
package struct IndexCheck {
  /// The index and the list do not belong together, or this cannot be decided.
  package struct Fault: Error, Equatable, CustomStringConvertible {
    /// The kind of fault, which decides the way out.
    enum Kind { case lostLines, otherLines, otherKey, olderList }

    package let words: String
    let kind: Kind

    package var description: String { words }

    /// The way out.
    package func hint(_ name: UserOption.Names) -> String {
      let backup = "bring \(kind.files) back from a backup"
      return backup + (name(.acceptIndex).map { "; \(kind.occasion($0))" } ?? "")
    }
  }

  let index: ReleaseIndex
  /// Path of the index, for messages.
  let path: String

  /// Why an index is not the one that a list was made with; nil if it is.
  ///
  /// A build writes the list before the index, so that no kill leaves an index that goes further
  /// than the list of the last build. An index that does was extended by somebody else.
  ///
  /// - Parameter isLast: whether the list is that of the last build; behind an older one lines may follow.
  /// - Returns: a fault, too, if lines are missing that the list makes good.
  func fault(_ mark: IndexMark, isLast: Bool) -> Fault? {
    let (found, wanted) = (index.end, mark.after)
    if index.holds(wanted) {
      guard isLast, found.count > wanted.count else { return nil }
      return Fault(
        words: "\(ends(wanted)); lines were added that are of no build", kind: .otherLines)
    }
    guard found.count < wanted.count else {
      return Fault(
        words: "\(path): line \(wanted.count) is not the one with sha256 \(wanted.head) that "
          + "\(ReleaseSums.fileName) names", kind: .otherLines)
    }
    return Fault(words: "\(ends(wanted)); lines are missing", kind: .lostLines)
  }

  private func ends(_ wanted: IndexMark.End) -> String {
    "\(path): ends behind line \(index.end.count), \(ReleaseSums.fileName) says behind line "
      + "\(wanted.count)"
  }

  /// The fault of an index by the list beside it, whoever wrote that; told before a build.
  static func fault(of index: ReleaseIndex, in folder: String) -> Fault? {
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

  /// The place behind which every line is of an archive with this path and digest, and no line takes
  /// back what one before it says; lines before it count as confirmed where the others are gone.
  static func start(
    of archives: [ReleaseIndex.Entry], in index: ReleaseIndex
  ) -> IndexMark.End {
    let listed = Dictionary(archives.map { ($0.path, $0.sha256) }) { first, _ in first }
    let count = index.lines.lastIndex { listed[$0.path] != $0.sha256 }.map { $0 + 1 } ?? 0
    let said = Set(index.lines.prefix(count).filter { !$0.isRecovered }.map(\.package))
    let isTakenBack = index.lines.dropFirst(count).contains {
      $0.isRecovered && said.contains($0.package)
    }
    guard isTakenBack else { return index.place(behind: count) }
    let last = index.lines.lastIndex(where: \.isRecovered)
    return index.place(behind: last.map { $0 + 1 } ?? count)
  }
}

extension ReleaseIndex {
  /// Reads the index of an output folder and holds it against the list of the last release.
  ///
  /// Packages of a list signed with the project's key count as built, whatever the lines say. If
  /// the list does not confirm the last line of a package, only its archive is believed.
  ///
  /// - Parameters:
  ///   - isAccepted: whether the index is believed where the project's lists do not confirm it.
  ///   - say: told of doubts, and of facts that an older list does not hold.
  /// - Throws: `IndexCheck.Fault`, and errors from reading.
  static func checked(
    in folder: OutputFolder, _ signer: ReleaseSigner?, isAccepted: Bool,
    say: (BuildEvent) -> Void
  ) throws -> ReleaseIndex {
    var index = try ReleaseIndex(folder: folder.path)
    var (confirmedCount, isWhole) = (0, false)
    do {
      try ReleaseList.finishWaiting(in: folder, signer: signer)
      let found = try ReleaseList(in: folder, signer: signer, isIndexEmpty: index.lines.isEmpty)
      guard let list = found else { return index }
      let check = IndexCheck(index: index, path: folder.inside(fileName))
      // Anyone can write an unsigned list; it cannot forbid a build.
      if signer != nil { index.bind(Array(list.archives.values)) }
      confirmedCount = try check.hold(to: list, folder, isSigned: signer != nil, say: say)
      isWhole = list.mark?.after == index.end
    } catch let error as ReleaseList.Untrusted {
      guard isAccepted else { throw IndexCheck.Fault(words: error.words, kind: .otherKey) }
      say(.warning("\(error.words); \(fileName) is taken at its word"))
    } catch let fault as IndexCheck.Fault where isAccepted {
      say(.warning("\(fault.words); it is taken at its word"))
    }
    // Without a key every line is anyone's word, and so is the list.
    if signer != nil { index.doubt(behind: confirmedCount, isWhole: isWhole) }
    return index
  }
}

extension IndexCheck {
  /// - Returns: how many lines the list confirms word for word.
  fileprivate func hold(
    to list: ReleaseList, _ folder: OutputFolder, isSigned: Bool, say: (BuildEvent) -> Void
  ) throws(Fault) -> Int {
    guard let mark = list.mark else {
      try pass(listWithoutMark: folder.inside(ReleaseSums.fileName), isSigned: isSigned, say: say)
      return index.lines.count
    }
    guard let fault = fault(mark, isLast: true) else { return index.lines.count }
    if isMadeGood(by: list, mark) {
      say(.note("\(fault.words); what the list names counts as built"))
      return mark.before.count
    }
    // Without a key an index may go; then it is made anew.
    if !isSigned && index.lines.isEmpty { return 0 }
    throw fault
  }

  /// A list that is signed and does not say where the index ends may be the last one, or one of before
  /// that was put back to hide that lines are missing.
  private func pass(
    listWithoutMark path: String, isSigned: Bool, say: (BuildEvent) -> Void
  ) throws(Fault) {
    let words =
      "\(path): does not say where \(ReleaseIndex.fileName) ends, as lists of older Ingots do not"
    guard isSigned else { return say(.note("\(words); the next one will")) }
    throw Fault(
      words: "\(words): lines may have been cut off its end unseen", kind: .olderList)
  }
}

/// The way out of each fault of an index.
extension IndexCheck.Fault.Kind {
  /// The files that a backup should give back.
  var files: String {
    switch self {
    case .lostLines: ReleaseIndex.fileName
    case .otherLines, .otherKey, .olderList:
      "\(ReleaseIndex.fileName) and \(ReleaseSums.fileName)"
    }
  }

  /// When to take the index at its word, and what that costs.
  ///
  /// - Parameter flag: how that is said.
  func occasion(_ flag: String) -> String {
    switch self {
    case .lostLines:
      "without one, say \(flag), which goes on without those lines; then build every release whose "
        + "archives lie here again from its project, the last one last, before 'verify' of the folder is sound"
    case .otherLines: "without one, \(flag) takes the lines at their word, so look at them first"
    case .otherKey: "after a key was added or replaced, say \(flag)"
    case .olderList: "where this list is the last one, say \(flag)"
    }
  }
}
