import Foundation

/// How much a run of the tests tries.
package enum Thoroughness {
  /// Whether `scripts/test --exhaustive` runs them: everything that takes long is tried, too.
  package static let isExhaustive =
    ProcessInfo.processInfo.environment["INGOT_EXHAUSTIVE"] != nil
}
