import ArgumentParser
import Graph

/// How the vectors of tokens become one, where no file of the model says.
struct PoolingFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How the vectors of tokens become the one of a text: \(PoolingFlags.words).",
      discussion: """
        For a folder of transformers without modules.json, where no file says it. What is written \
        carries it. The pooling of any other model is its own, and a different one is refused.
        """,
      valueName: "mode"))
  var pooling: String?

  /// The requested pooling; nil if the model decides.
  var choice: PoolingMode? { pooling.flatMap(PoolingMode.init) }

  private static let words = PoolingMode.allCases.map(\.rawValue).joined(separator: ", ")

  func validate() throws {
    guard let pooling, choice == nil else { return }
    throw ValidationError("--pooling '\(pooling)' is not one of \(Self.words)")
  }
}
