import Files
import Testing

/// All parsers of untrusted input; one after the other, so that a trap has one possible cause.
///
/// Feeds every parser with mutated inputs: it must refuse with its own error and a message, or
/// accept with values that hold what they promise. A trap ends the process and so the run.
///
/// `INGOT_FUZZ_ITERATIONS` sets the inputs for each parser, `INGOT_FUZZ_SEED` where they start.
@Suite(.serialized) struct FuzzTests {
  private static let iterations = number("INGOT_FUZZ_ITERATIONS") ?? 4_000
  private static let seed = UInt64(max(0, number("INGOT_FUZZ_SEED") ?? 1))

  private static func number(_ name: String) -> Int? {
    System.environment(name).flatMap { Int($0) }
  }

  /// - Parameters:
  ///   - mend: puts right what would be refused first, so that later checks are reached; done for
  ///     half of the inputs.
  ///   - share: one of so many of the usual number of inputs, for parsers that take long.
  ///   - check: true when the input was accepted soundly, nil when it was refused, false when
  ///     something is wrong.
  func run(
    _ name: String, _ seeds: [[UInt8]], mend: ([UInt8]) -> [UInt8] = { $0 }, share: Int = 1,
    _ check: ([UInt8]) -> Bool?
  ) {
    for bytes in seeds { #expect(check(bytes) == true, "a seed of \(name) is not accepted") }
    let (iterations, seed) = (FuzzTests.iterations / share, FuzzTests.seed)
    var mutator = Mutator(seed: seed)
    var accepted = 0
    var unsound = 0
    CrashNote.watch(name, seed: seed)
    defer { CrashNote.watch(nil, seed: seed) }
    for iteration in 0..<iterations where unsound < 5 {
      CrashNote.begin(iteration)
      let mutated = mutator.next(from: seeds)
      let bytes = mutator.coin() ? mend(mutated) : mutated
      guard let isSound = check(bytes) else { continue }
      accepted += 1
      if isSound { continue }
      unsound += 1
      let text = String(decoding: bytes, as: UTF8.self)
      Issue.record("\(name), seed \(seed), input \(iteration): \(bytes)\n\(text)")
    }
    #expect(accepted > 0 && accepted < iterations, "the mutations of \(name) reach nothing")
    print("fuzz \(name): \(iterations) inputs, \(accepted) accepted, seed \(seed)")
  }

  /// Runs a parser whose errors are of the given types.
  ///
  /// - Returns: what `body` gives; nil when it throws as it should, false when otherwise.
  func parsing(_ errors: [any Error.Type], _ body: () throws -> Bool) -> Bool? {
    do {
      return try body()
    } catch {
      let isKnown = errors.contains { $0 == type(of: error) }
      if isKnown && !"\(error)".isEmpty { return nil }
      Issue.record("refused with \(type(of: error)): '\(error)'")
      return false
    }
  }
}

/// Texts as bytes.
func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

/// Whether two texts are the same bytes.
func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
