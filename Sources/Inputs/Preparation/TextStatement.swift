package import Graph
import Tokenization

/// The steps from a text to a text encoder's input, which an app must repeat.
package struct TextStatement: Sendable {
  /// The id appended to short texts as padding.
  package let paddingID: Int
  /// Tokens of the longest text; longer ones are cut.
  package let maximumLength: Int
  /// The end at which a long text is cut.
  package let cutSide: String
  /// Number of special tokens before every text.
  package let tokensBefore: Int
  /// Number of special tokens behind it.
  package let tokensBehind: Int
  /// The text before every text; empty without a prompt.
  package let prompt: String
  private let inputs: TextInputs

  /// - Returns: nil for a model that takes no text.
  /// - Throws: errors of reading the tokenizer.
  package init?(of model: Model) throws {
    guard case .tokens(let maximum, let rows) = model.architecture.input else { return nil }
    inputs = try TextInputs(of: model, maximumLength: maximum, rows: rows)
    paddingID = Int(inputs.tokenizer.paddingID)
    cutSide = inputs.tokenizer.sides.truncation.rawValue
    (tokensBefore, tokensBehind) = inputs.tokenizer.specialTokenCounts
    prompt = inputs.preparation.prompt
    maximumLength = maximum
  }

  /// The number of tokens of each text, in their order; images and numbers are left out.
  package func tokenCounts(of inputs: [Input]) throws -> [Int] {
    try inputs.enumerated().compactMap { index, input in
      guard case .text = input,
        case .tokens(let ids) = try self.inputs.single(input, index, images: ImageFiles(folder: ""))
      else { return nil }
      return ids.count
    }
  }

  /// The same in keys and values for a package's metadata.
  ///
  /// - Parameter length: the greatest that the package takes.
  package func notes(length: Int) -> [String: String] {
    var notes = [
      "dev.ingot.padding-side": "right", "dev.ingot.padding-id": "\(paddingID)",
      "dev.ingot.maximum-length": "\(min(length, maximumLength))",
      "dev.ingot.truncation-side": cutSide,
    ]
    if !prompt.isEmpty { notes["dev.ingot.prompt"] = prompt }
    return notes
  }
}
