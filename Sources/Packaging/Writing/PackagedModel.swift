package import Formats
package import Gate
import Graph
package import PackageNames
import Weights

/// A model that may be packaged: its files together with the receipt that proves this very file.
///
/// Nothing else makes one, so a package cannot hold a model that did not pass the gate.
package struct PackagedModel: Sendable {
  package let identity: ModelIdentity
  package let details: ModelDetails
  let emitted: EmittedModel
  var format: ModelFormat { emitted.format }
  package let receipt: DriftReceipt
  /// What devices need to know of it; nil where a package does not say it.
  let device: DeviceFacts?

  /// Brings a model and its receipt together.
  ///
  /// - Throws: `PackagingError.foreignReceipt` when the receipt proves another file, and
  ///   `foreignCompanion` when inputs were prepared by another file than the one beside the model.
  ///   The bytes themselves are hashed again while they are packed.
  package init(
    _ emitted: EmittedModel, receipt: DriftReceipt, identity: ModelIdentity, details: ModelDetails,
    device: DeviceFacts? = nil
  ) throws(PackagingError) {
    guard receipt.candidate.weights == emitted.digest else {
      throw .foreignReceipt(
        model: identity.title, receipt: receipt.candidate.weights, file: emitted.digest)
    }
    guard Identifiers.isPackedName(identity.name) else {
      throw .badField(
        field: "name", found: identity.name,
        expected: "at most 64 of A-Z a-z 0-9 . _ -, not starting with . or -")
    }
    try PackagedModel.check(emitted, receipt, identity)
    self.emitted = emitted
    self.receipt = receipt
    self.identity = identity
    self.details = details
    self.device = device
  }

  /// Checks the files beside a model.
  private static func check(
    _ emitted: EmittedModel, _ receipt: DriftReceipt, _ identity: ModelIdentity
  ) throws(PackagingError) {
    let known = emitted.format.companions
    if let other = emitted.companions.keys.sorted().first(where: { !known.contains($0) }) {
      throw .badField(
        field: "companions", found: other,
        expected: known.isEmpty ? "none beside a single file" : known.joined(separator: ", "))
    }
    // A model without such files holds what describes it.
    guard !known.isEmpty else { return }
    for name in Set(known).union(receipt.candidate.files.keys).sorted() {
      let file = emitted.companions[name].map { ContentDigest(of: $0) }
      guard file == receipt.candidate.files[name] else {
        throw .foreignCompanion(
          model: identity.title, name: name, receipt: receipt.candidate.files[name], file: file)
      }
    }
  }
}

extension FolderFormat {
  /// The role of a file beside a folder.
  func role(ofCompanion name: String) -> FileEntry.Role {
    name == tokenizer ? .tokenizer : .preprocessing
  }
}

/// A manifest's facts about a model beyond its file and receipt.
package struct ModelDetails: Sendable {
  package let inputs: [TensorDescription]
  package let outputs: [TensorDescription]
  /// Text that goes before every text; nil without one.
  package let prompt: String?
  /// The requested compression, in words.
  package let method: String
  /// Options of compression and format, by names of letters; decimal numbers in plain form.
  package let options: [String: String]
  /// Bytes of the weights that the model uses, as 32-bit floats.
  package let originalBytes: Int

  package init(
    inputs: [TensorDescription], outputs: [TensorDescription], prompt: String? = nil,
    method: String, options: [String: String] = [:], originalBytes: Int
  ) {
    precondition(options.keys.allSatisfy(Identifiers.isOptionName), "an option's name is letters")
    self.inputs = inputs
    self.outputs = outputs
    self.prompt = prompt
    self.method = method
    self.options = options
    self.originalBytes = originalBytes
  }
}

/// The details of one package: for whom, which version, made by what and when.
package struct PackageDetails: Sendable {
  package let app: AppDetails
  package let version: SemanticVersion
  package let compatibility: SDKRange
  package let licenses: [String]
  package let toolVersion: SemanticVersion
  package let time: Timestamp

  package init(
    app: AppDetails, version: SemanticVersion, compatibility: SDKRange, licenses: [String] = [],
    toolVersion: SemanticVersion, time: Timestamp
  ) {
    self.app = app
    self.version = version
    self.compatibility = compatibility
    self.licenses = licenses
    self.toolVersion = toolVersion
    self.time = time
  }
}
