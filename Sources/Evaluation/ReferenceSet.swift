import Files
package import StrictJSON
package import Weights

/// What a model is judged on: pairs of inputs, or single inputs with what is known of them.
///
/// The format is in `specs/formats/reference-set.md`.
package struct ReferenceSet: Sendable {
  /// What a person says of a pair.
  package enum Expectation: String, CaseIterable, Sendable { case match, mismatch }

  /// Two inputs, by their numbers in `inputs`.
  package struct Pair: Equatable, Sendable {
    package let a: Int
    package let b: Int
    /// A label in any monotone unit.
    package let similarity: Double?
    package let expectation: Expectation?
    /// Line in the file, from 1.
    package let line: Int
  }

  /// One input, by its number in `inputs`.
  package struct Sample: Equatable, Sendable {
    package let input: Int
    /// What is known to be right, one number per output of the model.
    package let output: [Float]?
    /// Line in the file, from 1.
    package let line: Int
  }

  /// The lines of a set: all of one kind.
  package enum Content: Equatable, Sendable {
    case pairs([Pair])
    case samples([Sample])

    /// Lines of the file.
    package var count: Int {
      switch self {
      case .pairs(let pairs): pairs.count
      case .samples(let samples): samples.count
      }
    }

    /// `8 pairs` or `1 sample`.
    var words: String {
      switch self {
      case .pairs(let pairs): Figures.count(pairs.count, "pair")
      case .samples(let samples): Figures.count(samples.count, "sample")
      }
    }
  }

  /// The file, for messages.
  package let origin: String
  /// SHA-256 of the file's bytes.
  package let digest: ContentDigest
  /// Every distinct input once, in the order of first use.
  package let inputs: [Input]
  /// Line of the first use of each input.
  package let lines: [Int]
  package let content: Content
  /// What is weak about the set; never names the file, because it stands in receipts.
  package let warnings: [String]

  /// Largest file that is read, in bytes.
  static let sizeLimit = 32 << 20
  /// Most lines of a set; the search for neighbours takes time with their square.
  static let lineLimit = 20_000
  /// Lines below which a set says little.
  static let fewLines = 8

  /// Reads a file.
  ///
  /// - Throws: `FileError`, or `JSONError` with line and column.
  package init(path: String) throws {
    let bytes = try MappedFile.contents(of: path, limit: ReferenceSet.sizeLimit)
    try self.init(bytes: bytes, origin: path)
  }

  /// Reads the lines of a text.
  package init(bytes: [UInt8], origin: String) throws(JSONError) {
    var reader = ReferenceReader(origin: origin)
    try JSONLines.parse(bytes, origin: origin, most: ReferenceSet.lineLimit) {
      (node, line) throws(JSONError) in
      try reader.read(node, line: line)
    }
    self.origin = origin
    digest = ContentDigest(of: bytes)
    content = try reader.finish()
    inputs = reader.inputs
    lines = reader.lines
    warnings = ReferenceSet.warnings(content)
  }

  private static func warnings(_ content: Content) -> [String] {
    guard content.count < fewLines else { return [] }
    return ["the reference set has only \(content.words); fewer than \(fewLines) say little"]
  }
}

extension ReferenceSet {
  /// Runs `work` on the distinct inputs; an input it cannot use is named by file and line.
  func naming<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch EvaluationError.unusableInput(let index, let input, let fault) {
      throw EvaluationError.unusableLine(
        origin: origin, line: lines[index], input: input, fault: fault)
    }
  }
}
