package import Files
package import Weights

/// Why a Core ML package could not be written or read.
package enum CoreMLError: Error, Equatable, NamesOptions {
  /// A file of the package, or the package as a whole, is not what the format prescribes.
  case malformed(path: String, fault: String)
  /// The program cannot be run, or is not sound; the fault says where.
  case program(path: String, fault: String)
  /// A package whose program holds numbers that are not finite and not part of masks.
  case notFinite(origin: String, faults: [ConstantFault])
  /// A file that prepares inputs is another than the package was made with, or missing.
  case companion(path: String, file: String, stated: ContentDigest, found: ContentDigest?)
  /// The package to be written breaks a rule of the format; the fault says where.
  case unwritable(origin: String, fault: String)
  /// An operation of the graph that no program can hold.
  case unknownOperation(operation: String, value: String)
  /// A table in two parts that is not only looked up row by row.
  case splitTable(origin: String, name: TensorName, operation: String, value: String)
  /// A length of inputs that does not suit the model.
  case sequenceLength(origin: String, fault: String)
  /// An output that is called like an input.
  case outputName(origin: String, name: String)
  /// Something needs a newer system than was asked for.
  case target(origin: String, what: String, needs: DeploymentTarget, requested: DeploymentTarget)

  package func words(_ option: UserOption.Names) -> String {
    switch self {
    case .malformed(let path, let fault):
      "\(path): is not a sound Core ML package: \(fault)"
    case .program(let path, let fault):
      "\(path): the program cannot be run: \(fault)"
    case .notFinite(let origin, let faults):
      "\(origin): no package can be made of its program: "
        + faults.map(\.description).joined(separator: "; ")
        + "; convert the model in float32, or with attn_implementation=\"sdpa\""
    case .companion(let path, let file, let stated, let found?):
      "\(file): its SHA-256 is \(found), but \(path) was made with a file of \(stated), and would "
        + "give other outputs with this one; put that file back, "
        + (option(.tokenizer).map { "name its folder with \($0), " } ?? "")
        + "or make the package again"
    case .companion(let path, let file, let stated, nil):
      "\(file): is missing; \(path) was made with a file of SHA-256 \(stated); put it beside the "
        + "others"
        + (option(.tokenizer).map { ", or name the folder of all with \($0)" } ?? "")
    case .unwritable(let origin, let fault):
      "\(origin): cannot be written as a Core ML package: \(fault)"
    case .unknownOperation(let operation, let value):
      "\(operation) '\(value)' cannot be written into an ML Program"
    case .splitTable(let origin, let name, let operation, let value):
      "\(origin): tensor '\(name)' is split into rows of two schemes, and \(operation) '\(value)' "
        + "reads it otherwise than by rows that are computed; give it one scheme"
    case .sequenceLength(let origin, let fault):
      "\(origin): sequence length: \(fault)"
    case .outputName(let origin, let name):
      "\(origin): the output is called '\(name)', as an input is; give it another name"
    case .target(let origin, let what, let needs, let requested):
      "\(origin): \(what) needs \(needs.rawValue), the minimum deployment target is \(requested.rawValue)"
    }
  }
}
