import StrictJSON

/// What an in-toto statement speaks of: files, by their digests.
///
/// Only the head that every statement has is read here; what is said of the files is not.
package struct AttestedSubjects: Sendable, CustomStringConvertible {
  /// The type of a payload that is such a statement.
  package static let payloadType = "application/vnd.in-toto+json"
  /// What follows a file's name in that of the envelope that holds its statement.
  package static let suffix = ".intoto.jsonl"

  private static let statementType = "https://in-toto.io/Statement/v1"
  private let subjects: [(name: String?, sha256: String)]
  private var digests: [String] { subjects.map(\.sha256) }

  /// Reads a statement that was verified.
  ///
  /// - Parameter origin: where it came from, for messages.
  package init(_ statement: [UInt8], origin: String) throws(SignatureError) {
    do throws(JSONError) {
      let object = try JSONParser.parseObject(statement, origin: "\(origin): payload")
      let type = try object.required("_type")
      guard type.string == AttestedSubjects.statementType else {
        throw object.mismatch(
          "_type", expected: "\"\(AttestedSubjects.statementType)\"", type)
      }
      subjects = try object.array("subject").map { subject throws(JSONError) in
        guard let subject = subject.object else {
          throw object.mismatch("subject", expected: "an object", subject)
        }
        return (subject["name"]?.string, try subject.object("digest").string("sha256"))
      }
    } catch {
      throw .badJSON(error)
    }
  }

  /// Whether a file of this SHA-256, in lower-case hexadecimal digits, is among them.
  package func contains(sha256 digest: String) -> Bool {
    digests.contains { ExactString($0) == ExactString(digest) }
  }

  /// Whether a file of this SHA-256 is among them under its name.
  package func contains(sha256 digest: String, named name: String) -> Bool {
    subjects.contains { subject in
      ExactString(subject.sha256) == ExactString(digest)
        && subject.name.map { ExactString($0) == ExactString(name) } == true
    }
  }

  /// The SHA-256 digests, for messages.
  package var description: String {
    digests.isEmpty ? "nothing" : digests.map { quoted($0) }.joined(separator: ", ")
  }
}
