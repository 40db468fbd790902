package import Graph

/// The statement of a model to the apps that load it, as its format writes it down.
package protocol ModelStatement: Sendable {
  /// The choices of a project file that show in the model, by their names; nil where the model has
  /// none of those that can be chosen.
  var options: [(name: String, found: String?)] { get }
  /// Description, author, license and version, by the names of a project file; empty if not given.
  var words: [String: String] { get }
  /// The sentence that holds the names of features in their order; nil if they have none.
  var featureWords: String? { get }
  /// The same sentence with these names.
  func words(forFeatures names: [String]) -> String
}

extension ModelFormat {
  /// The statement of an opened model; nil if its format has no place for it.
  package static func statement(ofOpened model: Model) -> (any ModelStatement)? {
    allCases.lazy.compactMap { $0.type.statement(ofOpened: model) }.first
  }
}
