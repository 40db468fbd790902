package import Emission
package import Evaluation

/// A model that may be packaged: its file together with the receipt that proves this very file.
///
/// There is no other way to make one, so a package cannot hold a model that did not pass the gate.
package struct PackagedModel: Sendable {
  package let identity: ModelIdentity
  package let terms: ModelTerms
  let emitted: EmittedModel
  let receipt: DriftReceipt

  /// Brings a model and its receipt together.
  ///
  /// - Throws: `PackagingError.foreignReceipt` when the receipt proves another file. The bytes
  ///   themselves are hashed again while they are packed.
  package init(
    _ emitted: EmittedModel, receipt: DriftReceipt, identity: ModelIdentity, terms: ModelTerms
  ) throws(PackagingError) {
    guard receipt.candidate == emitted.digest else {
      throw .foreignReceipt(
        model: identity.name, receipt: receipt.candidate, file: emitted.digest)
    }
    guard Identifiers.isModelName(identity.name) else {
      throw .badTerms(
        field: "name", found: identity.name,
        expected: "at most 64 of A-Z a-z 0-9 . _ -, not starting with . or -")
    }
    self.emitted = emitted
    self.receipt = receipt
    self.identity = identity
    self.terms = terms
  }

  /// The receipt's bytes as they are packed.
  var receiptBytes: [UInt8] { CanonicalJSON.bytes(of: receipt.json) }
}

/// What a manifest says about a model beyond its file and receipt.
package struct ModelTerms: Sendable {
  package let inputs: [TensorDescription]
  package let outputs: [TensorDescription]
  /// What compression was asked for, in words.
  package let method: String
  /// Bytes of the weights that the model uses, as 32-bit floats.
  package let originalBytes: Int

  package init(
    inputs: [TensorDescription], outputs: [TensorDescription], method: String, originalBytes: Int
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.method = method
    self.originalBytes = originalBytes
  }
}

/// The terms of one package: for whom, which version, made by what and when.
package struct PackageTerms: Sendable {
  package let app: AppTerms
  package let version: SemanticVersion
  package let compatibility: SDKRange
  package let licenses: [String]
  package let toolVersion: SemanticVersion
  package let time: Timestamp

  package init(
    app: AppTerms, version: SemanticVersion, compatibility: SDKRange, licenses: [String] = [],
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
