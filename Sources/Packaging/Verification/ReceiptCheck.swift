import Files
import Formats
import Gate
import Graph
import IngotTokenizers
import Inputs
import StrictJSON
import Weights

/// Compares the receipts of an archive with its models and its manifest, as all stream by.
struct ReceiptCheck: Sendable {
  /// Largest receipt that is read, in bytes.
  static let sizeLimit = 1 << 20

  /// A folder, and how its format names it.
  private struct NamedFolder {
    let format: FolderFormat
    let path: PackagePath

    init(_ format: FolderFormat, _ path: PackagePath) {
      self.format = format
      self.path = path
    }
  }

  /// Facts from the one file of a folder that is read.
  private struct FolderFacts {
    let digest: ContentDigest
    /// The digest of the receipt that the folder names.
    let receipt: String?
  }

  private let entries: [PackagePath: FileEntry]
  private let filesOfModels: [String: [FileEntry]]
  /// Models by the paths of their receipts.
  private let models: [PackagePath: ModelEntry]
  /// Models by the paths of their self-tests.
  private let tested: [PackagePath: ModelEntry]
  /// The paths of input configurations.
  private let configurations: Set<PackagePath>
  /// Folders by the files that name them.
  private let folders: [String: NamedFolder]
  private var facts: [PackagePath: FolderFacts] = [:]
  /// How models were read, according to receipts, by the receipts' paths.
  private(set) var readings: [PackagePath: ReadingFacts] = [:]

  private let jobs: Int
  /// Contents that were taken and not looked at yet; with one thread there are none.
  private var pending: [(bytes: [UInt8], entry: FileEntry)] = []
  private var pendingBytes = 0
  /// Most contents, and most bytes of all but the last, that are looked at together.
  private static let (pendingLimit, pendingByteLimit) = (512, 1 << 20)

  /// - Parameters:
  ///   - manifest: one that was held to its own rules.
  ///   - jobs: threads.
  init(_ manifest: Manifest, jobs: Int = 1) {
    self.jobs = jobs
    entries = Dictionary(manifest.files.map { ($0.path, $0) }) { first, _ in first }
    filesOfModels = manifest.filesOfModels
    models = Dictionary(manifest.models.map { ($0.gate.receipt, $0) }) { first, _ in first }
    configurations = Set(manifest.models.compactMap(\.inputConfiguration))
    tested = Dictionary(
      manifest.models.compactMap { model in model.selfTest.map { ($0, model) } }
    ) { first, _ in first }
    let named = manifest.models.compactMap { model in
      model.format.folder.map { ("\(model.path)/\($0.namedFile)", NamedFolder($0, model.path)) }
    }
    folders = Dictionary(named) { first, _ in first }
  }

  /// Whether the content of an entry must be taken; then it is small enough for memory.
  func needs(_ entry: FileEntry) throws(ArchiveFault) -> Bool {
    if entry.role == .selftest { return try SelfTestCheck.isSmall(entry) }
    if configurations.contains(entry.path) { return entry.size <= Self.sizeLimit }
    guard entry.role == .receipt else { return folders[entry.path.string] != nil }
    guard entry.size <= Self.sizeLimit else {
      throw .badReceipt(
        path: entry.path.string, reason: "has \(entry.size) bytes, the limit is \(Self.sizeLimit)")
    }
    return true
  }

  /// Takes the content of an entry that is needed. All files of a model come before its receipt.
  ///
  /// - Throws: the first fault of what was taken; it may be thrown later, by `finish` at the latest.
  mutating func take(_ bytes: [UInt8], of entry: FileEntry) throws(ArchiveFault) {
    if tested[entry.path] == nil, !configurations.contains(entry.path),
      let folder = folders[entry.path.string]
    {
      try finish()
      facts[folder.path] = try facts(of: folder, entry, bytes)
      return
    }
    pending.append((bytes, entry))
    pendingBytes += bytes.count
    let isFull = pending.count >= Self.pendingLimit || pendingBytes >= Self.pendingByteLimit
    if jobs == 1 || isFull { try finish() }
  }

  /// Looks at all that was taken.
  ///
  /// - Throws: the first fault, in the order of the entries.
  mutating func finish() throws(ArchiveFault) {
    let taken = pending
    (pending, pendingBytes) = ([], 0)
    for (taken, reading) in zip(taken, try look(at: taken)) {
      if let reading { readings[taken.entry.path] = reading }
    }
  }

  private func look(
    at taken: [(bytes: [UInt8], entry: FileEntry)]
  ) throws(ArchiveFault) -> [ReadingFacts?] {
    try Workers.map(taken.count, jobs: jobs) { index throws(ArchiveFault) in
      try look(at: taken[index].bytes, of: taken[index].entry)
    }
  }

  /// - Returns: how a model was read, of a receipt.
  private func look(
    at bytes: [UInt8], of entry: FileEntry
  ) throws(ArchiveFault) -> ReadingFacts? {
    if let model = tested[entry.path] {
      try SelfTestCheck(model).check(bytes)
      return nil
    }
    if configurations.contains(entry.path) {
      try check(configuration: bytes, of: entry)
      return nil
    }
    return try check(receipt: bytes, of: entry)
  }

  /// Checks that an input configuration is in its own byte form.
  private func check(configuration: [UInt8], of entry: FileEntry) throws(ArchiveFault) {
    do throws(InputError) {
      _ = try InputConfiguration(json: configuration)
    } catch {
      throw .badConfiguration(path: entry.path.string, reason: "\(error)")
    }
  }

  private func facts(
    of folder: NamedFolder, _ entry: FileEntry, _ bytes: [UInt8]
  ) throws(ArchiveFault) -> FolderFacts {
    // Every file is held to its digest as it streams by.
    let path = folder.path.string
    let files = filesOfModels[path, default: []].map { file in
      (name: String(file.path.string.dropFirst(path.count + 1)), digest: file.sha256)
    }
    do {
      return FolderFacts(
        digest: try folder.format.digest(files, bytes), receipt: try folder.format.receipt(bytes))
    } catch {
      throw .badModel(path: entry.path.string, reason: "its message cannot be read")
    }
  }

  /// Checks that a receipt was written for this very model and says what the manifest says.
  ///
  /// - Returns: how the model was read.
  private func check(
    receipt bytes: [UInt8], of entry: FileEntry
  ) throws(ArchiveFault) -> ReadingFacts {
    // The manifest was held to this: every receipt is one model's.
    guard let model = models[entry.path] else { throw .missingEntry(path: entry.path.string) }
    let receipt = try recorded(bytes, path: entry.path.string)
    if model.format.folder != nil {
      try check(receipt, ofFolder: model, sha256: entry.sha256)
    } else {
      guard let file = entries[model.path] else { throw .missingEntry(path: model.path.string) }
      try require("candidate", receipt.candidate.weights.hex, is: file.sha256.hex, model)
    }
    try checkEncoders(receipt, of: model)
    try require("baseline", receipt.baseline.weights.hex, is: model.gate.baseline.hex, model)
    try require("references", receipt.references.hex, is: model.gate.references.hex, model)
    try require("profile", receipt.limits.profile.rawValue, is: model.gate.profile, model)
    try model.gate.checkLimits(receipt.limits)
    try require("architecture", receipt.architecture, is: model.architecture, model)
    try require(
      "threshold", receipt.threshold.map(Figures.plain) ?? "nothing",
      is: model.threshold ?? "nothing", model)
    let (found, expected) = (GateFacts.flatten(receipt.json["metrics"]), model.gate.metrics)
    for key in Set(found.keys).union(expected.keys).sorted() {
      try require(key, found[key] ?? "nothing", is: expected[key] ?? "nothing", model)
    }
    return ReadingFacts(receipt)
  }

  /// Checks that receipt and folder name each other, and that inputs are prepared by the files that
  /// prepared them when it was written.
  private func check(
    _ receipt: RecordedReceipt, ofFolder model: ModelEntry, sha256: ContentDigest
  ) throws(ArchiveFault) {
    let path = model.gate.receipt.string
    guard let facts = facts[model.path] else { throw .missingEntry(path: model.path.string) }
    guard receipt.candidate.weights == facts.digest else {
      throw .otherFolder(
        receipt: path, candidate: receipt.candidate.weights.hex, model: model.path.string,
        found: facts.digest.hex)
    }
    guard facts.receipt == sha256.hex else {
      throw .otherReceipt(
        model: model.path.string, named: facts.receipt?.prefix(80).asciiEscaped ?? "nothing",
        receipt: path, sha256: sha256.hex)
    }
    // A folder without files beside it holds what describes the model.
    guard !model.format.companions.isEmpty else { return }
    let found = companions(of: model)
    for name in Set(found.keys).union(receipt.candidate.files.keys).sorted() {
      try require(
        name, receipt.candidate.files[name]?.hex ?? "nothing", is: found[name]?.hex ?? "nothing",
        model)
    }
  }

  /// Digests of the files beside a model.
  private func companions(of model: ModelEntry) -> [String: ContentDigest] {
    var digests: [String: ContentDigest] = [:]
    for name in model.format.companions {
      digests[name] = (try? model.identity.companionPath(name)).flatMap { entries[$0]?.sha256 }
    }
    return digests
  }

  /// Checks that the encoder is the one that the receipt says, and was judged together with the one
  /// beside it.
  private func checkEncoders(
    _ receipt: RecordedReceipt, of model: ModelEntry
  ) throws(ArchiveFault) {
    let none = "nothing"
    guard let own = model.identity.encoder else {
      return try require("encoder", receipt.encoder?.rawValue ?? none, is: none, model)
    }
    // One that was judged alone has a receipt like any other model.
    let told = receipt.encoder ?? (receipt.partner == nil ? own : nil)
    try require("encoder", told?.rawValue ?? none, is: own.rawValue, model)
    let check = PartnerCheck(
      named: receipt.partner,
      packed: try packed(model.identity.of(own.other), receipt))
    guard check.holds else {
      throw .otherPartner(
        receipt: model.gate.receipt.string, encoder: own.other.rawValue,
        named: check.named?.candidate.weights.hex ?? none, found: check.packed?.weights.hex ?? none)
    }
  }

  /// The archive's model of another encoder, as a receipt would name it.
  private func packed(
    _ identity: ModelIdentity, _ receipt: RecordedReceipt
  ) throws(ArchiveFault) -> ModelDigests? {
    guard let model = models.values.first(where: { $0.identity == identity }) else { return nil }
    guard model.format.folder != nil else {
      guard let file = entries[model.path] else { throw .missingEntry(path: model.path.string) }
      // A single file holds what describes it.
      return ModelDigests(
        weights: file.sha256, files: receipt.partner?.candidate.files ?? [:])
    }
    guard let facts = facts[model.path] else { throw .missingEntry(path: model.path.string) }
    let isAlone = model.format.companions.isEmpty
    return ModelDigests(
      weights: facts.digest,
      files: isAlone ? receipt.partner?.candidate.files ?? [:] : companions(of: model))
  }

  /// Reads a receipt that is in its one byte form.
  private func recorded(_ bytes: [UInt8], path: String) throws(ArchiveFault) -> RecordedReceipt {
    let receipt: RecordedReceipt
    do throws(JSONError) {
      receipt = try RecordedReceipt(bytes, origin: path)
    } catch {
      throw .badReceipt(path: path, reason: error.description)
    }
    guard CanonicalJSON.bytes(of: receipt.json) == bytes else {
      throw .badReceipt(path: path, reason: "it is not in the one byte form that packages use")
    }
    return receipt
  }

  private func require(
    _ field: String, _ found: String, is expected: String, _ model: ModelEntry
  ) throws(ArchiveFault) {
    guard found != expected else { return }
    throw .receiptMismatch(
      path: model.gate.receipt.string, field: field, found: found, manifest: expected)
  }
}

extension GateFacts {
  /// The metrics of a receipt by dotted names: `cosine.mean`.
  static func flatten(_ value: JSONValue?, _ name: String = "") -> [String: String] {
    switch value {
    case .object(let members):
      members.reduce(into: [:]) { all, member in
        let path = name.isEmpty ? member.key : "\(name).\(member.key)"
        all.merge(flatten(member.value, path)) { first, _ in first }
      }
    case .string(let text): [name: text]
    case .integer(let number): [name: String(number)]
    default: [:]
    }
  }
}

extension JSONValue {
  subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }
}
