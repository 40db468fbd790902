import Emission
import Evaluation
import Files
import Graph
import Preprocessing
import StrictJSON

/// `USAGE.md`: how an app runs a package, in Swift, by the names of that very package.
struct UsagePage {
  static let file = "USAGE.md"

  let text: String

  /// - Parameters:
  ///   - model: as read back from the package.
  ///   - package: the name of its folder.
  ///   - files: names of the files that prepare its inputs.
  init(_ model: Model, package: String, files: [String]) {
    let name = String(package.dropLast(CoreMLPackage.suffix.count))
    var parts = [
      "# How to run `\(package)`",
      "Add the package to the app's target in Xcode, which compiles it. These names are the package's own.",
      UsagePage.code(
        """
        import CoreML

        guard let url = Bundle.main.url(forResource: "\(name)", withExtension: "mlmodelc") else {
          throw CocoaError(.fileNoSuchFile)
        }
        let model = try MLModel(contentsOf: url)
        """),
    ]
    parts.append(UsagePage.inputWords(model, files))
    parts.append(UsagePage.code(UsagePage.inputLines(model)))
    parts.append(UsagePage.code(UsagePage.outputLines(model)))
    if !files.isEmpty {
      let list = files.map { "`\($0)`" }.joined(separator: ", ")
      parts.append("Inputs have to be prepared as \(list) beside the package say.")
    }
    text = parts.joined(separator: "\n\n") + "\n"
  }

  private static func code(_ lines: String) -> String { "```swift\n\(lines)\n```" }

  private static func lengths(_ model: Model) -> [Int] {
    guard case .single(let lengths) = model.architecture.shapes else { return [] }
    return lengths
  }

  private static func inputNames(_ model: Model) -> [String] {
    (try? model.architecture.smallestGraph().inputs.map(\.name)) ?? []
  }

  private static func inputWords(_ model: Model, _ files: [String]) -> String {
    switch model.architecture.input {
    case .tokens:
      let lengths = lengths(model)
      let choice =
        isRange(lengths)
        ? "Any number of tokens from \(lengths[0]) to \(lengths[lengths.count - 1]) will do; no padding is needed."
        : lengths.count == 1
          ? "An input has \(lengths[0]) tokens: shorter texts are filled up behind, longer ones cut."
          : "An input has \(lengths.map(String.init).joined(separator: ", ")) tokens: take the "
            + "least length that holds the text."
      return choice + " `tokens` are the ids that the tokenizer makes, special tokens included."
        + promptWords(model.architecture.preparation)
    case .image(let width, let height):
      return "An image is \(width) × \(height) pixels, RGB; scaling and normalisation are inside. "
        + "Crop and resize it as the model's preparation says before, not only by the call below."
    case .features(let names):
      return "The features, \(names.count) numbers in this order: "
        + names.map { "`\($0)`" }.joined(separator: ", ") + "."
    }
  }

  /// What an app does to a text before the tokenizer sees it; empty for nothing.
  private static func promptWords(_ preparation: TextPreparation) -> String {
    var words = ""
    if preparation.lowercasing != .none {
      words += " Every text is made lower case before, also for a tokenizer that tells cases apart."
    }
    if !preparation.prompt.isEmpty {
      let prompt = JSONValue.string(preparation.prompt).compact
      words +=
        " The package was proven with the prompt \(prompt): the tokenizer gets"
        + " `\(prompt) + text` for every text."
    }
    return words
  }

  private static func isRange(_ lengths: [Int]) -> Bool {
    guard lengths.count > 1, let first = lengths.first, let last = lengths.last else {
      return false
    }
    return last - first + 1 == lengths.count
  }

  private static func inputLines(_ model: Model) -> String {
    let names = inputNames(model)
    switch model.architecture.input {
    case .tokens: return tokenLines(model, names)
    case .image(let width, let height):
      return """
        let value = try MLFeatureValue(
          imageAt: imageURL, pixelsWide: \(width), pixelsHigh: \(height),
          pixelFormatType: kCVPixelFormatType_32BGRA, options: nil)
        let input = try MLDictionaryFeatureProvider(dictionary: ["\(names[0])": value])
        """
    case .features(let features):
      return """
        let values = try MLMultiArray(shape: [1, \(features.count)], dataType: .float32)
        for (place, number) in numbers.enumerated() { values[place] = NSNumber(value: number) }
        let input = try MLDictionaryFeatureProvider(dictionary: ["\(names[0])": values])
        """
    }
  }

  private static func tokenLines(_ model: Model, _ names: [String]) -> String {
    let lengths = lengths(model)
    let padding = (try? TextStatement(of: model))?.paddingID ?? 0
    let length =
      isRange(lengths)
      ? "let length = min(tokens.count, \(lengths[lengths.count - 1]))"
      : lengths.count == 1
        ? "let length = \(lengths[0])"
        : "let length = \(lengths).first { $0 >= tokens.count } ?? \(lengths[lengths.count - 1])"
    let hasMask = names.contains("attention_mask")
    var lines = [
      length, "let ids = try MLMultiArray(shape: [1, NSNumber(value: length)], dataType: .int32)",
    ]
    if hasMask {
      lines.append(
        "let mask = try MLMultiArray(shape: [1, NSNumber(value: length)], dataType: .int32)")
    }
    lines += [
      "for place in 0..<length {",
      "  ids[place] = NSNumber(value: place < tokens.count ? tokens[place] : \(padding))",
    ]
    if hasMask { lines.append("  mask[place] = place < tokens.count ? 1 : 0") }
    let dictionary =
      hasMask ? #"["input_ids": ids, "attention_mask": mask]"# : #"["input_ids": ids]"#
    lines += ["}", "let input = try MLDictionaryFeatureProvider(dictionary: \(dictionary))"]
    return lines.joined(separator: "\n")
  }

  private static func outputLines(_ model: Model) -> String {
    let names = CoreMLPackage.outputNames(of: model.architecture)
    let run = "let output = try model.prediction(from: input)\n"
    switch model.architecture.output {
    case .classes(_, _, let scale):
      return run
        + """
        let label = output.featureValue(for: "\(names[0])")
        let \(scale.word) = output.featureValue(for: "\(names[names.count - 1])")?.dictionaryValue
        """
    case .embedding(let width), .numbers(let width):
      return run
        + """
        guard let array = output.featureValue(for: "\(names[0])")?.multiArrayValue else {
          throw CocoaError(.featureUnsupported)
        }
        let numbers = (0..<\(width)).map { array[$0].floatValue }
        """
    }
  }
}

extension ScoreScale {
  /// What several numbers of the scale are called.
  fileprivate var word: String {
    switch self {
    case .probabilities: "probabilities"
    case .scores: "scores"
    }
  }
}
