/// A text that a schema and the reader of its kind judge.
struct SchemaCase: Sendable {
  enum Verdict: Sendable {
    /// Both take it.
    case sound
    /// Both refuse it.
    case faulty
    /// The reader alone refuses it; why no schema can.
    case beyondSchemas(String)
  }

  let name: String
  let verdict: Verdict
  let text: String

  init(_ name: String, _ verdict: Verdict, _ text: String) {
    self.name = name
    self.verdict = verdict
    self.text = text
  }

  /// The sound project with some text replaced.
  init(_ name: String, _ verdict: Verdict, _ old: String, _ new: String) {
    precondition(SchemaInteropTests.project.contains(old), "\(old) stands in the project")
    self.init(
      name, verdict, SchemaInteropTests.project.replacing(old, with: new))
  }
}
