/// The names of the two constants that hold one table: `table_first` and `table_rest`, with a number
/// behind both where one of them is taken.
struct TablePartNames: Equatable {
  let first: String
  let rest: String

  private static let firstWord = "_first", restWord = "_rest"

  /// - Parameter taken: names that they must not have.
  init(of table: String, avoiding taken: Set<String>) {
    var names = TablePartNames(table, ending: "")
    var number = 1
    while taken.contains(names.first) || taken.contains(names.rest) {
      names = TablePartNames(table, ending: "_\(number)")
      number += 1
    }
    self = names
  }

  private init(_ table: String, ending: String) {
    first = table + Self.firstWord + ending
    rest = table + Self.restWord + ending
  }

  /// The name of the table with these parts; nil if the names are no such pair.
  static func table(first: String, rest: String) -> String? {
    guard let place = first.ranges(of: firstWord).last else { return nil }
    let table = String(first[..<place.lowerBound]), ending = String(first[place.upperBound...])
    let digits = ending.utf8.dropFirst()
    let isNumber =
      ending.utf8.first == UInt8(ascii: "_") && !digits.isEmpty
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard ending.isEmpty || isNumber else { return nil }
    return TablePartNames(table, ending: ending).rest == rest ? table : nil
  }
}
