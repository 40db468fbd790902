import Files
package import StrictJSON
package import Weights

/// What a model is judged on: pairs of inputs, or single inputs with what is known of them.
///
/// The format is in `specs/formats/reference-set.md`.
package struct ReferenceSet: Sendable {
  /// What a person says of a pair.
  package enum Expectation: String, CaseIterable, Sendable { case match, mismatch }

  /// Two sides, each one input or several of which the best match counts, by their numbers in
  /// `inputs`; never empty, and all of one kind.
  package struct Pair: Equatable, Sendable {
    package let a: [Int]
    package let b: [Int]
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
  /// SHA-256 of the file's bytes; of a set with images, a digest over those and the images' bytes.
  package let digest: ContentDigest
  /// Every distinct input once, in the order of first use.
  package let inputs: [Input]
  /// Line of the first use of each input.
  package let lines: [Int]
  package let content: Content
  /// The files of the images, as the digest names them.
  package let images: ImageFiles
  /// What is weak about the set; never names the file, because it stands in receipts.
  package let warnings: [String]

  /// Largest file that is read, in bytes.
  static let sizeLimit = 32 << 20
  /// Most lines of a set; the search for neighbours takes time with their square.
  static let lineLimit = 20_000
  /// Most distinct inputs of a set, for the same reason.
  static let inputLimit = 40_000
  /// Lines below which a set says little.
  static let fewLines = 8

  /// Reads a file.
  ///
  /// - Throws: `FileError`, or `JSONError` with line and column.
  package init(path: String) throws {
    let bytes = try MappedFile.contents(of: path, limit: ReferenceSet.sizeLimit)
    try self.init(bytes: bytes, origin: path)
  }

  /// Reads the lines of a text, and the images they name: paths are seen from the folder of
  /// `origin`.
  package init(bytes: [UInt8], origin: String) throws(JSONError) {
    var reader = ReferenceReader(origin: origin)
    try JSONLines.parse(bytes, origin: origin, most: ReferenceSet.lineLimit) {
      (node, line) throws(JSONError) in
      try reader.read(node, line: line)
    }
    self.origin = origin
    content = try reader.finish()
    inputs = reader.inputs
    lines = reader.lines
    let digests = try ReferenceSet.digests(of: reader.images, origin: origin)
    images = ImageFiles(folder: Folder.parent(of: origin), pinned: digests)
    digest = ReferenceSet.digest(of: bytes, images: digests)
    warnings = ReferenceSet.warnings(content)
  }

  // An image that is not there is a fault of the place that names it.
  private static func digests(
    of images: [ReferenceReader.NamedImage], origin: String
  ) throws(JSONError) -> [ExactString: ContentDigest] {
    let files = ImageFiles(folder: Folder.parent(of: origin))
    var digests: [ExactString: ContentDigest] = [:]
    for image in images {
      do throws(FileError) {
        digests[ExactString(image.path)] = try files.digest(of: image.path)
      } catch {
        throw JSONError(origin: origin, position: image.position, fault: error.description)
      }
    }
    return digests
  }

  /// The digest of a set: that of its file where it names no images. Else SHA-256 over the file's
  /// digest on a line of its own and `<hex>  <path>` for each image, sorted by the bytes of paths.
  package static func digest(
    of bytes: [UInt8], images: [ExactString: ContentDigest]
  ) -> ContentDigest {
    let file = ContentDigest(of: bytes)
    if images.isEmpty { return file }
    let sorted = images.sorted {
      $0.key.string.utf8.lexicographicallyPrecedes($1.key.string.utf8)
    }
    let lines = sorted.map { "\($0.value.hex)  \($0.key.string)\n" }
    return ContentDigest(of: Array("\(file.hex)\n\(lines.joined())".utf8))
  }

  private static func warnings(_ content: Content) -> [String] {
    guard content.count < fewLines else { return [] }
    return ["the reference set has only \(content.words); fewer than \(fewLines) say little"]
  }
}

extension ReferenceSet {
  /// The kinds of its inputs, sorted.
  var kinds: [InputKind] { Set(inputs.map(\.kind)).sorted() }

  /// Runs `work` on distinct inputs; one it cannot use is named by file and line.
  ///
  /// - Parameter rows: the numbers of the inputs in the order `work` takes them.
  func naming<Result>(_ rows: [Int], _ work: ([Input]) throws -> Result) throws -> Result {
    do {
      return try work(rows.map { inputs[$0] })
    } catch let error as EvaluationError {
      throw error.placed(in: origin) { lines[rows[$0]] }
    }
  }
}
