import IngotFeatures
import StrictJSON

/// The meaning of a table's columns, decided by its header.
enum TableColumns {
  /// Sentence pairs: places of both sides, of a label and of an expectation.
  case pairs(a: Int, b: Int, label: Int?, expect: Int?)
  /// One text per record, and with a second column two that are read together.
  case texts(Int, second: Int?)
  /// Features by their names, and the columns of known outputs and of true labels, if any.
  case features(places: [Int], names: [String], known: Int?, key: String, label: Int?)

  private static let sides = [["sentence1", "sentence2"], ["a", "b"]]

  /// Whether a header names columns of texts.
  static func areKnown(_ header: [String]) -> Bool {
    header.contains("text") || sides.contains { $0.allSatisfy(header.contains) }
  }

  /// - Parameter first: the record below the header; if its fields are numbers or missing, columns that
  ///   could be texts, such as `a` and `b`, are features.
  /// - Parameter named: columns that are no features; where there are any, all others are features.
  /// - Throws: `JSONError` naming the unknown column.
  init(
    _ header: TableText.Record, first: TableText.Record?, naming named: NamedColumns = .none,
    origin: String
  ) throws(JSONError) {
    let names = header.fields.map(\.text)
    func fault(_ fault: String, at place: Int = 0) -> JSONError {
      JSONError(origin: origin, position: header.fields[place].position, fault: fault)
    }
    var known: Set<ExactString> = []
    if names.count > 1, names[0].isEmpty {
      throw fault(
        "the first column has no name, as where a table was written with the numbers of its rows; "
          + "write it without them (in pandas index=False), or give it a name")
    }
    for (place, name) in names.enumerated() {
      guard !name.isEmpty, known.insert(ExactString(name)).inserted else {
        throw fault("the column name '\(name)' is empty or appears twice", at: place)
      }
    }
    let areNumbers = first.map(TableNumber.areNumbers) ?? false
    let (label, ignored) = try named.places(in: names) {
      JSONError(
        origin: origin, position: header.fields[0].position, fault: $0,
        mend: TableHeader.mend(names))
    }
    if named.isEmpty, !areNumbers,
      let sides = TableColumns.sides.first(where: { $0.allSatisfy(names.contains) })
    {
      self = try TableColumns.pairs(names, sides, fault)
    } else if named.isEmpty, let place = names.firstIndex(of: "text"),
      !(areNumbers && names.contains(where: Self.isUnknownBesideText))
    {
      if let other = names.firstIndex(where: Self.isUnknownBesideText) {
        throw fault("the column '\(names[other])' is not known beside 'text'", at: other)
      }
      self = .texts(place, second: names.firstIndex(of: "text_pair"))
    } else {
      let others = names.indices.filter { $0 != label && !ignored.contains($0) }
      let known = others.filter { KnownLine.keys.contains(names[$0]) }
      guard known.count < 2 else {
        throw fault("a table has a column 'output' or 'outcome', not both", at: known[1])
      }
      let key = known.first.map { names[$0] } ?? ""
      let places = others.filter { $0 != known.first }
      guard !places.isEmpty else {
        throw fault(
          names.count == 1
            ? "the only column is '\(names[0])'" : "no column is left that is a feature")
      }
      if known.isEmpty, label == nil, let first, TableHeader.areTexts(first, places) {
        throw JSONError(
          origin: origin, position: header.fields[0].position, fault: TableHeader.fault(names),
          mend: TableHeader.mend(names))
      }
      self = .features(
        places: places, names: places.map { names[$0] }, known: known.first, key: key,
        label: label)
    }
  }

  private static func isUnknownBesideText(_ name: String) -> Bool {
    !["text", "text_pair"].contains(name) && !JSONLineGrammar.harmless.contains(name)
  }

  private static func pairs(
    _ names: [String], _ sides: [String], _ fault: (String, Int) -> JSONError
  ) throws(JSONError) -> TableColumns {
    let labels = names.indices.filter { JSONLineGrammar.labels.contains(names[$0]) }
    guard labels.count < 2 else {
      throw fault(
        "a pair has one label, '\(names[labels[0]])' and '\(names[labels[1]])' are two", labels[1])
    }
    let used = sides + JSONLineGrammar.labels + ["expect"]
    if let other = names.indices.first(where: {
      !used.contains(names[$0]) && !JSONLineGrammar.harmless.contains(names[$0])
    }) {
      throw fault(
        "the column '\(names[other])' is not known beside '\(sides[0])' and '\(sides[1])'; known "
          + "are \((JSONLineGrammar.labels + ["expect"]).joined(separator: ", "))", other)
    }
    guard let a = names.firstIndex(of: sides[0]), let b = names.firstIndex(of: sides[1]) else {
      throw fault("a side is missing", 0)
    }
    return .pairs(a: a, b: b, label: labels.first, expect: names.firstIndex(of: "expect"))
  }

  /// The columns in words.
  var words: String {
    switch self {
    case .pairs(_, _, let label, let expect):
      "pairs" + (label == nil ? "" : " with labels") + (expect == nil ? "" : " with expectations")
    case .texts(_, let second): second == nil ? "texts" : "pairs of texts"
    case .features(_, let names, let known, let key, let label):
      "the features \(Figures.list(names))" + (known == nil ? "" : " with \(key)s")
        + (label == nil ? "" : known == nil ? " with true labels" : " and true labels")
    }
  }

  /// Reads one record.
  ///
  /// - Throws: `JSONError` whose lines count from the record's first.
  func line(_ record: TableText.Record, origin: String) throws(JSONError) -> InputLine {
    let fields = record.fields
    switch self {
    case .texts(let place, nil): return .single(TableColumns.text(fields[place]))
    case .texts(let place, let second?):
      let pair = Input.textPair(fields[place].text, fields[second].text)
      return .single(PlacedInput(pair, fields[place].position))
    case .pairs(let a, let b, let label, let expect):
      return .pair(
        PairLine(
          a: [TableColumns.text(fields[a])], b: [TableColumns.text(fields[b])],
          similarity: try TableColumns.number(label.map { fields[$0] }, "a label", origin),
          expectation: try TableColumns.expectation(expect.map { fields[$0] }, origin)))
    case .features(let places, let names, let known, let key, let label):
      let row = try TableColumns.row(places.map { fields[$0] }, names, origin)
      let input = PlacedInput(row, fields[0].position)
      let labelled = label.map { fields[$0].text }.flatMap { $0.isEmpty ? nil : $0 }
      guard let known, !fields[known].text.isEmpty else {
        return .sample(input, nil, label: labelled)
      }
      let value = try TableColumns.float(fields[known], "'\(key)'", origin)
      return .sample(input, KnownLine([value], key: key), label: labelled)
    }
  }

  private static func text(_ field: TableText.Field) -> PlacedInput {
    PlacedInput(.text(field.text), field.position)
  }

  private static func number(
    _ field: TableText.Field?, _ name: String, _ origin: String
  ) throws(JSONError) -> Double? {
    guard let field, !field.text.isEmpty else { return nil }
    guard let value = TableNumber.value(of: field.text) else {
      throw mismatch(name, "a number", field, origin)
    }
    return value
  }

  /// The features of a record: numbers, or, where some are none or may be names, values by their names.
  private static func row(
    _ fields: [TableText.Field], _ names: [String], _ origin: String
  ) throws(JSONError) -> Input {
    var values: [FeatureValue] = []
    var written: [Int: String] = [:]
    for (place, field) in fields.enumerated() {
      let value = try feature(field, names[place], origin)
      values.append(value)
      if case .number(let number) = value, FeaturePreparer.text(of: number) != field.text {
        written[place] = field.text
      }
    }
    let numbers = values.compactMap { value -> Double? in
      switch value {
      case .number(let number): number
      case .missing: .nan
      case .truth, .text: nil
      }
    }
    return numbers.count == values.count && written.isEmpty
      ? .values(numbers)
      : .named(NamedFeatures(names: names, values: values, written: written))
  }

  /// The value of a feature; an empty field is missing.
  private static func feature(
    _ field: TableText.Field, _ name: String, _ origin: String
  ) throws(JSONError) -> FeatureValue {
    if field.text.isEmpty { return .missing }
    let value = TableNumber.value(of: field.text)
    // What other readers take for a number is no name of a category.
    if value == nil, Double(field.text) == nil { return .text(field.text) }
    guard let value, Float(value).isFinite else {
      guard TableNumber.isNaN(field.text) else {
        throw mismatch("'\(name)'", "a number that a 32-bit float holds", field, origin)
      }
      throw mismatch(
        "'\(name)'", "an empty field where a value is missing", field, origin,
        mend: "leave the field empty; pandas does with to_csv(…, na_rep=''), its default")
    }
    return .number(value)
  }

  private static func float(
    _ field: TableText.Field, _ name: String, _ origin: String
  ) throws(JSONError) -> Float {
    guard let value = TableNumber.float(of: field.text) else {
      throw mismatch(name, "a number that a 32-bit float holds", field, origin)
    }
    return value
  }

  private static func expectation(
    _ field: TableText.Field?, _ origin: String
  ) throws(JSONError) -> ReferenceSet.Expectation? {
    guard let field, !field.text.isEmpty else { return nil }
    guard let expectation = ReferenceSet.Expectation(rawValue: field.text) else {
      throw mismatch("'expect'", "match or mismatch", field, origin)
    }
    return expectation
  }

  private static func mismatch(
    _ name: String, _ expected: String, _ field: TableText.Field, _ origin: String,
    mend: String? = nil
  ) -> JSONError {
    JSONError(
      origin: origin, position: field.position,
      fault: "\(name) is \(Input.text(field.text).label), expected \(expected)", mend: mend)
  }
}

/// Numbers as tables write them.
enum TableNumber {
  private static let bytes = Set("+-.0123456789eE".utf8)

  /// A decimal number, finite as a 64-bit float, spaces around it left out; nil for anything else.
  static func value(of text: String) -> Double? {
    let trimmed = text.utf8.drop { $0 == 0x20 }
    let digits = String(decoding: trimmed.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
    // Swift also reads hexadecimal numbers and names; a table may hold decimals only.
    guard digits.utf8.allSatisfy(bytes.contains), let value = Double(digits), value.isFinite else {
      return nil
    }
    return value
  }

  /// Whether a record holds features that are numbers; some may be missing.
  static func areNumbers(_ record: TableText.Record) -> Bool {
    let texts = record.fields.map(\.text).filter { !$0.isEmpty }
    return !texts.isEmpty && texts.allSatisfy { value(of: $0) != nil }
  }

  /// Whether a field is what other programs write for no number: `nan`, `NaN`.
  static func isNaN(_ text: String) -> Bool { Double(text)?.isNaN == true }

  /// The same as a 32-bit float.
  static func float(of text: String) -> Float? {
    guard let value = value(of: text).map({ Float($0) }), value.isFinite else { return nil }
    return value
  }
}
