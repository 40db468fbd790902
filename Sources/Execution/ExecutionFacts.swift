/// Facts about the code paths that models run on.
package enum ExecutionFacts {
  /// The instruction set of our own loops on this processor: `avx512`, `avx2` or `baseline`.
  package static var instructionSet: String {
    ["avx512", "avx2"].first { VectorLoops(named: $0) != nil } ?? "baseline"
  }
}
