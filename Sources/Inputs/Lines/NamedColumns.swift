import StrictJSON

/// Columns of a table of features that a caller says are no features.
package struct NamedColumns: Hashable, Sendable {
  /// Nothing is said of any column.
  package static let none = NamedColumns()
  /// The column of true labels, a class of each line; nil without one.
  package let label: String?
  /// Columns that are passed over.
  package let ignored: [String]

  package init(label: String? = nil, ignored: [String] = []) {
    self.label = label
    self.ignored = ignored
  }

  /// - Parameter words: names of columns that are passed over, several of them parted by commas.
  package init(label: String? = nil, ignoring words: [String]) {
    let ignored = words.flatMap { $0.split(separator: ",", omittingEmptySubsequences: true) }
    self.init(label: label, ignored: ignored.map(String.init))
  }

  /// Whether nothing is said.
  package var isEmpty: Bool { all.isEmpty }

  private var all: [String] { (label.map { [$0] } ?? []) + ignored }

  /// Those of the columns that a header has.
  func there(in header: [String]) -> NamedColumns {
    let known = Set(header.map { ExactString($0) })
    return NamedColumns(
      label: label.flatMap { known.contains(ExactString($0)) ? $0 : nil },
      ignored: ignored.filter { known.contains(ExactString($0)) })
  }

  /// Whether a header has every column.
  func areAll(in header: [String]) -> Bool {
    let known = Set(header.map { ExactString($0) })
    return all.allSatisfy { known.contains(ExactString($0)) }
  }

  /// The places of the columns in a header.
  ///
  /// - Parameter fault: makes the error of a header.
  /// - Throws: `JSONError` of a column that is not there, or named for two things.
  func places(
    in header: [String], _ fault: (String) -> JSONError
  ) throws(JSONError) -> (label: Int?, ignored: [Int]) {
    var places: [Int] = []
    for (number, name) in all.enumerated() {
      let words = number == 0 && label != nil ? "of true labels" : "to be left out"
      guard let place = header.firstIndex(where: { ExactString($0) == ExactString(name) }) else {
        throw fault(
          "there is no column '\(name)' \(words); the columns are \(Figures.list(header))")
      }
      guard !places.contains(place) else {
        throw fault("the column '\(name)' is named twice, the second time as one \(words)")
      }
      places.append(place)
    }
    return label == nil ? (nil, places) : (places[0], Array(places.dropFirst()))
  }

  /// Refuses lines that have no columns, where some were named.
  func requireNone(of form: LineForm, origin: String) throws(JSONError) {
    guard let name = all.first else { return }
    throw JSONError(
      origin: origin, position: JSONPosition(line: 1, column: 1),
      fault: "the column '\(name)' is named, and \(form.words) have no columns; "
        + "a sample in JSON has its true label under 'label'")
  }
}
