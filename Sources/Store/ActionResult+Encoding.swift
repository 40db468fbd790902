import StrictJSON
import SwiftProtobuf
import Weights

/// Why some bytes are not a result of an action.
struct BadResult: Error, Equatable, CustomStringConvertible {
  let description: String
}

extension ActionResult {
  /// Most bytes of an encoded result.
  static let encodedLimit = 1 << 20

  /// The bytes that a store keeps under `/ac`; the same for the same result and key.
  func encoded(for key: ActionKey) throws -> [UInt8] {
    var message = REAPIActionResult()
    message.exitCode = Int32(exitCode)
    message.stdoutRaw = seal(for: key)
    message.outputFiles = outputs.map { output in
      var digest = REAPIDigest()
      digest.hash = output.digest.hex
      digest.sizeBytes = Int64(output.byteCount)
      var file = REAPIOutputFile()
      file.path = output.path
      file.digest = digest
      return file
    }
    return try message.serializedBytes()
  }

  /// Reads a file of a store's `/ac`.
  ///
  /// Fields of the protocol that Ingot does not use are passed over, because servers add some.
  init(encoded bytes: [UInt8], for key: ActionKey) throws(BadResult) {
    guard bytes.count <= ActionResult.encodedLimit else {
      throw BadResult(
        description: "has \(bytes.count) bytes, the limit is \(ActionResult.encodedLimit)")
    }
    var options = BinaryDecodingOptions()
    options.discardUnknownFields = true
    guard let message = try? REAPIActionResult(serializedBytes: bytes, options: options) else {
      throw BadResult(description: "is no ActionResult message")
    }
    let exitCode = Int(message.exitCode)
    // Counted before it is copied: an empty output takes two bytes of the message.
    guard message.outputFiles.count <= ActionResult.outputLimit else {
      throw BadResult(
        description:
          "has \(message.outputFiles.count) outputs, the limit is \(ActionResult.outputLimit)")
    }
    var outputs: [Output] = []
    for file in message.outputFiles { outputs.append(try Output(file)) }
    if let fault = ActionResult.fault(of: outputs, exitCode: exitCode) {
      throw BadResult(description: fault)
    }
    self.init(checked: outputs, exitCode: exitCode)
    guard message.stdoutRaw.utf8.elementsEqual(seal(for: key).utf8) else {
      throw BadResult(description: "does not carry the seal of its key and content")
    }
  }

  /// Ties a result to its key, so that a changed bit or a misplaced file is noticed: digests guard
  /// the blobs, nothing else would guard their paths and the exit code.
  private func seal(for key: ActionKey) -> String {
    var text = "ingot-result 1\n\(key)\n\(exitCode)\n"
    for output in outputs { text += "\(output.digest) \(output.byteCount) \(output.path)\n" }
    return "ingot-seal \(ContentDigest(of: Array(text.utf8)))\n"
  }
}

extension ActionResult.Output {
  fileprivate init(_ file: REAPIOutputFile) throws(BadResult) {
    guard let digest = ContentDigest(hex: file.digest.hash) else {
      throw BadResult(
        description: "output \(quoted(file.path)) has the digest \(quoted(file.digest.hash)), "
          + "expected 64 lower-case hexadecimal digits")
    }
    self.init(path: file.path, digest: digest, byteCount: Int(file.digest.sizeBytes))
  }
}
