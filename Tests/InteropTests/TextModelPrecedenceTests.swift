import Testing

/// That the rows of the table show which file wins: of two folders that differ in one fact, the
/// library's vectors differ where it counts, and are the same where it does not.
struct TextModelPrecedenceTests {
  @Test(arguments: [
    ("prompt-st2.7", "st6.2-pooling-mean"), ("length-tokenizer-only", "st6.2-pooling-mean"),
    ("lower-in-tokenizer-config", "st6.2-pooling-mean"), ("cut-left", "length-tokenizer-only"),
    ("truncate", "st6.2-pooling-mean"), ("lower-in-settings", "st6.2-pooling-mean"),
    ("lower-in-settings", "lower-in-tokenizer-config"), ("map-over-config", "map-below-list"),
    ("map-where-config-is-silent", "map-below-list"), ("map-further-tokens", "map-below-list"),
    ("config-without-list-and-map", "map-below-list"), ("added-without-list", "added-below-list"),
    ("added-below-tokenizer-json", "st6.2-pooling-mean"),
    ("class-of-config", "class-of-config-below"), ("weights-index", "weights-single-over-index"),
  ])
  func counts(name: String, other: String) throws {
    #expect(try vectors(name) != vectors(other))
  }

  @Test(arguments: [
    ("map-below-list", "st6.2-pooling-mean"), ("added-below-list", "st6.2-pooling-mean"),
    ("class-of-config", "st6.2-pooling-mean"),
    ("class-of-config-below-foreign", "st6.2-pooling-mean"),
    ("class-of-config-below", "lower-in-tokenizer-config"),
    ("weights-single-over-index", "st6.2-pooling-mean"),
  ])
  func doesNotCount(name: String, other: String) throws {
    #expect(try vectors(name) == vectors(other))
  }

  /// The file of a row's vectors, which is named for what it holds.
  private func vectors(_ name: String) throws -> String {
    let row = try #require(TextModelTableTests.cases.first { $0.name == name }, "no row \(name)")
    return try #require(row.vectors, "\(name) does not embed")
  }
}
