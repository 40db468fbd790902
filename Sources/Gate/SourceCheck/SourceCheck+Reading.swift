import Files
import Inputs
import StrictJSON
import Weights

extension SourceCheck {
  /// The digest of each image that lines name.
  static func digests(of lines: InputLines) throws -> [ExactString: ContentDigest] {
    var digests: [ExactString: ContentDigest] = [:]
    for case .image(let path) in lines.inputs {
      digests[ExactString(path)] = try lines.images.digest(of: path)
    }
    return digests
  }

  /// The rows of a file, how their numbers are stored, and the digest of the very bytes that were
  /// read.
  static func vectors(of path: String) throws -> (OutputMatrix, VectorType, ContentDigest) {
    // Vectors are in a file; a folder is an error, even with one array in it.
    if Folder.kind(of: path) == .folder { _ = try MappedFile(path: path) }
    let file = try WeightCollection.open(path)
    let tensors = file.tensors
    guard tensors.count == 1, let tensor = tensors.first, (1...2).contains(tensor.shape.count)
    else {
      let shapes = tensors.map { "\($0.shape)" }.joined(separator: ", ")
      throw EvaluationError.badSourceCheck(
        origin: path, fault: "has the shape \(shapes), expected one row for each input")
    }
    guard let type = VectorType(tensor.elementType) else {
      throw EvaluationError.badSourceCheck(
        origin: path,
        fault: "holds \(tensor.elementType.rawValue), expected float32, float64 or float16")
    }
    let width = tensor.shape.count > 1 ? tensor.shape[1] : 1
    guard tensor.shape[0] > 0, width > 0 else {
      throw EvaluationError.badSourceCheck(
        origin: path, fault: "has the shape \(tensor.shape): it is empty")
    }
    try OutputMatrix.requireMemory(tensor.elementCount, of: path)
    return (
      OutputMatrix(rowCount: tensor.shape[0], width: width, values: try tensor.floats()), type,
      file.digest()
    )
  }
}
