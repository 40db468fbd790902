import Files
package import Graph
import WeightCompression
package import Weights

/// The proof of a model: a verdict of the very bytes that it names.
package protocol ModelReceipt {
  /// The bytes that were judged.
  var candidate: ModelDigests { get }
  /// The receipt's own bytes, whose digest a folder carries.
  var packedBytes: [UInt8] { get }
}

/// A model that is written in full, under a hidden name beside its final one.
///
/// The holder can look at the model that reads back, and have it judged. It is deleted unless it
/// is committed, and it can be committed once: with a receipt that names these very bytes, or through
/// the one door for models without a verdict. A killed process leaves at most the hidden name,
/// which the next run clears if it works in a folder of its own.
package struct StagedModel: ~Copyable {
  /// The file or folder under the hidden name; removed with the value.
  enum Place: ~Copyable {
    case file(StagedFile)
    case folder(AtomicFolder)
  }

  /// A record of the written weights.
  struct Record {
    let tensors: [TensorRecord]
    let weightBytes: [Int]
    let unused: [TensorName]
    var companions: [String: [UInt8]] = [:]
  }

  /// The model that reads back from the hidden name.
  package let model: Model
  /// The model's digest in receipts.
  package let digest: ContentDigest
  private let place: Place
  private let format: ModelFormat
  private let record: Record

  /// - Parameter model: as opened at the hidden name, and found to hold what was written.
  init(
    _ place: consuming Place, as format: any Format.Type, reading model: Model, _ record: Record
  ) {
    self.place = place
    self.format = ModelFormat(format)
    self.model = model
    self.record = record
    digest = model.digest
  }

  /// The model's final path.
  package var path: String {
    switch place {
    case .file(let file): file.path
    case .folder(let folder): folder.path
    }
  }

  /// The model as it is now: its digest for receipts, and its files in the order of their paths.
  package borrowing func contents() throws -> (digest: ContentDigest, files: [EmittedModel.File]) {
    switch place {
    case .file(let file): EmittedModel.File.contents(of: try file.reading())
    case .folder(let folder): try format.type.contents(of: folder.temporaryPath)
    }
  }

  /// Gives the model its name.
  ///
  /// - Throws: as `seal` and `commitUnproven`; nothing is left behind then.
  package consuming func commit(_ receipt: some ModelReceipt) throws -> EmittedModel {
    try seal(receipt)
    return try commit(try checked())
  }

  /// Gives a name to a model that was not judged, or that the gate refused. No package takes it.
  ///
  /// - Throws: `EmissionError.changedMeanwhile`, and write errors; nothing is left behind then.
  package consuming func commitUnproven() throws -> EmittedModel {
    try commit(try checked())
  }

  /// Looks that a receipt names these very bytes, and notes it in a format that carries it. The model
  /// has no name afterwards either.
  ///
  /// - Throws: `EmissionError.foreignReceipt` and `.otherDescription` when the receipt is of others.
  borrowing func seal(_ receipt: some ModelReceipt) throws {
    guard receipt.candidate.weights == digest else {
      throw EmissionError.foreignReceipt(
        path: path, receipt: receipt.candidate.weights, staged: digest)
    }
    guard try receipt.candidate.files == model.describingDigests() else {
      throw EmissionError.otherDescription(path: path)
    }
    switch place {
    case .file: break
    case .folder(let folder): try note(ContentDigest(of: receipt.packedBytes), in: folder)
    }
  }

  /// Puts a receipt's digest into the file of a folder that names it.
  private borrowing func note(
    _ receipt: ContentDigest, in folder: borrowing AtomicFolder
  ) throws {
    guard let rules = format.folder else { return }
    let name = rules.namedFile
    let place = Folder.join(folder.temporaryPath, name)
    let bytes = try MappedFile.contents(of: place, limit: rules.namedFileLimit)
    let named = try rules.naming(receipt, bytes)
    try Folder.remove(place)
    try folder.write(named, to: name)
  }

  /// Looks that the bytes are those that were judged.
  ///
  /// - Returns: the model as it will be.
  borrowing func checked() throws -> EmittedModel {
    let contents = try contents()
    guard contents.digest == digest else { throw EmissionError.changedMeanwhile(path: path) }
    return EmittedModel(
      path: path, format: format, digest: digest, files: contents.files,
      tensors: record.tensors, weightBytes: record.weightBytes, unused: record.unused,
      calibration: model.calibration, companions: record.companions)
  }

  /// Renames.
  ///
  /// - Parameters:
  ///   - emitted: what `checked` gave.
  ///   - isDurable: whether a file must have reached the disk.
  consuming func commit(
    _ emitted: EmittedModel, isDurable: Bool = true
  ) throws -> EmittedModel {
    let format = format
    var emitted = emitted
    switch consume place {
    case .file(let file): emitted.held = try file.commit(isDurable: isDurable)
    case .folder(let folder): try folder.commit { format.folder?.isReplaceable($0) == true }
    }
    return emitted
  }
}
