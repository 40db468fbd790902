import Files
package import Graph
package import Inputs
package import StrictJSON
package import Weights

/// Sample inputs that show which values a model's layers see and compression has to preserve.
///
/// A file of inputs, as `InputLines` reads it; an input that occurs twice counts once.
package struct CalibrationSet: Sendable {
  /// The file, for messages.
  package let origin: String
  /// SHA-256 of the file's bytes; of a set with images, a digest over those and the images' bytes.
  package let digest: ContentDigest
  /// Every distinct input once, in the order of first use; never empty.
  package private(set) var inputs: [Input]
  /// Line of the first use of each input, from 1.
  package private(set) var lines: [Int]
  /// Names of the values of every input, where the file is a table of features.
  package private(set) var features: [String]?
  /// A note on how the file was read, for people; nil if its name says JSON lines.
  package let decision: String?
  /// The files of the images, as the digest names them.
  package let images: ImageFiles
  /// Outputs for the inputs, which are compared with one reference set after the other.
  let memory = OutputMemory()

  /// Reads a file.
  ///
  /// - Throws: `FileError`, or `JSONError` with line and column.
  package init(path: String) throws {
    try self.init(try InputFile(path: path, limit: InputLines.sizeLimit))
  }

  /// Reads the file that a command's option names, or standard input.
  ///
  /// - Throws: as `init(path:)`.
  package init(argument: String) throws {
    try self.init(try InputFile(argument: argument, limit: InputLines.sizeLimit))
  }

  /// Reads the lines of a text, and the images they name: paths are seen from the folder of
  /// `origin`.
  package init(bytes: [UInt8], origin: String) throws(JSONError) {
    try self.init(try InputFile(bytes: bytes, origin: origin, limit: InputLines.sizeLimit))
  }

  private init(_ file: InputFile) throws(JSONError) {
    let all = try InputLines(file, blankLines: .skipped)
    guard !all.inputs.isEmpty else {
      throw JSONError(
        origin: file.origin, position: JSONPosition(line: 1, column: 1),
        fault: "the calibration set is empty; it says nothing of what a model sees")
    }
    origin = file.origin
    (inputs, lines) = CalibrationSet.distinct(all)
    (features, decision) = (all.features, all.decision)
    let digests = try NamedImage.digests(of: all.namedImages, origin: origin)
    images = ImageFiles(folder: Folder.parent(of: origin), pinned: digests)
    digest = ReferenceSet.digest(of: file.bytes, images: digests)
  }

  /// - Parameter inputs: distinct.
  init(
    origin: String, digest: ContentDigest, inputs: [Input], lines: [Int], features: [String]?,
    images: ImageFiles
  ) {
    (self.origin, self.digest, self.inputs, self.lines) = (origin, digest, inputs, lines)
    (self.features, decision, self.images) = (features, nil, images)
  }

  // The first use of each input, with its line.
  private static func distinct(_ all: InputLines) -> ([Input], [Int]) {
    var seen: Set<Input> = []
    let first = all.inputs.indices.filter { seen.insert(all.inputs[$0]).inserted }
    return (first.map { all.inputs[$0] }, first.map { all.lines[$0] })
  }

  /// The set without some of its inputs, by their numbers; its digest stays that of the file.
  func leavingOut(_ numbers: Set<Int>) -> CalibrationSet {
    var set = self
    set.inputs = inputs.indices.filter { !numbers.contains($0) }.map { inputs[$0] }
    set.lines = lines.indices.filter { !numbers.contains($0) }.map { lines[$0] }
    return set
  }
}

extension CalibrationSet {
  /// Checks that models can be calibrated with the inputs, without running them.
  ///
  /// - Throws: `EvaluationError.unusableLine`, `CalibrationError.nothingUsable`, and errors of
  ///   reading a tokenizer.
  package func check(for models: [Model]) throws {
    for model in models {
      try ChosenInputs(self, for: model, maximum: inputs.count).check(for: model)
    }
  }
}

extension CalibrationSet: FeatureNaming {
  package func replacing(_ inputs: [Input]) -> CalibrationSet {
    var set = self
    set.inputs = inputs
    set.features = nil
    return set
  }
}
