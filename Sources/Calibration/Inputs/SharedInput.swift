import Inputs
import StrictJSON

/// An input of a calibration set that the model cannot tell from one of the reference set.
package struct SharedInput: Equatable, Sendable {
  /// Why two inputs are equal to a model.
  package enum Likeness: Equatable, Sendable {
    /// The text, the numbers or the bytes of the image.
    case written
    /// Token ids after all preparation of a text.
    case tokens
    /// Numbers; 0 and −0 are equal.
    case values
    /// Pixels after all preparation of an image.
    case pixels
    /// The cosine of their embeddings.
    case embedding(Double)

    /// Why, for messages.
    var words: String {
      switch self {
      case .written: "they are written alike"
      case .tokens: "their token ids are equal"
      case .values: "their numbers are equal"
      case .pixels: "their pixels are equal"
      case .embedding(let cosine):
        "the cosine of their embeddings is \(Figures.plain(Figures.cut(cosine)))"
      }
    }
  }

  /// Number of the input in the calibration set, and line there.
  let own: Int
  let line: Int
  /// Number of the input in the reference set, and line there.
  let other: Int
  let referenceLine: Int
  /// The inputs in short.
  let label: String
  let referenceLabel: String
  let likeness: Likeness
}

extension SharedInput {
  /// `"A Cat" is to the model what "a cat" of the reference set (refs.jsonl:3) is: …`.
  func words(_ references: String) -> String {
    guard likeness != .written else {
      return "\(label) is an input of the reference set (\(references):\(referenceLine)) too"
    }
    return "\(label) is to the model what \(referenceLabel) of the reference set "
      + "(\(references):\(referenceLine)) is, \(likeness.words)"
  }
}

extension [SharedInput] {
  /// `2 inputs are in both (line 3 and line 1 there, 4 and 2)`.
  var words: String {
    let all = "\(Figures.count(count, "input")) \(count == 1 ? "is" : "are") in both"
    if count == 1 { return all }
    let shown = prefix(5).map { "\($0.line) as \($0.referenceLine)" }.joined(separator: ", ")
    return "\(all) (lines \(shown)\(count > 5 ? ", …" : ""))"
  }

  /// ` (2 of equal token ids, 1 of nearly equal embeddings)`; empty if all are written alike.
  var kinds: String {
    let kinds: [(words: String, count: Int)] = [
      ("written alike", filter { $0.likeness == .written }.count),
      ("of equal token ids", filter { $0.likeness == .tokens }.count),
      ("of equal numbers", filter { $0.likeness == .values }.count),
      ("of equal pixels", filter { $0.likeness == .pixels }.count),
    ]
    let near = count - kinds.reduce(0) { $0 + $1.count }
    let all = (kinds + [("of nearly equal embeddings", near)]).filter { $0.count > 0 }
    if all.count == 1, kinds[0].count == count { return "" }
    return " (\(all.map { "\($0.count) \($0.words)" }.joined(separator: ", ")))"
  }
}
