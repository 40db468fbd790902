package import StrictJSON

extension MLPackageManifest {
  /// Reads a manifest's text; whether its items exist is for the package to say.
  ///
  /// - Parameter origin: the file the text came from, for messages.
  package init(parsing bytes: [UInt8], origin: String) throws(JSONError) {
    let object = try JSONParser.parseObject(
      bytes, origin: origin, limits: JSONParser.Limits(depth: 8, values: 10_000))
    try MLPackageManifest.checkVersion(of: object)
    let entries = try object.object("itemInfoEntries")
    var items: [Item] = []
    var paths: Set<ExactString> = []
    for member in entries.members {
      let item = try MLPackageManifest.item(member.key, in: entries)
      guard paths.insert(ExactString(item.path)).inserted else {
        throw entries.error(
          "the path \(quoted(item.path)) is that of another item too", at: member.value.position)
      }
      items.append(item)
    }
    let rootIdentifier = ExactString(try object.string("rootModelIdentifier"))
    guard let root = items.first(where: { ExactString($0.identifier) == rootIdentifier }) else {
      throw object.error(
        "'rootModelIdentifier' is \(quoted(rootIdentifier.string)), "
          + "which none of the \(items.count) items has",
        at: try object.required("rootModelIdentifier").position)
    }
    self.init(items: items, root: root)
  }

  private static func checkVersion(of object: JSONObject) throws(JSONError) {
    let text = try object.string("fileFormatVersion")
    let position = try object.required("fileFormatVersion").position
    guard let version = numbers(of: text), let known = numbers(of: formatVersion) else {
      throw object.error(
        "'fileFormatVersion' is \(quoted(text)), expected three numbers such as \(formatVersion)",
        at: position)
    }
    guard !known.lexicographicallyPrecedes(version) else {
      throw object.error(
        "'fileFormatVersion' is \(quoted(text)), the newest known is \(formatVersion)",
        at: position)
    }
  }

  /// Exactly three numbers, or nil.
  private static func numbers(of text: String) -> [Int]? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> Int? in
      // `Int` alone would take a sign.
      guard part.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
        return nil
      }
      return Int(String(decoding: part, as: UTF8.self))
    }
    return parts.count == 3 && numbers.count == 3 ? numbers : nil
  }

  private static func item(
    _ identifier: String, in entries: JSONObject
  ) throws(JSONError) -> Item {
    let entry = try entries.object(identifier)
    let path = try entry.string("path")
    if let fault = MLPackageLayout.fault(ofRelative: path) {
      throw entry.error(
        "'path' is \(quoted(path)), which \(fault)", at: try entry.required("path").position)
    }
    return Item(
      identifier: identifier, path: path, name: try entry.string("name"),
      author: try entry.string("author"), description: try entry.string("description"))
  }
}
