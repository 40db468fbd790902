package import Files

/// Files of ONNX that hold trees and nothing else that computes, as skl2onnx and onnxmltools write them.
package enum ONNXTrees: TreeLibrary {
  /// Versions of the format that begin a file: a field of `ModelProto`, then the name of who made it.
  private static let versions: ClosedRange<UInt8> = 3...20

  package static func recognises(_ start: [UInt8]) -> Bool {
    start.count > 3 && start[0] == 0x08 && versions.contains(start[1]) && start[2] == 0x12
  }

  package static func read(_ file: MappedFile) throws -> TreeModel {
    let graph = try ONNXModel.read(file)
    guard let model = graph.trees else {
      throw TreeError(
        path: file.path,
        fault:
          "is an ONNX file of more than trees that are added up, which is not run yet; save the "
          + "estimator itself, without the steps before and behind it")
    }
    return model
  }
}
