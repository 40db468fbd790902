package import Files
import SwiftProtobuf

/// Reads ONNX files of tables and trees, as skl2onnx, onnxmltools and CatBoost write them.
///
/// Operators, attributes and versions that are not known are refused by name, and so are functions,
/// control flow, sparse tensors and data outside the file.
package enum ONNXModel {
  /// Largest file, in bytes: that of a protocol buffer.
  static let byteLimit = (1 << 31) - 1
  /// Versions of the format itself: what they added since is refused by its own name.
  static let formatVersions = 3...14
  /// Versions of the operators, by domain.
  static let operatorVersions = ["": 1...28, "ai.onnx.ml": 1...5]

  /// Reads a file.
  ///
  /// - Throws: `TreeError`, with the operator, and of trees the tree and the node.
  package static func read(_ file: MappedFile) throws(TreeError) -> TabularGraph {
    guard file.byteCount <= byteLimit else {
      throw TreeError(
        path: file.path, fault: "has \(file.byteCount) bytes, at most \(byteLimit) are read")
    }
    return try read(file.withBytes { [UInt8](bytesOf: $0) }, path: file.path)
  }

  static func read(_ bytes: [UInt8], path: String) throws(TreeError) -> TabularGraph {
    let model: ONNXModelProto
    do { model = try ONNXModelProto(serializedBytes: bytes) } catch {
      throw TreeError(path: path, fault: "is not an ONNX model: its protocol buffer cannot be read")
    }
    var graph = try read(model, path: path)
    graph.byteCount = bytes.count
    return graph
  }

  static func read(_ model: ONNXModelProto, path: String) throws(TreeError) -> TabularGraph {
    let versions = try versions(of: model, path: path)
    var reader = ONNXGraphReader(path: path, library: library(of: model), versions: versions)
    return try reader.read(model.graph)
  }

  /// `skl2onnx 1.20.0`; CatBoost's version is a page of text, of which the first line counts.
  private static func library(of model: ONNXModelProto) -> String {
    let version = model.producerVersion.split(separator: "\n").first.map(String.init) ?? ""
    let isShort = !version.isEmpty && version.count <= 40 && !version.contains(":")
    let name = model.producerName.isEmpty ? "ONNX" : String(model.producerName.prefix(40))
    return isShort ? "\(name) \(version)" : name
  }

  /// The version of the operators of each domain.
  private static func versions(
    of model: ONNXModelProto, path: String
  ) throws(TreeError) -> [String: Int] {
    func fault(_ text: String) -> TreeError { TreeError(path: path, fault: text) }
    guard model.hasGraph else { throw fault("is not an ONNX model: it has no graph") }
    guard formatVersions.contains(Int(model.irVersion)) else {
      throw fault("has IR version \(model.irVersion), known are \(formatVersions)")
    }
    guard model.functions.isEmpty else { throw fault("has functions, which are not supported") }
    guard model.trainingInfo.isEmpty else {
      throw fault("has a graph for training, which is not supported")
    }
    var versions: [String: Int] = [:]
    for entry in model.opsetImport {
      let domain = entry.domain == "ai.onnx" ? "" : entry.domain
      let version = Int(entry.version)
      // Domains that no operator is of are no matter: converters list several.
      if let known = operatorVersions[domain], !known.contains(version) {
        throw fault("asks for version \(version) of '\(domain)', known are \(known)")
      }
      if let other = versions[domain], other != version {
        throw fault("asks for the versions \(other) and \(version) of '\(domain)'")
      }
      versions[domain] = version
    }
    return versions
  }
}

extension [UInt8] {
  fileprivate init(bytesOf span: RawSpan) {
    self.init()
    reserveCapacity(span.byteCount)
    for place in 0..<span.byteCount {
      append(unsafe span.unsafeLoad(fromByteOffset: place, as: UInt8.self))
    }
  }
}
