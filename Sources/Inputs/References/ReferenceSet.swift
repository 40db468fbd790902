import Files
package import Graph
package import StrictJSON
package import Weights

/// Test data for a model: pairs of inputs, or single inputs with known outputs.
///
/// The format is in `specs/formats/reference-set.md`.
package struct ReferenceSet: Sendable {
  /// A person's verdict of a pair.
  package enum Expectation: String, CaseIterable, Sendable { case match, mismatch }

  /// Two sides, each one input or several, whose best match counts, as indices into `inputs`; never
  /// empty, and all of one kind.
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
    /// The known output, one number per output of the model.
    package let output: [Float]?
    /// Line in the file, from 1.
    package let line: Int
    /// Whether `output` was observed, by the word of the file, rather than given by the model.
    package var isOutcome = false
    /// Its true label as the file has it; nil if it says none.
    package var label: String?
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

    /// Pairs; 0 of samples.
    var pairCount: Int { if case .pairs(let pairs) = self { pairs.count } else { 0 } }

    /// `8 pairs` or `1 sample`.
    package var words: String {
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
  /// Bytes of the file, or of the whole set's.
  package let byteCount: Int
  /// Every distinct input once, in the order of first use.
  package private(set) var inputs: [Input]
  /// Line of the first use of each input.
  package private(set) var lines: [Int]
  package private(set) var content: Content
  /// The files of the images, as the digest names them.
  package let images: ImageFiles
  /// Names of the values of every input, where the file is a table of features.
  package private(set) var features: [String]?
  /// A note on how the file was read, for people; nil if its name says JSON lines.
  package let decision: String?
  /// Inputs and pairs as the file has them.
  package let given: Counts
  /// What it is a share of; nil of a whole set.
  package private(set) var cut: Cut?
  /// Whether the caller declared few lines to be enough.
  package var isFewMeant = false
  /// Outputs of models on the set, kept for later questions.
  let memory = OutputMemory()
  /// Its inputs as models see them, kept too; shares of one set have one.
  private(set) var views = ViewMemory()

  /// Largest file that is read, in bytes.
  static let sizeLimit = 32 << 20
  /// Most lines of a set; the search for neighbours takes time with their square.
  package static let lineLimit = 20_000
  /// Most distinct inputs of a set, for the same reason.
  static let inputLimit = 40_000
  /// Distinct lines, and distinct inputs, that a proof needs.
  package static let fewestLines = 8

  /// The set for a model: where that gives of two labels the probability p of the second alone, a known output of
  /// [1 − p, p] is p.
  package func fitting(_ output: ModelOutput?) -> ReferenceSet {
    guard case .classes(let labels, width: 1, .probabilities)? = output, labels.count == 2,
      case .samples(let samples) = content
    else { return self }
    var set = self
    set.content = .samples(
      samples.map { sample in
        // Rounded to two decimals both still add up.
        guard let known = sample.output, known.count == 2, abs(known[0] + known[1] - 1) <= 0.011,
          known.allSatisfy({ (0...1).contains($0) })
        else { return sample }
        return Sample(
          input: sample.input, output: [known[1]], line: sample.line, isOutcome: sample.isOutcome,
          label: sample.label)
      })
    return set
  }

  /// Reads a file.
  ///
  /// - Parameter columns: of a table, those that are no features.
  /// - Throws: `FileError`, or `JSONError` with line and column.
  package init(path: String, columns: NamedColumns = .none) throws {
    try self.init(try InputFile(path: path, limit: ReferenceSet.sizeLimit), columns)
  }

  /// Reads the file that a command's option names, or standard input.
  ///
  /// - Throws: as `init(path:columns:)`.
  package init(argument: String, columns: NamedColumns = .none) throws {
    try self.init(try InputFile(argument: argument, limit: ReferenceSet.sizeLimit), columns)
  }

  /// Reads the lines of a text, and the images they name: paths are seen from the folder of
  /// `origin`.
  package init(
    bytes: [UInt8], origin: String, columns: NamedColumns = .none
  ) throws(JSONError) {
    try self.init(
      try InputFile(bytes: bytes, origin: origin, limit: ReferenceSet.sizeLimit), columns)
  }

  private init(_ given: InputFile, _ columns: NamedColumns) throws(JSONError) {
    var file = given
    file.columns = columns
    var reader = ReferenceReader(origin: file.origin)
    let reading = try LineReader(file: file, maximum: ReferenceSet.lineLimit).read {
      (line, number) throws(JSONError) in
      try reader.read(line, number)
    }
    origin = file.origin
    byteCount = file.text.count
    content = try reader.finish()
    inputs = reader.inputs
    lines = reader.lines
    features = reading.features
    decision = reading.decision
    let digests = try NamedImage.digests(of: reader.images, origin: origin)
    images = ImageFiles(folder: Folder.parent(of: origin), pinned: digests)
    digest = ReferenceSet.digest(of: file.bytes, images: digests)
    self.given = Counts(inputs: inputs.count, pairs: content.pairCount)
  }

  /// Some lines of a set; its digest is that of the whole one's digest and the share's name, each on a
  /// line.
  ///
  /// - Parameter numbers: of the inputs that `content` counts.
  init(_ whole: ReferenceSet, share: Share, inputs numbers: [Int], content: Content) {
    origin = whole.origin
    byteCount = whole.byteCount
    digest = share.digest(of: whole.digest)
    cut = Cut(share: share, whole: whole.digest)
    inputs = numbers.map { whole.inputs[$0] }
    lines = numbers.map { whole.lines[$0] }
    self.content = content
    images = whole.images
    features = whole.features
    decision = nil
    given = Counts(inputs: inputs.count, pairs: content.pairCount)
    isFewMeant = whole.isFewMeant
    views = whole.views
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
}

extension ReferenceSet {
  /// Whether all of it is in its file: it names no images.
  package var isWhole: Bool { !kinds.contains(.image) }

  /// The kinds of its inputs, sorted.
  package var kinds: [InputKind] { Set(inputs.map(\.kind)).sorted() }

  /// The set with some of its inputs, by their numbers, and the given lines.
  func taking(_ numbers: [Int], _ content: Content) -> ReferenceSet {
    var set = self
    set.inputs = numbers.map { inputs[$0] }
    set.lines = numbers.map { lines[$0] }
    set.content = content
    return set
  }

  /// Runs `work` on distinct inputs; one it cannot use is named by file and line.
  ///
  /// - Parameter rows: the numbers of the inputs in the order `work` takes them.
  package func naming<Result>(_ rows: [Int], _ work: ([Input]) throws -> Result) throws -> Result {
    do {
      return try work(rows.map { inputs[$0] })
    } catch let error as EvaluationError {
      throw error.placed(in: origin) { lines[rows[$0]] }
    }
  }
}

extension ReferenceSet: FeatureNaming {
  package func replacing(_ inputs: [Input]) -> ReferenceSet {
    var set = self
    set.inputs = inputs
    set.features = nil
    return set
  }

}

/// The size of a reference set as the models see it.
package struct ReferenceCount: Equatable, Sendable {
  /// Comparisons that differ.
  package let comparisons: Int
  /// Inputs that differ.
  package let inputs: Int
  /// Lines as they were given.
  package let lines: Int
  /// Whether the lines are pairs.
  package let arePairs: Bool

  /// `3 pairs`, `2 distinct pairs in 8 lines`, `5 distinct inputs`; counts what is distinct.
  package var words: String {
    guard comparisons < ReferenceSet.fewestLines else {
      return Figures.count(inputs, "distinct input")
    }
    let kind = arePairs ? "pair" : "sample"
    return comparisons == lines
      ? Figures.count(lines, kind)
      : "\(Figures.count(comparisons, "distinct \(kind)")) in \(Figures.count(lines, "line"))"
  }
}
