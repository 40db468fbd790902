import Foundation
import TestSupport
import Testing

/// The self-tests of a package, read by numpy and run by transformers.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment"))
struct SelfTestInteropTests {
  @Test func transformersGivesTheOutputsOfASelfTest() throws {
    let folder = try TemporaryFolder()
    let examples = "\(Program.repository)/specs/examples"
    let made = try Program.shell(
      #"""
      mkdir project && cp -r "$1/quickstart/models" "$1/quickstart/references" project &&
        cp "$1/updates/ingot.yaml" "$1/updates/customers.json" project &&
        "$0" build project --output out --no-store --quiet &&
        tar --zstd -xf out/*/*.tar.zst selftests/sentence-encoder.json
      """#, [examples], in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    let words = try Oracle.run(
      "self_test.py",
      [
        "\(examples)/quickstart/models/sentence-encoder",
        folder.path("selftests/sentence-encoder.json"),
      ]
    ).split(whereSeparator: \.isWhitespace)
    #expect(words.first == "4")
    // INT8 of a small encoder passed 'strict': its least cosine is 0.995.
    #expect(try #require(words.last.flatMap { Double($0) }) >= 0.995)
  }
}
