import IngotFeatures
import StrictJSON
import Trees

extension TabularChain.Column {
  /// A feature of a linear model as a column of Core ML's; nil for one that has a `fault`.
  init?(_ feature: Feature) {
    guard case .success(let encoding) = Self.encoding(of: feature) else { return nil }
    self.init(feature.name, encoding)
  }

  /// Why no column of Core ML's is the same as a feature, and what mends it; nil if one is.
  static func fault(_ feature: Feature) -> String? {
    guard case .failure(let fault) = Self.encoding(of: feature) else { return nil }
    return "has the feature '\(feature.name)', which \(fault.text); \(fault.mend)"
  }

  private struct Fault: Error {
    let text: String
    let mend: String
  }

  private static func encoding(of feature: Feature) -> Result<Encoding, Fault> {
    switch feature.kind {
    case .cyclic:
      return .failure(
        Fault(
          text: "is cyclic, and Core ML's models of tables have no sine",
          mend:
            "give its sine and its cosine as two numbers, and compute them before training and in the app"
        ))
    case .category(let list) where list.encoding == .oneHot: return oneHot(list, feature.missing)
    case .number, .boolean, .category:
      if case .replaced(let value) = feature.missing {
        return .success(.filled(value, absent: feature.absent))
      }
      guard feature.absent.isEmpty else {
        return .failure(
          Fault(
            text: "refuses the numbers \(feature.absent)",
            mend: "let 'missing' be the number that takes their place"))
      }
      return .success(.number)
    }
  }

  /// Core ML's encoder refuses what it does not know, or gives zeros.
  private static func oneHot(
    _ list: CategoryList, _ missing: Feature.Missing
  ) -> Result<Encoding, Fault> {
    func code(_ value: Double) -> Int? {
      Int(exactly: value).flatMap { list.names.indices.contains($0) ? $0 : nil }
    }
    var filling: Int?
    if case .replaced(let value) = missing { filling = code(value) }
    let unknown: TabularStep.Unknown
    switch (list.unknown, missing) {
    case (.refused, .refused): unknown = .isError
    case (.refused, _) where filling != nil: unknown = .isError
    case (.refused, _):
      return .failure(
        Fault(
          text: "lets missing values pass and refuses unknown ones",
          mend: "let 'unknown' be a code that no category has, too"))
    case (.code(let other), _) where code(Double(other)) == nil: unknown = .isZero
    case (.missing, _) where filling == nil: unknown = .isZero
    case (.code, _), (.missing, _):
      return .failure(
        Fault(
          text: "takes unknown categories for one that it knows",
          mend: "let 'unknown' be 'refused', or a code that no category has"))
    }
    if filling != nil, list.names.contains("") {
      return .failure(
        Fault(
          text: "has the empty category, which tells Core ML that a value is missing",
          mend: "give it a name"))
    }
    let numbers = list.names.compactMap { name in
      Int(name).flatMap { "\($0)" == name ? $0 : nil }
    }
    let isNumbers = filling == nil && numbers.count == list.names.count
    return .success(
      .oneHot(
        isNumbers ? .integers(numbers) : .texts(list.names), unknown,
        filling: filling.map { list.names[$0] }))
  }
}

extension TabularChain.Column {
  /// What it is, in words that follow "is".
  var words: String {
    switch encoding {
    case .number: return "a number that is never missing"
    case .filled(let value, let absent):
      let others = absent.isEmpty ? "" : " or one of \(absent)"
      return "a number, \(value) where it is missing\(others)"
    case .oneHot(let labels, let unknown, let filling):
      let names =
        switch labels {
        case .texts(let texts): texts
        case .integers(let numbers): numbers.map(String.init)
        }
      let list = "one of \(Figures.list(names))"
      let missing = filling.map { ", '\($0)' where it is missing" } ?? ""
      return list + missing + (unknown == .isZero ? ", or none of them" : ", and no other")
    }
  }
}

extension Feature {
  /// What an app's developer is told about the input of a linear model.
  var words: String {
    let filling: String
    if case .replaced(let value) = missing {
      filling = "; NaN where it is missing, which counts as \(value)"
    } else {
      filling = ""
    }
    switch kind {
    case .number, .cyclic: return "A number" + filling
    case .boolean: return "1 is true, 0 is false" + filling
    case .category(let list) where list.encoding == .oneHot:
      return TabularChain.Column.words(list, missing)
    case .category(let list) where list.names.isEmpty: return "The number of a category" + filling
    case .category(let list):
      return "A category: "
        + list.names.enumerated().map { "\($0.offset) is '\($0.element)'" }.joined(separator: ", ")
        + filling
    }
  }
}

extension TabularChain.Column {
  fileprivate static func words(_ list: CategoryList, _ missing: Feature.Missing) -> String {
    var words = "One of \(list.names.map { "'\($0)'" }.joined(separator: ", "))"
    guard case .success(.oneHot(_, let unknown, let filling)) = oneHot(list, missing) else {
      return words
    }
    if let filling { words += "; '' where it is missing, which counts as '\(filling)'" }
    return words + (unknown == .isZero ? "; any other counts as none" : "; no other")
  }
}
