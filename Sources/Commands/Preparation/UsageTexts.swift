import Graph
import Inputs
import Tokenization

/// The part of a page on a package that takes texts: how an app turns a text's tokens into the very
/// input that the package was proven with.
struct UsageTexts {
  private let statement: TextStatement
  private let preparation: TextPreparation
  /// Ascending.
  private let lengths: [Int]
  private let hasMask: Bool
  /// Whether an input is two texts, and whether the types of their tokens are an input.
  private let readsTwoTexts: Bool
  private let hasTypes: Bool

  /// - Returns: nil for a package that takes no text.
  /// - Throws: errors from reading the tokenizer.
  init?(of model: Model) throws {
    guard let statement = try TextStatement(of: model),
      case .single(let lengths) = model.architecture.shapes, !lengths.isEmpty
    else { return nil }
    self.statement = statement
    self.lengths = lengths
    preparation = model.architecture.preparation
    let names = try model.architecture.smallestGraph().inputs.map(\.name)
    hasMask = names.contains("attention_mask")
    hasTypes = names.contains("token_type_ids")
    readsTwoTexts = model.architecture.readsTwoTexts
  }

  private var minimum: Int { lengths[0] }
  private var maximum: Int { lengths[lengths.count - 1] }
  private var isRange: Bool { lengths.count > 1 && maximum - minimum + 1 == lengths.count }

  var words: String {
    readsTwoTexts ? pairWords : textWords
  }

  private var pairWords: String {
    let parts = [
      "`tokens` are the ids that the tokenizer gives for both texts together, special tokens",
      "included" + (hasTypes ? ", and `types` the type of each." : "."),
      "Its truncation has to be `longest_first` to \(maximum) tokens, at the",
      statement.cutSide == "left" ? "left" : "right",
      "of each text; its padding has to be switched off.", lengthWords,
    ]
    return parts.joined(separator: " ")
  }

  private var textWords: String {
    let end = statement.cutSide == "left" ? "at its beginning" : "at its end"
    let parts = [
      "`tokens` are the ids that the tokenizer gives for the whole text, special tokens included.",
      "Its own `truncation` and `padding`, which `tokenizer.json` may name, have to be switched off:",
      "the lines below do what the package was proven with.",
      "Of a text of more than \(maximum) tokens those that are too many are left out \(end);",
      "the special tokens, \(statement.tokensBefore) before the text and \(statement.tokensBehind)",
      "behind it, stay.", lengthWords,
    ]
    return parts.joined(separator: " ") + promptWords
  }

  private var lengthWords: String {
    let filled =
      "filled up behind with the id \(statement.paddingID)"
      + (hasMask ? ", where the mask is 0" : "")
    if isRange {
      return "Any number of tokens from \(minimum) to \(maximum) will do; no padding is needed"
        + (minimum > 1 ? ", but for texts of fewer, which are \(filled)." : ".")
    }
    if lengths.count == 1 { return "An input has \(maximum) tokens: shorter texts are \(filled)." }
    let list = lengths.map(String.init).joined(separator: ", ")
    return "An input has \(list) tokens: the least length that holds the text is taken, and the "
      + "text \(filled)."
  }

  /// How an app changes a text before the tokenizer sees it; empty if it does not.
  private var promptWords: String {
    var words = ""
    if let cleaning = preparation.cleaning {
      words += " Every text is cleaned before as OpenCLIP cleans it (\(cleaning.rawValue))."
    }
    if preparation.lowercasing != .none {
      words += " Every text is made lower case before, also for a tokenizer that tells cases apart."
    }
    if !preparation.prompt.isEmpty {
      let prompt = Quotation.swift(preparation.prompt)
      words +=
        " The package was proven with the prompt \(prompt): the tokenizer gets"
        + " \(Quotation.code("\(prompt) + text")) for every text."
    }
    return words
  }

  /// Lines of Swift that make an input of `tokens`.
  var lines: String {
    var lines = readsTwoTexts ? ["let kept = tokens"] : ["var kept = tokens", cut]
    lines.append("let length = \(length)")
    lines += arrays.map { UsageTexts.array($0.name) }
    lines += [
      "for place in 0..<length {",
      "  ids[place] = NSNumber(value: place < kept.count ? kept[place] : \(statement.paddingID))",
    ]
    if hasMask { lines.append("  mask[place] = place < kept.count ? 1 : 0") }
    if hasTypes {
      lines.append(
        "  segments[place] = NSNumber(value: place < kept.count ? types[place] : 0)")
    }
    let dictionary = arrays.map { "\"\($0.input)\": \($0.name)" }.joined(separator: ", ")
    lines += ["}", "let input = try MLDictionaryFeatureProvider(dictionary: [\(dictionary)])"]
    return lines.joined(separator: "\n")
  }

  private var arrays: [(name: String, input: String)] {
    [("ids", "input_ids")] + (hasMask ? [("mask", "attention_mask")] : [])
      + (hasTypes ? [("segments", "token_type_ids")] : [])
  }

  private static func array(_ name: String) -> String {
    "let \(name) = try MLMultiArray(shape: [1, NSNumber(value: length)], dataType: .int32)"
  }

  // Leaves out what is too much between the special tokens.
  private var cut: String {
    let (before, behind) = (statement.tokensBefore, statement.tokensBehind)
    let range =
      statement.cutSide == "left"
      ? "\(before)..<(\(before) + kept.count - \(maximum))"
      : "\(maximum - behind)..<(kept.count - \(behind))"
    return "if kept.count > \(maximum) { kept.removeSubrange(\(range)) }"
  }

  private var length: String {
    if isRange { return minimum > 1 ? "max(kept.count, \(minimum))" : "kept.count" }
    if lengths.count == 1 { return "\(maximum)" }
    return "\(lengths).first { $0 >= kept.count } ?? \(maximum)"
  }
}
