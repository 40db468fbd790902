package import Graph
import IngotFeatures

/// Inputs whose values lines or the columns of a table may name.
package protocol FeatureNaming {
  /// The file, for messages.
  var origin: String { get }
  /// The inputs, and the line of each.
  var inputs: [Input] { get }
  /// From 1.
  var lines: [Int] { get }
  /// Names of the values of every input, in their order; nil if unnamed.
  var features: [String]? { get }
  /// The same set with other inputs, whose values are in a model's order.
  func replacing(_ inputs: [Input]) -> Self
}

extension FeatureNaming {
  /// The same inputs with their values in the order that a model takes them in, and codes for categories.
  ///
  /// - Throws: `EvaluationError.otherColumns` when the columns are not the model's features, and
  ///   `unusableLine` for a row that is none of the model's.
  package func arranged(for input: ModelInput) throws(EvaluationError) -> Self {
    guard case .features(let schema) = input else { return self }
    if let features {
      guard Set(features) == Set(schema.names), features.count == schema.names.count else {
        throw .otherColumns(origin: origin, columns: features, features: schema.names)
      }
    } else if !inputs.contains(where: \.isNamed) {
      return self
    }
    let preparer = FeaturePreparer(schema)
    var arranged: [Input] = []
    arranged.reserveCapacity(inputs.count)
    for (index, input) in inputs.enumerated() {
      guard let row = input.named(features) else {
        arranged.append(input)
        continue
      }
      do throws(EvaluationError) {
        arranged.append(.values(try row.codes(by: preparer, of: input, index)))
      } catch {
        throw error.placed(in: origin) { lines[$0] }
      }
    }
    return replacing(arranged)
  }
}

extension Input {
  fileprivate var isNamed: Bool { if case .named = self { true } else { false } }

  /// Its values by their names; nil for what is no row, and for values without names.
  fileprivate func named(_ features: [String]?) -> NamedFeatures? {
    switch (self, features) {
    case (.named(let row), _): row
    case (.values(let values), let features?) where values.count == features.count:
      NamedFeatures(names: features, values: values.map { $0.isNaN ? .missing : .number($0) })
    default: nil
    }
  }
}
