/// The sound parts of an entry that may have faults.
struct ProjectEntryDraft {
  let source: Located<PathPattern>?
  let references: Located<PathPattern>?
  /// The entry; nil when its source or its references are faulty. A part that is faulty otherwise
  /// is replaced by one that asks for least, so that all else can be looked at.
  let entry: ProjectEntry?
}
