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

/// The staged encoders of one model, which get their names together or not at all.
package struct StagedModels: ~Copyable {
  /// A staged model as an element of an array, which holds only what can be copied.
  private final class Held {
    var staged: StagedModel?

    init(_ staged: consuming StagedModel) { self.staged = consume staged }
  }

  private var all: [Held] = []
  /// Whether files must have reached the disk; not those that are copied from a work folder.
  private let isDurable: Bool

  package init(isDurable: Bool = true) { self.isDurable = isDurable }

  /// Takes another encoder.
  package mutating func append(_ staged: consuming StagedModel) {
    models.append(staged.model)
    all.append(Held(staged))
  }

  /// The models as they read back, in the order in which they were staged.
  package private(set) var models: [Model] = []

  /// Gives every model its name once each receipt is found to name its model's very bytes.
  ///
  /// - Parameters:
  ///   - receipts: one for each model, in their order.
  ///   - named: called when all have their names, to give what belongs to them its own; no signal ends
  ///     the process in between.
  /// - Throws: as `StagedModel.commit`; then none of them is there. Errors of `named`; they are there.
  package consuming func commit(
    _ receipts: [some ModelReceipt], then named: ([EmittedModel]) throws -> Void = { _ in }
  ) throws -> [EmittedModel] {
    precondition(receipts.count == all.count, "a receipt for each model")
    for (held, receipt) in zip(all, receipts) { try held.staged?.seal(receipt) }
    return try commitSealed(then: named)
  }

  /// Gives names to models that were not judged, or that the gate refused. No package takes them.
  ///
  /// - Parameter named: as of `commit`.
  package consuming func commitUnproven(
    then named: ([EmittedModel]) throws -> Void = { _ in }
  ) throws -> [EmittedModel] { try commitSealed(then: named) }

  private consuming func commitSealed(
    then named: ([EmittedModel]) throws -> Void
  ) throws -> [EmittedModel] {
    let (all, isDurable) = (all, isDurable)
    let checked = try all.map { try $0.staged?.checked() }
    return try UnfinishedWork.together {
      var emitted: [EmittedModel] = []
      do {
        for (held, checked) in zip(all, checked) {
          guard let staged = held.staged.take(), let checked else { continue }
          emitted.append(try staged.commit(checked, isDurable: isDurable))
        }
      } catch {
        // One without the other is a model without a verdict.
        for model in emitted where model.held == nil { try Folder.remove(model.path) }
        throw error
      }
      try named(emitted)
      return emitted
    }
  }
}

/// Compares a model that was opened again with what was written.
enum ReadBack {
  /// Elements of tensors that are looked at one after another, so that memory stays small.
  private static let largeCount = 1 << 22
  /// Where all tensors together have fewer elements, another thread takes longer to start than it saves.
  private static let littleCount = 1 << 14

  /// Compares all values with the written ones, several tensors at a time.
  ///
  /// - Parameters:
  ///   - records: the written weights, and their names in `source`.
  ///   - path: where the model appears, for messages.
  ///   - check: looks at the values of a tensor first, on any thread.
  /// - Throws: the error of the first tensor, in their order, that fails:
  ///   `EmissionError.readBackDiffers`, or one of `check`.
  static func verify(
    _ source: any WeightSource, holds records: [(TensorRecord, name: TensorName)], path: String,
    _ check: @Sendable (TensorName, [Float]) throws -> Void = { _, _ in }
  ) throws {
    @Sendable func fault(_ index: Int) -> (index: Int, error: any Error)? {
      let (record, name) = records[index]
      do {
        let values = try source.floats(of: name)
        try check(name, values)
        guard ValueChecksum(values) == record.checksum else {
          throw EmissionError.readBackDiffers(path: path, tensor: record.name)
        }
        return nil
      } catch {
        return (index, error)
      }
    }
    let isLarge = records.map { $0.0.shape.reduce(1, *) >= largeCount }
    let large = records.indices.filter { isLarge[$0] }.map { fault($0) }
    let small = records.indices.filter { !isLarge[$0] }
    let count = small.reduce(0) { $0 + records[$1].0.shape.reduce(1, *) }
    let others = Workers.map(small.count, jobs: count < littleCount ? 1 : System.processorCount) {
      fault(small[$0])
    }
    if let first = (large + others).compactMap({ $0 }).min(by: { $0.index < $1.index }) {
      throw first.error
    }
  }
}
