/// A change of a candidate that is being tried.
package struct MendStep: Equatable, Sendable {
  /// From 1; 0 before the first.
  package let number: Int
  /// The most that are tried.
  package let most: Int
}
