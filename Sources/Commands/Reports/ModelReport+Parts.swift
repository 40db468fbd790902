import Calibration
import Formats
import Gate
import Graph
import ImageDecoding
import Inputs
import Packaging
import Reports
import StrictJSON
import Weights

/// What commands put into a report.
extension ModelReport {
  /// A model that was judged, and how that ended.
  init(_ name: String, _ verdict: Verdict, on images: ImageFiles) throws {
    self.init(name: name, outcome: verdict.isPassed ? .passed : .refused)
    try take(verdict, on: images)
    commands = [Reproduction.command]
  }

  /// A model that nothing judged.
  init(unproven name: String) {
    self.init(name: name, outcome: .unproven)
    commands = [Reproduction.command]
  }

  /// Takes what was measured, with pictures of the images that it names.
  mutating func take(_ verdict: Verdict, on images: ImageFiles) throws {
    judgement = Judgement(verdict)
    for path in verdict.details?.imagePaths ?? [] where pictures[path] == nil {
      let (bytes, location) = try images.contents(of: path)
      let small = try Thumbnail(of: bytes, origin: location, longest: Self.pictureSide)
      pictures[path] = Picture(width: small.width, height: small.height, png: small.png)
    }
  }

  /// Pixels that the longer side of a picture has at most.
  private static let pictureSide = 160

  /// Takes what a model is made of: its bytes as trained.
  mutating func take(trained model: Model, receipts: [DriftReceipt]) throws {
    // Of two encoders the sum; a size that no machine could hold is not told.
    if let bytes = try model.plainByteCount() { trainedBytes = (trainedBytes ?? 0) + bytes }
    // Judging took the digests already.
    let bytes = try receipts.first?.baseline ?? model.digests()
    digests.append(NamedDigest("weights as trained", bytes.weights.hex))
    digests += bytes.files.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      NamedDigest("\($0.key) as trained", $0.value.hex)
    }
  }

  /// Takes what was written.
  mutating func take(_ written: EmittedModel) {
    weights += ReportedWeight.all(of: written)
    byteCount = (byteCount ?? 0) + written.byteCount
    digests.append(NamedDigest(written.path, written.digest.hex))
  }

  /// Takes a reference set.
  mutating func take(_ references: ReferenceSet, as role: String) {
    sets.append(
      InputSet(
        role: role, path: references.origin, words: references.content.words,
        digest: references.digest))
  }

  /// Takes what weights were fitted to.
  mutating func take(_ calibration: CalibrationSet?) {
    guard let calibration else { return }
    sets.append(
      InputSet(
        role: "calibration", path: calibration.origin,
        words: Figures.count(calibration.inputs.count, "input"), digest: calibration.digest))
  }
}
