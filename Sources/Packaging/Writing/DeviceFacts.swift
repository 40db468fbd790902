package import IngotTokenizers
package import SelfTesting
package import Weights

/// What a device needs to know of a model besides its files.
package struct DeviceFacts: Equatable, Sendable {
  /// What it runs before it uses the model.
  package let selfTest: SelfTest
  /// How inputs are made.
  package let inputs: InputConfiguration
  /// Names the embeddings that the model gives, as of `Model.cacheKey`.
  package let cacheKey: ContentDigest
  /// The files in which a package says them.
  package let (selfTestBytes, inputsBytes): ([UInt8], [UInt8])

  package init(selfTest: SelfTest, inputs: InputConfiguration, cacheKey: ContentDigest) {
    self.selfTest = selfTest
    self.inputs = inputs
    self.cacheKey = cacheKey
    (selfTestBytes, inputsBytes) = (selfTest.bytes, inputs.json)
  }
}
