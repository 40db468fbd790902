package import StrictJSON
import SwiftProtobuf
package import Weights

/// The result of an action.
package struct ActionResult: Equatable, Sendable {
  /// One file an action made; its bytes are a blob of the store, or part of the result.
  package struct Output: Equatable, Sendable {
    /// Parts joined by `/`, relative to wherever the user of the result wants the file.
    package let path: String
    package let digest: ContentDigest
    package let byteCount: Int
    /// What a small file holds; nil of a blob.
    let text: String?

    /// An output whose bytes are a blob.
    package init(path: String, digest: ContentDigest, byteCount: Int) {
      self.init(path: path, digest: digest, byteCount: byteCount, text: nil)
    }

    /// An output whose bytes are part of the result: thousands of small results then need a file each, not one for each
    /// of their outputs.
    ///
    /// - Parameter bytes: UTF-8.
    /// - Returns: nil where they are more than `textLimit`, none, or no text.
    package init?(path: String, text bytes: [UInt8]) {
      guard (1...ActionResult.textLimit).contains(bytes.count) else { return nil }
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.utf8.elementsEqual(bytes) else { return nil }
      self.init(
        path: path, digest: ContentDigest(of: bytes), byteCount: bytes.count, text: text)
    }

    init(path: String, digest: ContentDigest, byteCount: Int, text: String?) {
      self.path = path
      self.digest = digest
      self.byteCount = byteCount
      self.text = text
    }

    /// Whether the bytes that are part of the result are those that it promises; nil of a blob.
    var isTextSound: Bool? {
      text.map { $0.utf8.count == byteCount && ContentDigest(of: Array($0.utf8)) == digest }
    }
  }

  /// Most outputs of a result.
  package static let outputLimit = 1024
  /// Most bytes of an output's path, so that every result fits in `encodedLimit`.
  package static let pathLimit = 512
  /// Most bytes of an output that are part of the result itself.
  package static let textLimit = 8192
  /// Most bytes of all such outputs of a result.
  static let textsLimit = 40 * textLimit
  /// Exit codes a result may have.
  package static let exitCodes = 0...255

  /// Sorted by the UTF-8 bytes of their paths.
  package let outputs: [Output]
  /// 0 = made; other codes are the action's own.
  package let exitCode: Int

  /// - Parameters:
  ///   - outputs: in any order, at most `outputLimit`; their paths differ, have at most `pathLimit`
  ///     bytes, no control characters and no parts that are empty, `.` or `..`.
  ///   - exitCode: one of `exitCodes`.
  package init(outputs: [Output], exitCode: Int) {
    let fault = ActionResult.fault(of: outputs, exitCode: exitCode)
    precondition(fault == nil, fault ?? "")
    self.init(checked: outputs, exitCode: exitCode)
  }

  /// The outputs that are blobs.
  var blobs: [Output] { outputs.filter { $0.text == nil } }

  init(checked outputs: [Output], exitCode: Int) {
    self.outputs = outputs.sorted {
      $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
    }
    self.exitCode = exitCode
  }
}

/// Names a piece of work by everything its result depends on.
package struct ActionKey: Hashable, Sendable, CustomStringConvertible {
  package let digest: ContentDigest

  /// 64 lower-case hexadecimal digits.
  package var description: String { digest.hex }

  /// - Parameter inputs: everything the result depends on; equal inputs give equal keys.
  package init(_ inputs: JSONValue) { digest = ContentDigest(of: Array(inputs.compact.utf8)) }

  /// A key that was made before.
  package init(digest: ContentDigest) { self.digest = digest }
}

extension ActionResult {
  /// The first fault of the parts of a result, or nil.
  static func fault(of outputs: [Output], exitCode: Int) -> String? {
    guard exitCodes.contains(exitCode) else {
      return "has exit code \(exitCode), expected one in \(exitCodes)"
    }
    guard outputs.count <= outputLimit else {
      return "has \(outputs.count) outputs, the limit is \(outputLimit)"
    }
    let texts = outputs.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) }
    guard texts <= textsLimit else {
      return "holds \(texts) bytes of outputs, the limit is \(textsLimit)"
    }
    var paths: Set<ExactString> = []
    for output in outputs {
      if let fault = fault(ofPath: output.path) {
        return "output \(quoted(output.path)) \(fault)"
      }
      guard paths.insert(ExactString(output.path)).inserted else {
        return "has two outputs \(quoted(output.path))"
      }
      guard output.byteCount >= 0 else {
        return "output \(quoted(output.path)) has \(output.byteCount) bytes"
      }
    }
    return nil
  }

  private static func fault(ofPath path: String) -> String? {
    let bytes = path.utf8
    guard bytes.count <= pathLimit else {
      return "has a path of \(bytes.count) bytes, the limit is \(pathLimit)"
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return "has a control character in its path"
    }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
    }
    return isPlain ? nil : "has a path with an empty part, '.' or '..'"
  }
}

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
      file.contents = output.text ?? ""
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
    self.init(
      path: file.path, digest: digest, byteCount: Int(file.digest.sizeBytes),
      text: file.contents.isEmpty ? nil : file.contents)
    guard isTextSound != false else {
      throw BadResult(
        description: "output \(quoted(file.path)) has other contents than its digest \(digest) says"
      )
    }
  }
}
