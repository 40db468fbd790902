package import Files

/// Files of ONNX, as skl2onnx and onnxmltools write them: trees alone, or steps of a pipeline.
package enum ONNXTrees: TreeLibrary {
  /// Versions of the format that begin a file: a field of `ModelProto`, then the name of who made it, or the
  /// graph.
  private static let versions: ClosedRange<UInt8> = 3...20

  package static func recognises(_ start: [UInt8]) -> Bool {
    start.count > 3 && start[0] == 0x08 && versions.contains(start[1])
      && [0x12, 0x3A].contains(start[2])
  }

  package static func read(_ file: MappedFile) throws -> TreeModel {
    guard case .trees(let model) = try open(file) else {
      throw TreeError(path: file.path, fault: "is an ONNX file of more than trees")
    }
    return model
  }

  package static func open(_ file: MappedFile) throws -> TabularModel {
    let graph = try ONNXModel.read(file)
    if let model = graph.trees { return .trees(model) }
    return try TableLowering.table(of: graph).simplest
  }
}
