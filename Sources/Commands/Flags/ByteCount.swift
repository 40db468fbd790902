import ArgumentParser
import StrictJSON

/// A size on the command line: a number and B, kB, MB, GB or TB (powers of 1000).
struct ByteCount: ExpressibleByArgument {
  let value: Int

  /// Nil for anything else; see `Figures.byteCount`.
  init?(argument: String) {
    guard let value = Figures.byteCount(argument) else { return nil }
    self.value = value
  }
}
