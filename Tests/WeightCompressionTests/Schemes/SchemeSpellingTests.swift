import Testing

@testable import WeightCompression

/// Schemes in the words of users.
struct SchemeSpellingTests {
  struct Case: CustomTestStringConvertible {
    let words: SchemeSpelling
    var label = ""
    var error = ""
    var testDescription: String { label + error }
  }

  static let accepted = [
    Case(words: SchemeSpelling(scheme: "int8"), label: "int8 per channel"),
    Case(words: SchemeSpelling(scheme: "uint8", bits: 8), label: "uint8 per channel"),
    Case(
      words: SchemeSpelling(scheme: "uint8", mode: "asymmetric", granularity: "per-tensor"),
      label: "uint8 asymmetric per tensor"),
    Case(
      words: SchemeSpelling(scheme: "int8", mode: "symmetric", range: "least-squares"),
      label: "int8 per channel, least squares"),
    Case(
      words: SchemeSpelling(scheme: "int8", granularity: "per-block"), label: "int8 in blocks of 32"
    ),
    Case(words: SchemeSpelling(scheme: "int4"), label: "int4 in blocks of 32, least squares"),
    Case(
      words: SchemeSpelling(scheme: "int4", groupSize: 64, range: "largest"),
      label: "int4 in blocks of 64"),
    Case(
      words: SchemeSpelling(
        scheme: "uint4", bits: 4, mode: "asymmetric", granularity: "per-channel"),
      label: "uint4 asymmetric per channel, least squares"),
    Case(words: SchemeSpelling(scheme: "unique"), label: "unique values"),
    Case(words: SchemeSpelling(scheme: "none"), label: "uncompressed"),
    Case(
      words: SchemeSpelling(scheme: "palettize", bits: 4, width: 2),
      label: "palette 4 bits per tensor, vectors of 2"),
    Case(
      words: SchemeSpelling(
        scheme: "palettize", bits: 2, granularity: "per-group", groupSize: 8, width: 4,
        entries: "int8"),
      label: "palette 2 bits in groups of 8, vectors of 4, int8 entries"),
    Case(
      words: SchemeSpelling(scheme: "palettize", bits: 8, width: 1, entries: "floats"),
      label: "palette 8 bits per tensor"),
    Case(
      words: SchemeSpelling(
        scheme: "split", rows: 4000,
        parts: [
          SchemeSpelling(
            scheme: "palettize", bits: 6, granularity: "per-group", groupSize: 8),
          SchemeSpelling(scheme: "int4"),
        ]),
      label: "4000 rows in palette 6 bits in groups of 8, "
        + "others in int4 in blocks of 32, least squares"),
  ]

  @Test(arguments: accepted)
  func meansAScheme(_ item: Case) throws {
    #expect(try item.words.meaning().label == item.label)
  }

  static let refused = [
    Case(
      words: SchemeSpelling(scheme: "int4", bits: 8),
      error: "int4 has 4 bits, not 8; for 8 bits use palettize"),
    Case(
      words: SchemeSpelling(scheme: "uint8", bits: 0),
      error: "uint8 has 8 bits, not 0; for 0 bits use palettize"),
    Case(
      words: SchemeSpelling(scheme: "int8", mode: "around zero"),
      error: "unknown mode 'around zero'; choose symmetric or asymmetric"),
    Case(
      words: SchemeSpelling(scheme: "int8", range: "max"),
      error: "unknown range 'max'; choose largest or least-squares"),
    Case(
      words: SchemeSpelling(scheme: "int8", width: 2),
      error: "int8 takes no width; for a width use palettize"),
    Case(
      words: SchemeSpelling(scheme: "int4", entries: "int8"),
      error: "int4 takes no kind of entries; for a kind of entries use palettize"),
    Case(
      words: SchemeSpelling(scheme: "int4", granularity: "per-block", groupSize: 0),
      error: "block size 0 is not a positive number of inputs"),
    Case(
      words: SchemeSpelling(scheme: "int8", groupSize: 32),
      error: "a group size needs palettize with the granularity per-group or integers with "
        + "per-block, not int8"),
    Case(
      words: SchemeSpelling(scheme: "palettize", bits: 4, mode: "symmetric"),
      error: "palettize takes no mode; for a mode use int8, uint8, int4 or uint4"),
    Case(
      words: SchemeSpelling(scheme: "palettize", bits: 4, range: "largest"),
      error: "palettize takes no range; for a range use int8, uint8, int4 or uint4"),
    Case(
      words: SchemeSpelling(scheme: "palettize", bits: 4, width: 3),
      error: "a palette cannot have entries of 3 elements; choose 1, 2 or 4"),
    Case(
      words: SchemeSpelling(
        scheme: "palettize", bits: 4, granularity: "per-group", groupSize: 6, width: 4),
      error: "groups of 6 channels cannot be cut into vectors of 4"),
    Case(
      words: SchemeSpelling(scheme: "palettize", bits: 4, entries: "int4"),
      error: "unknown kind of entries 'int4'; choose floats or int8"),
    Case(
      words: SchemeSpelling(scheme: "unique", bits: 4),
      error:
        "unique takes no number of bits; for a number of bits use int8, uint8, int4, uint4 or palettize"
    ),
    Case(
      words: SchemeSpelling(scheme: "none", width: 2),
      error: "none keeps the weights and takes no width; for a width use palettize"),
    Case(
      words: SchemeSpelling(scheme: "split"),
      error: "split is for recipes and projects, which give it 'rows', and schemes as 'first' and "
        + "'rest'"),
    Case(
      words: SchemeSpelling(scheme: "split", bits: 4, rows: 8, parts: [int8, int8]),
      error: "split takes no number of bits; for a number of bits use int8, uint8, int4, uint4 or "
        + "palettize"),
    Case(
      words: SchemeSpelling(scheme: "split", rows: 0, parts: [int8, int8]),
      error: "a table cannot be split after 0 rows; choose at least 1 and fewer than it has"),
    Case(
      words: SchemeSpelling(
        scheme: "split", rows: 8, parts: [int8, SchemeSpelling(scheme: "none")]),
      error: "the parts of a split table are integers or palettes, not none"),
    Case(
      words: SchemeSpelling(
        scheme: "split", rows: 8, parts: [SchemeSpelling(scheme: "unique"), int8]),
      error: "the parts of a split table are integers or palettes, not unique"),
    Case(
      words: SchemeSpelling(
        scheme: "split", rows: 8,
        parts: [SchemeSpelling(scheme: "split", rows: 4, parts: [int8, int8]), int8]),
      error: "the parts of a split table are integers or palettes, not split"),
    Case(
      words: SchemeSpelling(scheme: "int8", rows: 8),
      error: "int8 takes no number of rows; for a number of rows use split"),
    Case(
      words: SchemeSpelling(scheme: "none", parts: [int8, int8]),
      error: "none keeps the weights and takes no scheme for some rows; "
        + "for a scheme for some rows use split"),
  ]

  private static let int8 = SchemeSpelling(scheme: "int8")

  @Test(arguments: refused)
  func refusesWhatMeansNothingTogether(_ item: Case) {
    let error = #expect(throws: CompressionError.self) { try item.words.meaning() }
    #expect(error?.description == item.error)
  }

  /// Every scheme there is.
  static let schemes: [Scheme?] = {
    var schemes: [Scheme?] = [nil, .unique]
    for integers in LinearScheme.Integers.allCases {
      for mode in LinearScheme.Mode.allCases {
        for range in LinearScheme.Range.allCases {
          for granularity in [
            LinearScheme.Granularity.perTensor, .perChannel, .perBlock(size: 32),
            .perBlock(size: 1),
          ] {
            schemes.append(
              .linear(
                LinearScheme(integers, mode: mode, granularity: granularity, range: range)))
          }
        }
      }
    }
    for bits in PaletteScheme.knownBits {
      for width in PaletteScheme.knownWidths {
        for entries in PaletteScheme.Entries.allCases {
          for granularity in [PaletteScheme.Granularity.perTensor, .perGroup(size: 16)] {
            schemes.append(
              .palette(
                PaletteScheme(
                  bits: bits, granularity: granularity, width: width, entries: entries)))
          }
        }
      }
    }
    let parts = [Scheme.int8(.perChannel), .palette(bits: 4, .perTensor)]
    for (rows, first, rest) in [
      (8, parts[0], parts[1]), (16, parts[0], parts[1]), (8, parts[1], parts[0]),
    ] {
      schemes.append(.split(SplitScheme(rows: rows, first: first, rest: rest)))
    }
    return schemes
  }()

  @Test func everySchemeHasWordsThatMeanItAndNoOther() throws {
    #expect(Self.schemes.count == 2 + 4 * 2 * 2 * 4 + 6 * 3 * 2 * 2 + 3)
    for scheme in Self.schemes { #expect(try SchemeSpelling(scheme).meaning() == scheme) }
    #expect(Set(Self.schemes.map { SchemeSpelling($0).choices }).count == Self.schemes.count)
    #expect(Set(Self.schemes.map { SchemeSpelling($0).canonicalText }).count == Self.schemes.count)
  }

  @Test func newChoicesShowOnlyWhereTheyDiffer() throws {
    let plain = try SchemeSpelling(scheme: "int4").meaning()
    #expect(
      SchemeSpelling(plain).choices == [
        "scheme": "int4", "bits": "4", "granularity": "per-block", "groupSize": "32",
      ])
    let words = SchemeSpelling(
      scheme: "uint8", mode: "asymmetric", granularity: "per-tensor", range: "least-squares")
    #expect(
      SchemeSpelling(try words.meaning()).choices == [
        "scheme": "uint8", "bits": "8", "granularity": "per-tensor", "mode": "asymmetric",
        "range": "least-squares",
      ])
  }

  @Test func partsAreChoicesToo() {
    let scheme = SplitScheme(
      rows: 8, first: .palette(bits: 6, .perGroup(size: 8)), rest: .int8(.perTensor))
    #expect(
      SchemeSpelling(.split(scheme)).choices == [
        "scheme": "split", "rows": "8",
        "first": "(bits=6,granularity=per-group,groupSize=8,scheme=palettize)",
        "rest": "(bits=8,granularity=per-tensor,scheme=int8)",
      ])
  }

  /// A command line cannot say its parts.
  @Test func helpDoesNotNameIt() {
    #expect(
      SchemeSpelling.list() == "int8, uint8, int4, uint4, float16, palettize, unique or none")
  }
}
