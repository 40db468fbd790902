import Graph
import StrictJSON
import Tokenization

/// What a package states of how an app prepares its texts.
extension TextInputs {
  /// Keys and values for a package's metadata.
  ///
  /// - Parameter length: the greatest that the package takes.
  func notes(length: Int) -> [String: String] {
    var notes = [
      "dev.ingot.padding-side": "right", "dev.ingot.padding-id": "\(tokenizer.paddingID)",
      "dev.ingot.maximum-length": "\(min(length, maximumLength))",
      "dev.ingot.truncation-side": tokenizer.sides.truncation.rawValue,
    ]
    if !preparation.prompt.isEmpty { notes["dev.ingot.prompt"] = preparation.prompt }
    return notes
  }

  /// Refuses a model whose metadata state another preparation than the one that is run: an app does
  /// what they say.
  ///
  /// - Throws: `EvaluationError.statedOtherwise` for the first key that differs.
  func requireStated(by model: Model) throws(EvaluationError) {
    let stated = model.architecture.notes
    for (key, found) in notes(length: maximumLength).sorted(by: { $0.key < $1.key }) {
      guard let value = stated[key], ExactString(value) != ExactString(found) else { continue }
      throw .statedOtherwise(origin: model.origin, key: key, stated: value, found: found)
    }
  }
}
