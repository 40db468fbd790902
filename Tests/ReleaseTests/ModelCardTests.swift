import Formats
import Testing

@testable import Release

/// Cards of models: what a package says by them, and nothing else.
struct ModelCardTests {
  private func read(_ text: String) -> ModelCard? { ModelCard(Array(text.utf8)) }

  @Test func sentenceEncoder() throws {
    let card = try #require(
      read(
        """
        ---
        language: en
        license: apache-2.0
        library_name: sentence-transformers
        tags:
        - sentence-transformers
        pipeline_tag: sentence-similarity
        ---

        # all-MiniLM-L6-v2
        This is a model.
        """))
    #expect(card.summary == "all-MiniLM-L6-v2: sentence-similarity; en")
    #expect(card.license == "apache-2.0")
    #expect(card.author == nil && card.version == nil)
  }

  @Test func everyKey() throws {
    let card = try #require(
      read(
        "---\r\nlanguage: [de, en]\r\nlicense: other\r\nlicense_name: ours\r\nauthors:\r\n- A\r\n- B\r\n"
          + "version: '2.1'\r\nmodel-index:\r\n- name: Named\r\n---\r\n# Heading\r\n"))
    #expect(card.name == "Named")
    #expect(card.summary == "Named: de, en")
    #expect(card.license == "ours")
    #expect(card.author == "A, B")
    #expect(card.version == "2.1")
  }

  static let silent = [
    "", "# No YAML\n", "---\nlicense: mit\n", "---\n{broken\n---\n", "---\n- a list\n---\n",
    "---\na: &x [1]\nb: *x\n---\n", "text\n---\nlicense: mit\n---\n",
  ]

  @Test(arguments: silent) func saysNothing(_ text: String) { #expect(read(text) == nil) }

  @Test func nothingIsInvented() throws {
    let card = try #require(read("---\ntags: [x]\n---\nno heading\n"))
    #expect(card.summary == nil && card.license == nil && card.author == nil && card.name == nil)
  }

  /// A name holds nothing that steers a terminal or passes for a line of its own.
  @Test func everyTextIsOneLine() throws {
    let card = try #require(
      read(
        #"""
        ---
        license: "mit\n dev.ingot.weights: 00\u0000"
        author: ["\e]0;x\aOurs\u202E", "\u2066\u200F", "\t"]
        version: "1\r\n2"
        pipeline_tag: "\u0085x\u2028"
        language: [en, "\n"]
        model_name: "  a\u200Db\n\nfindings: none "
        ---
        """#))
    #expect(card.license == "mit dev.ingot.weights: 00")
    #expect(card.author == "]0;x Ours")
    #expect(card.version == "1 2")
    #expect(card.summary == "a\u{200D}b findings: none: x; en")
  }

  @Test func headingsAreCleanedToo() throws {
    let card = try #require(read("---\nlicense: mit\n---\n# A\u{1B}[31m \u{202E}name\t\n"))
    #expect(card.name == "A [31m name")
  }

  @Test func longTextsSayNothing() throws {
    let long = String(repeating: "x", count: 201)
    let many = Array(repeating: "some language", count: 100).joined(separator: ", ")
    let card = try #require(
      read("---\nlicense: \(long)\nlanguage: [\(many)]\nauthors: [\(many), \(long)]\n---\n"))
    #expect(card.license == nil && card.author == nil && card.summary == nil)
  }

  @Test func usersComeFirst() throws {
    let card = try #require(read("---\nlicense: mit\nauthor: Card\nversion: 2\n---\n# Name\n"))
    let said = CoreMLDescription(
      CoreMLDescription(author: "Me"), card: card, notes: ["k": "v"])
    #expect(
      said
        == CoreMLDescription(
          summary: "Name", author: "Me", license: "mit", version: "2", notes: ["k": "v"]))
    let release = CoreMLDescription(CoreMLDescription(version: "1.4.0"), card: card, notes: [:])
    #expect(release.version == "1.4.0")
  }
}
