import Files
import Formats
import Packaging

/// Finds the members of a family on disk: a model whose source has the placeholder `{member}`.
struct FamilyReader {
  let name: Located<String>
  let entry: ProjectEntryDraft
  /// The project's folder.
  let folder: String
  let log: ContractSection.Log

  /// Most bytes of `FAMILY/MEMBER` where a model is a folder of files, whose paths a package must hold.
  private static let folderTitleLimit = 96

  /// The model itself, or each member of the family, sorted by name; faults are noted.
  func models() -> [SharedModelDraft] {
    guard let source = entry.source, source.value.uses(.member) else {
      return [SharedModelDraft(name: name, family: nil, entry: entry)]
    }
    return members(of: source).map { member in
      SharedModelDraft(
        name: Located(value: "\(name.value)/\(member)", place: name.place), family: name.value,
        entry: entry.filling(member: member))
    }
  }

  /// The names of all members that are sound.
  private func members(of source: Located<PathPattern>) -> [String] {
    guard let (before, after) = source.value.aroundMember else { return [] }
    let slash = before.lastIndex(of: "/").map { before.index(after: $0) } ?? before.startIndex
    let (outer, start) = (String(before[..<slash]), String(before[slash...]))
    let path = outer.isEmpty ? folder : Folder.join(folder, String(outer.dropLast()))
    let words = "family '\(name.value.asciiEscaped)'"
    guard log.holds(path, "\(words): the folder of its members", at: source.place) else {
      return []
    }
    guard Folder.kind(of: path) == .folder else {
      let missing = MissingPath(path)
      log.faults.add(
        .missingSource, source.place,
        "\(words): \(missing.words("the folder of its members"))", hint: missing.hint)
      return []
    }
    let names: [String]
    do throws(FileError) {
      names = try Folder.names(in: path)
    } catch {
      log.faults.add(.unreadableSource, source.place, "\(words): \(error)")
      return []
    }
    let members = names.compactMap { FamilyReader.member(of: $0, between: start, and: after) }
    if members.isEmpty {
      log.faults.add(
        .missingSource, source.place,
        "\(words) has no members: nothing in '\(path.asciiEscaped)' is called "
          + "'\(start.asciiEscaped){member}\(after.asciiEscaped)'",
        hint: "each member is a file or a folder there")
    }
    return sound(members, source.place)
  }

  /// The member that a file is of; nil for hidden files and for files of other names.
  private static func member(
    of file: String, between start: String, and end: String
  ) -> String? {
    let bytes = Array(file.utf8)
    let (before, after) = (Array(start.utf8), Array(end.utf8))
    guard bytes.first != UInt8(ascii: ".") || !before.isEmpty, bytes.starts(with: before),
      bytes.count >= before.count + after.count, bytes.suffix(after.count).elementsEqual(after)
    else { return nil }
    return String(decoding: bytes[before.count..<(bytes.count - after.count)], as: UTF8.self)
  }

  /// Members with names that packages can hold; the others are noted.
  private func sound(_ members: [String], _ place: Place) -> [String] {
    var folded: [String: String] = [:]
    return members.filter { member in
      let words = "member '\(member.prefix(80).asciiEscaped)' of '\(name.value.asciiEscaped)'"
      guard Identifiers.isMemberName(member) else {
        return fault(
          place, "\(words) cannot name a model",
          "at most 64 of A-Z a-z 0-9 . _ -, starting with a letter, a digit or _, not with 'model.'"
        )
      }
      guard Identifiers.isPortable(member) else {
        return fault(
          place, "\(words) cannot be unpacked on Windows",
          "choose a name that is none of a device (con, aux, com1) and ends in no dot")
      }
      if let first = folded.updateValue(member, forKey: member.lowercased()) {
        return fault(
          place, "\(words) differs only in case from '\(first)'", "rename one of the two")
      }
      return fits(member, words, place)
    }
  }

  /// Whether the paths of a member are short enough.
  private func fits(_ member: String, _ words: String, _ place: Place) -> Bool {
    let bytes = name.value.utf8.count + 1 + member.utf8.count
    guard entry.entry?.format.format.folder != nil, bytes > FamilyReader.folderTitleLimit else {
      return true
    }
    return fault(
      place,
      "\(words): '\(name.value)/\(member)' has \(bytes) bytes, at most "
        + "\(FamilyReader.folderTitleLimit) fit into the paths of this format",
      "choose shorter names")
  }

  private func fault(_ place: Place, _ message: String, _ hint: String) -> Bool {
    log.faults.add(.badModelName, place, message, hint: hint)
    return false
  }
}

extension ProjectEntryDraft {
  /// The entry of one member of a family.
  func filling(member: String) -> ProjectEntryDraft {
    ProjectEntryDraft(
      source: source?.filling(member), references: references?.filling(member), columns: columns,
      entry: entry?.filling(member: member))
  }
}

extension ProjectEntry {
  /// The entry of one member of a family.
  fileprivate func filling(member: String) -> ProjectEntry {
    var entry = self
    entry.source = source.filling(member)
    entry.calibration = calibration?.filling(member)
    entry.verdict = verdict?.filling(member)
    entry.keptTokens = keptTokens?.filling(member)
    if var check = sourceCheck {
      check.vectors = check.vectors.filling(member)
      check.inputs = check.inputs.filling(member)
      entry.sourceCheck = check
    }
    entry.gate.references = gate.references.filling(member)
    return entry
  }
}

extension Located<PathPattern> {
  /// The path of one member of a family.
  fileprivate func filling(_ member: String) -> Located<PathPattern> {
    Located(value: value.filling(member: member), place: place)
  }
}
