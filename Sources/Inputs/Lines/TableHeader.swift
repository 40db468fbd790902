import StrictJSON

/// The fault of a header that names no text column although texts follow.
enum TableHeader {
  /// Whether a record holds texts rather than features: most of its fields are not numbers.
  static func areTexts(_ record: TableText.Record, _ places: [Int]) -> Bool {
    let fields = places.filter { $0 < record.fields.count }.map { record.fields[$0].text }
    let texts = fields.filter {
      !$0.isEmpty && TableNumber.value(of: $0) == nil && !truths.contains($0)
        && !TableNumber.isNaN($0)
    }
    return texts.count * 2 > fields.count
  }

  private static let truths = ["true", "false", "True", "False"]

  /// The names in the header, why none is a text column, and the header that is needed.
  static func fault(_ names: [String]) -> String {
    "the columns are \(Figures.list(names)) and texts stand below them; \(cause(names)), "
      + "expected the header sentence1,sentence2,score for pairs (score may be left out), or "
      + "text for single texts"
  }

  /// What to do about it; nil where the header says it.
  static func mend(_ names: [String]) -> String? {
    guard isParted(names) else { return nil }
    return "save the table with commas between its fields and points in its numbers, or with tabs "
      + "as a .tsv"
  }

  /// Whether fields are parted by semicolons.
  private static func isParted(_ names: [String]) -> Bool {
    names.count == 1 && names[0].contains(";")
  }

  private static func cause(_ names: [String]) -> String {
    if isParted(names) {
      return "fields are parted by semicolons, not by commas"
    }
    if TableColumns.areKnown(names.map { $0.lowercased() }) {
      return "columns of texts are written in lower case"
    }
    if names.contains(where: { $0.contains(" ") || TableNumber.value(of: $0) != nil }) {
      return "the first line is no header"
    }
    return "none is known as one of texts"
  }
}
