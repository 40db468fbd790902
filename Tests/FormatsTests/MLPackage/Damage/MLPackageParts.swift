import Files
import Graph
import TestSupport
import Weights

@testable import Formats

/// A package as its parts. Each can be changed.
struct MLPackageParts {
  var message: SpecModel
  /// Bytes of the model file where they are not those of `message`.
  var model: [UInt8]?
  var weights: [UInt8]?
  var manifest: [UInt8]

  /// The parts of a package on disk.
  ///
  /// - Parameter files: those beside it.
  init(of path: String, files: ModelFiles = MLPackageParts.noFiles) throws {
    message = try CoreMLPackage.open(path, origin: path, files: files).message
    weights = try MappedFile.contents(
      of: Folder.join(path, MLPackageLayout.weights), limit: 1 << 20)
    manifest = try MappedFile.contents(
      of: Folder.join(path, MLPackageLayout.manifest), limit: 1 << 20)
  }

  static let noFiles = ModelFiles(carriedBy: "none", texts: [:])

  func write(to path: String) throws {
    let folder = try AtomicFolder(path: path)
    try folder.write(manifest, to: MLPackageLayout.manifest)
    try folder.write(try model ?? message.deterministicBytes(), to: MLPackageLayout.model)
    if let weights { try folder.write(weights, to: MLPackageLayout.weights) }
    try folder.commit { _ in true }
  }

  /// The program's only function.
  var function: MILFunction {
    get { message.mlProgram.functions["main"] ?? MILFunction() }
    set { message.mlProgram.functions["main"] = newValue }
  }

  /// Its operations.
  var block: MILBlock {
    get { function.blockSpecializations[function.opset] ?? MILBlock() }
    set { function.blockSpecializations[function.opset] = newValue }
  }

  /// The operation that makes a value.
  subscript(_ name: String) -> MILOperation {
    get { block.operations.first { $0.outputs.contains { $0.name == name } } ?? MILOperation() }
    set {
      guard let place = place(of: name) else { preconditionFailure("no value \(name)") }
      block.operations[place] = newValue
    }
  }

  func place(of name: String) -> Int? {
    block.operations.firstIndex { $0.outputs.contains { $0.name == name } }
  }
}

/// A folder for a program's constants, in the shape of a package.
struct ConstantFolder {
  private let folder: TemporaryFolder
  let package: MLPackageFolder

  /// - Parameter fill: writes the weights file.
  init(_ fill: (consuming BlobWriter) throws -> Void = { try $0.finish() }) throws {
    folder = try TemporaryFolder()
    let package = try AtomicFolder(path: folder.path("constants.mlpackage"))
    try fill(BlobWriter(try package.file(at: MLPackageLayout.weights)))
    try package.write([0], to: MLPackageLayout.model)
    try package.write(
      MLPackageManifest(digest: ContentDigest(of: []), hasWeights: true).text,
      to: MLPackageLayout.manifest)
    let path = package.path
    try package.commit()
    self.package = try MLPackageFolder(path: path)
  }

  func blobs(of operations: [MILOperation]) throws -> BlobFiles {
    var block = MILBlock()
    block.operations = operations
    return try BlobFiles(package, namedBy: block)
  }
}

extension MILOperation {
  /// Type, parameters with their places and types, and what it makes, in one line each.
  var words: [String] {
    func words(_ value: MILValue) -> String {
      let place =
        if case .blobFileValue = value.value { "blob" } else { "inline" }
      return "\(value.type.tensorType.words) \(place)"
    }
    let bound = inputs.mapValues { argument in
      argument.arguments.map { binding in
        if case .value(let value) = binding.binding { words(value) } else { binding.name }
      }.joined(separator: ", ")
    }
    return [type] + bound.sorted { $0.key < $1.key }.map { "input \($0.key): \($0.value)" }
      + attributes.filter { $0.key != "name" }.sorted { $0.key < $1.key }
      .map { "attribute \($0.key): \(words($0.value))" }
      + outputs.map { "\($0.name): \($0.type.tensorType.words)" }
  }
}
