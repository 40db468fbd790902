package import Trees

/// An input or output of a classic Core ML model.
package struct TabularFeature: Equatable, Sendable {
  package let name: String
  package let kind: Kind
  /// What an app's developer reads about it; may be empty.
  package let text: String
  /// Whether an app may leave it out. Only inputs are.
  package let isOptional: Bool

  package enum Kind: Hashable, Sendable {
    case double
    case int64
    case string
    /// So many doubles in one dimension.
    case array(Int)
    /// Doubles by texts.
    case textDictionary
    /// Doubles by whole numbers.
    case integerDictionary
  }

  package init(_ name: String, _ kind: Kind, text: String = "", isOptional: Bool = false) {
    self.name = name
    self.kind = kind
    self.text = text
    self.isOptional = isOptional
  }

  /// As many numbers as it adds to a row; nil for texts and dictionaries.
  package var width: Int? {
    switch kind {
    case .double, .int64: 1
    case .array(let count): count
    case .string, .textDictionary, .integerDictionary: nil
    }
  }
}

extension TabularFeature.Kind: CustomStringConvertible {
  package var description: String {
    switch self {
    case .double: "a double"
    case .int64: "an int64"
    case .string: "a string"
    case .array(let count): "an array of \(count) doubles"
    case .textDictionary: "a dictionary by strings"
    case .integerDictionary: "a dictionary by int64"
    }
  }
}

extension TreeLabels {
  /// Of one label.
  package var kind: TabularFeature.Kind {
    switch self {
    case .texts: .string
    case .integers: .int64
    }
  }

  /// Of numbers by label.
  package var dictionaryKind: TabularFeature.Kind {
    switch self {
    case .texts: .textDictionary
    case .integers: .integerDictionary
    }
  }

  /// The first label that stands twice, as text.
  var repeated: String? {
    func first<Label: Hashable & CustomStringConvertible>(of labels: [Label]) -> String? {
      var seen: Set<Label> = []
      return labels.first { !seen.insert($0).inserted }?.description
    }
    switch self {
    case .texts(let texts): return first(of: texts)
    case .integers(let numbers): return first(of: numbers)
    }
  }
}
