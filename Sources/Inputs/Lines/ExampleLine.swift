package import Graph
import IngotFeatures
import StrictJSON

/// A correct example line for a model, shown when a file holds other ones.
package enum ExampleLine {
  /// Words that show a line of a reference set.
  package static func referenceHint(for model: Model) -> String {
    "a line for this model: "
      + reference(for: model.architecture)
  }

  /// Words that show a line of inputs or of a calibration set.
  package static func inputHint(for model: Model) -> String {
    "a line for this model: \(input(for: model.architecture))"
  }

  /// A line of a reference set. A picture is compared with a text where the model has both encoders.
  package static func reference(for architecture: any Architecture) -> String {
    let input = architecture.input
    if architecture.kind == .textPair { return "{\"input\": \(pair)}" }
    guard case .embedding = architecture.output else {
      return "{\"input\": \(object(for: input, 0))}"
    }
    if case .image = input {
      let other = architecture.encoder == nil ? object(for: input, 1) : "\"a water bottle\""
      return "{\"a\": \(object(for: input, 0)), \"b\": \(other), \"expect\": \"match\"}"
    }
    return "{\"a\": \(object(for: input, 0)), \"b\": \(object(for: input, 1)), \"similarity\": 5}"
  }

  /// A line of inputs or of a calibration set.
  package static func input(for architecture: any Architecture) -> String {
    let input = architecture.input
    if architecture.kind == .textPair { return pair }
    if case .features(let schema) = input, !schema.isOfNumbers,
      !schema.names.contains(where: Input.keys.contains)
    {
      return "{\"input\": \(object(for: input, 0))}"
    }
    guard case .tokens = input else { return object(for: input, 0) }
    return "{\"text\": \(object(for: input, 0))}"
  }

  private static let texts = ["\"a plane is taking off\"", "\"an air plane is taking off\""]
  private static let pair = "{\"text\": \(texts[0]), \"text_pair\": \(texts[1])}"
  private static let pictures = ["bottle", "another-bottle"]
  /// Features beyond these are left out with dots.
  private static let maxValues = 8

  private static func object(for input: ModelInput, _ number: Int) -> String {
    switch input {
    case .tokens: return texts[number]
    case .image: return "{\"image\": \"photos/\(pictures[number]).jpg\"}"
    case .features(let schema):
      // A line by names that has one of these keys is another kind of input.
      let isClear = !schema.names.contains(where: Input.keys.contains)
      guard schema.isOfNumbers || !isClear else { return named(schema, number) }
      let names = schema.names
      let values = schema.features.prefix(maxValues).enumerated().map { place, feature in
        feature.kind.isCategory ? "\(number)" : "0.\((place + number) % 9 + 1)"
      }
      let more = names.count > maxValues ? ", …" : ""
      return "{\"values\": [\(values.joined(separator: ", "))\(more)]}"
    }
  }

  /// Features by their names: of categories their texts.
  private static func named(_ schema: FeatureSchema, _ number: Int) -> String {
    let members = schema.features.enumerated().map { place, feature in
      let value =
        switch feature.kind {
        case .number: "0.\((place + number) % 9 + 1)"
        case .cyclic: "\(place + number + 1)"
        case .boolean: (place + number).isMultiple(of: 2) ? "true" : "false"
        case .category(let list) where list.names.isEmpty: "\(number)"
        case .category(let list):
          JSONValue.string(list.names[(place + number) % list.names.count]).compact
        }
      return "\(JSONValue.string(feature.name).compact): \(value)"
    }
    return "{\(members.joined(separator: ", "))}"
  }
}

extension FeatureSchema {
  /// Whether an array of numbers says all: no feature has names for its values.
  fileprivate var isOfNumbers: Bool {
    features.allSatisfy { feature in
      if case .category(let list) = feature.kind { return list.names.isEmpty }
      return feature.kind == .number
    }
  }
}

extension Feature.Kind {
  fileprivate var isCategory: Bool { if case .category = self { true } else { false } }
}
