/// The needs of a system that is to load a model that is planned.
package struct SystemNeeds: Sendable {
  /// The oldest system, by its name in a project file.
  package let oldest: String
  /// The oldest system that could load each planned weight, in their order.
  package let oldestOfEach: [String]
  package let specificationVersion: Int
  /// The set of operations that the system knows.
  package let opset: String
}
