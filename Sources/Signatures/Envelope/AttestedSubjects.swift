import StrictJSON

/// The files that the provenance of a package is about, by their digests.
///
/// It is an in-toto statement that says how these files were made. Statements of anything else, such as
/// a scan that they failed, are refused. The rest of the statement is not read here.
package struct AttestedSubjects: Sendable, CustomStringConvertible {
  /// The type of a payload that is such a statement.
  package static let payloadType = "application/vnd.in-toto+json"
  /// The suffix of the file name of an envelope.
  package static let suffix = ".intoto.jsonl"

  /// The type of such a statement: how its files were made.
  package static let predicateType = "https://slsa.dev/provenance/v1"
  /// How packages are made; the page on provenance in the specification says what it means.
  package static let buildType = "https://ingot.dev/package/v1"

  private static let statementType = "https://in-toto.io/Statement/v1"
  private let subjects: [(name: String?, sha256: String, sha512: String?)]
  private var digests: [String] { subjects.map(\.sha256) }

  /// Reads a statement that was verified.
  ///
  /// - Parameter origin: where it came from, for messages.
  package init(_ statement: [UInt8], origin: String) throws(SignatureError) {
    do throws(JSONError) {
      let object = try JSONParser.parseObject(statement, origin: "\(origin): payload")
      try Self.require(Self.statementType, "_type", of: object)
      subjects = try object.array("subject").map { subject throws(JSONError) in
        guard let subject = subject.object else {
          throw object.mismatch("subject", expected: "an object", subject)
        }
        let digest = try subject.object("digest")
        return (
          subject["name"]?.string, try digest.string("sha256"),
          digest.has("sha512") ? try digest.string("sha512") : nil
        )
      }
      try Self.require(Self.predicateType, "predicateType", of: object)
      let definition = try object.object("predicate").object("buildDefinition")
      try Self.require(Self.buildType, "buildType", of: definition)
    } catch {
      throw .badJSON(error)
    }
  }

  private static func require(
    _ wanted: String, _ key: String, of object: JSONObject
  ) throws(JSONError) {
    let found = try object.required(key)
    guard let text = found.string, ExactString(text) == ExactString(wanted) else {
      throw object.mismatch(key, expected: "\"\(wanted)\"", found)
    }
  }

  /// Whether a file of this SHA-256, in lower-case hexadecimal digits, is among them.
  package func contains(sha256 digest: String) -> Bool {
    digests.contains { ExactString($0) == ExactString(digest) }
  }

  /// Whether a file of this SHA-256 is among them under its name.
  package func contains(sha256 digest: String, named name: String) -> Bool {
    !subjects(digest, named: name).isEmpty
  }

  /// The SHA-512 of the file of this SHA-256 and name, 64 bytes; nil if they do not say it, as
  /// statements of older Ingots do not, or say several.
  package func sha512(ofSHA256 digest: String, named name: String) -> [UInt8]? {
    let found = subjects(digest, named: name)
    guard found.count == 1 else { return nil }
    return found[0].sha512.flatMap { HashAlgorithm.sha512.digest(hex: $0) }
  }

  private func subjects(
    _ digest: String, named name: String
  ) -> [(name: String?, sha256: String, sha512: String?)] {
    subjects.filter { subject in
      ExactString(subject.sha256) == ExactString(digest)
        && subject.name.map { ExactString($0) == ExactString(name) } == true
    }
  }

  /// The SHA-256 digests, for messages.
  package var description: String {
    digests.isEmpty ? "nothing" : digests.map { quoted($0) }.joined(separator: ", ")
  }
}
