import ArgumentParser

/// Whether an answer goes into detail.
struct VerboseFlag: ParsableArguments {
  @Flag(help: "List every tensor below the answer.")
  var verbose = false

  /// - Throws: `ValidationError` where less is asked for, too.
  func check(against shared: SharedOptions) throws {
    if verbose && shared.quiet { throw ValidationError("--verbose and --quiet exclude each other") }
  }
}
