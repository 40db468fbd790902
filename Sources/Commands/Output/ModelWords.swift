import Graph

extension ModelInput {
  /// What one input is, in words.
  var words: String {
    switch self {
    case .tokens(let maximumLength, _): "a text of at most \(maximumLength) tokens"
    case .features(let names):
      "\(Numbers.count(names.count, "value")) (\(Quoted.list(names)))"
    case .image(let width, let height): "an image of \(width) × \(height) pixels"
    }
  }
}

extension ModelOutput {
  /// What one output is, in words.
  var words: String {
    switch self {
    case .embedding(let width): "an embedding of \(Numbers.count(width, "number"))"
    case .classes(let labels, _, .probabilities): "one of \(Quoted.list(labels))"
    case .classes(let labels, _, .scores): "one of \(Quoted.list(labels)), by raw scores"
    case .numbers(let width): Numbers.count(width, "number")
    }
  }
}

/// Names in quotes; of many only the first.
private enum Quoted {
  static func list(_ names: [String]) -> String {
    joined(names.map { "'\($0)'" })
  }

  /// Labels: texts in quotes, integers without.
  static func list(_ labels: ClassLabels) -> String { joined(labels.words) }

  private static func joined(_ words: [String]) -> String {
    words.prefix(8).joined(separator: ", ") + (words.count > 8 ? ", …" : "")
  }
}
