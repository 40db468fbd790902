import Graph
import StrictJSON
import Weights

/// The digests of the files that prepare a package's inputs, for which it has no place itself.
///
/// Such a file decides what the model is given. Another one in its place would run without a word
/// and give other outputs than those that were judged.
struct CompanionDigests: Equatable, Sendable {
  /// SHA-256 of the whole file, by name.
  let digests: [String: ContentDigest]

  /// The digests of files that were read.
  init(of companions: [String: [UInt8]]) { digests = companions.mapValues(ContentDigest.init) }

  /// Reads the text that a package's metadata hold.
  ///
  /// - Parameters:
  ///   - names: what the package says its files are called; has to name the same ones.
  ///   - origin: the package, for messages.
  init(_ text: String, names: Set<String>, origin: String) throws {
    let key = CoreMLPackage.companionDigestsKey
    let object = try JSONParser.parseObject(
      Array(text.utf8), origin: "\(origin): metadata '\(key)'")
    var digests: [String: ContentDigest] = [:]
    for member in object.members {
      let hex = try object.string(member.key)
      guard let digest = ContentDigest(hex: hex) else {
        throw object.error(
          "'\(member.key)' is '\(hex)', expected a SHA-256 in hexadecimal",
          at: member.value.position)
      }
      digests[member.key] = digest
    }
    guard Set(digests.keys) == names,
      names.isSubset(of: CoreMLPackage.companionFiles + [CoreMLPackage.timmFile])
    else {
      let words = [Set(digests.keys), names].map { $0.sorted().joined(separator: " ") }
      throw CoreMLError.malformed(
        path: origin,
        fault: "'\(key)' names '\(words[0])', '\(CoreMLPackage.preparationKey)' '\(words[1])'")
    }
    self.digests = digests
  }

  /// The names, as metadata hold them.
  var names: String { digests.keys.sorted().joined(separator: " ") }

  /// Names and digests, as metadata hold them.
  var text: String { JSONValue.object(digests.mapValues { .string($0.hex) }).compact }

  /// Only the files with these digests: other files beside a package say nothing.
  ///
  /// - Returns: no files if none of these is there; a model's weights can be opened without them.
  /// - Throws: `CoreMLError.companion` for a file that differs, and for one that is missing beside
  ///   the others.
  func choosing(among files: ModelFiles, origin: String) throws -> ModelFiles {
    var texts: [String: [UInt8]] = [:]
    for name in digests.keys { texts[name] = try files.bytes(of: name) }
    let areThere = !texts.isEmpty
    for (name, digest) in digests.sorted(by: { $0.key < $1.key }) where areThere {
      let found = texts[name].map(ContentDigest.init)
      guard found == digest else {
        throw CoreMLError.companion(
          path: origin, file: files.name(of: name), stated: digest, found: found)
      }
    }
    return ModelFiles(carriedBy: files.origin, texts: texts)
  }
}
