import Formats
import Graph
import IngotFeatures
import StrictJSON
import Tokenization

/// `USAGE.md`: how an app runs a package, in Swift, by the names of that very package.
struct UsagePage {
  static let file = "USAGE.md"

  let text: String

  /// - Parameters:
  ///   - model: as read back from the package.
  ///   - trained: the model it was made from, which knows names of features.
  ///   - package: the name of its folder.
  ///   - files: names of the files that prepare its inputs.
  /// - Throws: errors from reading the tokenizer.
  init(_ model: Model, trained: Model, package: String, files: [String]) throws {
    let name = String(package[..<(package.lastIndex(of: ".") ?? package.endIndex)])
    var parts = [
      "# How to run \(Quotation.code(package))",
      "Add the package to the app's target in Xcode, which compiles it. These names are the package's own.",
      UsagePage.code(
        """
        import CoreML

        guard let url = Bundle.main.url(forResource: \(Quotation.swift(name)), withExtension: "mlmodelc") else {
          throw CocoaError(.fileNoSuchFile)
        }
        let model = try MLModel(contentsOf: url)
        """),
    ]
    let texts = try UsageTexts(of: model)
    parts.append(texts?.words ?? UsagePage.inputWords(model, trained))
    if let words = UsagePage.otherPrompts(of: trained, than: model) { parts.append(words) }
    parts.append(UsagePage.code(texts?.lines ?? UsagePage.inputLines(model)))
    parts.append(UsagePage.code(UsagePage.outputLines(model)))
    if !files.isEmpty {
      let list = files.map { "`\($0)`" }.joined(separator: ", ")
      let order =
        files.contains("tokenizer_config.json")
        ? " Where two of them differ on the tokenizer, they are read as transformers reads them: "
          + "`tokenizer_config.json` goes before `tokenizer.json`." : ""
      parts.append("Inputs have to be prepared as \(list) beside the package say." + order)
    }
    text = parts.joined(separator: "\n\n") + "\n"
  }

  /// Names the prompts that the package was not made with; nil without any.
  private static func otherPrompts(of trained: Model, than model: Model) -> String? {
    let used = model.architecture.preparation.prompt
    let others = (trained.architecture.prompts?.choices ?? []).filter { $0.text != used }
    guard !others.isEmpty else { return nil }
    let list = others.map {
      "\(Quotation.code($0.name)) (\(Quotation.code(JSONValue.string($0.text).compact)))"
    }
    return "The model has other prompts, too; texts that want one of them need a package that is "
      + "made with it: " + list.joined(separator: ", ") + "."
  }

  private static func code(_ lines: String) -> String { "```swift\n\(lines)\n```" }

  private static func inputNames(_ model: Model) -> [String] {
    (try? model.architecture.smallestGraph().inputs.map(\.name)) ?? []
  }

  private static func inputWords(_ model: Model, _ trained: Model) -> String {
    switch model.architecture.input {
    case .tokens: return ""
    case .image(let width, let height):
      return "An image is \(width) × \(height) pixels, RGB; scaling and normalisation are inside. "
        + "Crop and resize it as the model's preparation says before, not only by the call below."
    case .features(let features) where isTable(model):
      return "Each feature is an input of its own: "
        + features.names.map(Quotation.code).joined(separator: ", ")
        + ". A number is a double, NaN where it is missing. A category is its number, or its name where the model "
        + "expands it; the package's descriptions of its inputs say which."
    case .features(let numbered):
      var names = numbered.columnNames
      // A package does not name its features.
      if case .features(let own) = trained.architecture.input, own.columnCount == names.count {
        names = own.columnNames
      }
      return "The features, \(Figures.count(names.count, "number")) in this order: "
        + names.map(Quotation.code).joined(separator: ", ") + "."
    }
  }

  private static func inputLines(_ model: Model) -> String {
    let names = inputNames(model)
    switch model.architecture.input {
    case .tokens: return ""
    case .image(let width, let height):
      return """
        let value = try MLFeatureValue(
          imageAt: imageURL, pixelsWide: \(width), pixelsHigh: \(height),
          pixelFormatType: kCVPixelFormatType_32BGRA, options: nil)
        let input = try MLDictionaryFeatureProvider(dictionary: [\(Quotation.swift(names[0])): value])
        """
    case .features(let features) where isTable(model):
      let rows = features.features.map { "  \(Quotation.swift($0.name)): \(value(of: $0))," }
      return "let row: [String: MLFeatureValue] = [\n\(rows.joined(separator: "\n"))\n]\n"
        + "let input = try MLDictionaryFeatureProvider(dictionary: row)"
    case .features(let features):
      return """
        let values = try MLMultiArray(shape: [1, \(features.columnCount)], dataType: .float32)
        for (place, number) in numbers.enumerated() { values[place] = NSNumber(value: number) }
        let input = try MLDictionaryFeatureProvider(dictionary: [\(Quotation.swift(names[0])): values])
        """
    }
  }

  /// Whether it takes features by their names, as trees do.
  private static func isTable(_ model: Model) -> Bool {
    ModelFormat.carrier(ofOpened: model).namesFeatures
  }

  /// A value of a feature, for an example.
  private static func value(of feature: Feature) -> String {
    guard case .category(let list) = feature.kind, list.encoding == .oneHot,
      let name = list.names.first
    else { return "MLFeatureValue(double: 0)" }
    return list.names.allSatisfy { Int64($0) != nil }
      ? "MLFeatureValue(int64: \(name))" : "MLFeatureValue(string: \(Quotation.swift(name)))"
  }

  private static func outputLines(_ model: Model) -> String {
    let names = ModelFormat.carrier(ofOpened: model).outputNames
    let own = model.architecture.outputName
    let (first, last) = (names.first ?? own, names.last ?? own)
    let run = "let output = try model.prediction(from: input)\n"
    switch model.architecture.output {
    case .classes(_, _, let scale):
      return run
        + """
        let label = output.featureValue(for: "\(first)")
        let \(scale.word) = output.featureValue(for: "\(last)")?.dictionaryValue
        """
    case .tokenClasses(let labels, _):
      return run
        + """
        guard let array = output.featureValue(for: "\(first)")?.multiArrayValue else {
          throw CocoaError(.featureUnsupported)
        }
        // For each token \(labels.count) probabilities, in the order of the labels.
        let numbers = (0..<array.count).map { array[$0].floatValue }
        """
    case .numbers(1) where isTable(model):
      return run + "let number = output.featureValue(for: \"\(first)\")?.doubleValue"
    case .embedding(let width), .numbers(let width):
      return run
        + """
        guard let array = output.featureValue(for: "\(first)")?.multiArrayValue else {
          throw CocoaError(.featureUnsupported)
        }
        let numbers = (0..<\(width)).map { array[$0].floatValue }
        """
    }
  }
}

extension ScoreScale {
  /// The name for several numbers of the scale.
  fileprivate var word: String {
    switch self {
    case .probabilities: "probabilities"
    case .scores: "scores"
    }
  }
}
