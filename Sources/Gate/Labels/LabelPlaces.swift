import Graph
import StrictJSON

/// Places of a classifier's labels by the words that files have for them.
struct LabelPlaces {
  private let places: [ExactString: Int]
  private let numbers: [Int: Int]

  init(_ labels: ClassLabels) {
    switch labels {
    case .texts(let texts):
      places = Dictionary(texts.enumerated().map { (ExactString($1), $0) }) { first, _ in first }
      numbers = [:]
    case .integers(let integers):
      places = [:]
      numbers = Dictionary(integers.enumerated().map { ($1, $0) }) { first, _ in first }
    }
  }

  /// The place of a label; nil if the model has no such label. Whole numbers may be written as floats, as
  /// pandas writes a column with missing values.
  subscript(word: String) -> Int? {
    if numbers.isEmpty { return places[ExactString(word)] }
    if let number = Int(word) { return numbers[number] }
    return Double(word).flatMap { Int(exactly: $0) }.flatMap { numbers[$0] }
  }
}
