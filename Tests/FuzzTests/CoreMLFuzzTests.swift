import Files
import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Core ML packages: their programs and their weights files.
extension FuzzTests {
  private static let errors: [any Error.Type] = [
    CoreMLError.self, JSONError.self, FileError.self, ModelError.self,
  ]

  /// A small package in memory, written with one of its files replaced.
  private final class ScratchPackage {
    let path: String
    private let folder: TemporaryFolder
    let parts: [String: [UInt8]]

    /// - Parameter scheme: how the weights of a dense model are stored.
    init(_ scheme: Scheme?) throws {
      folder = try TemporaryFolder(in: TemporaryFolder.memory)
      path = folder.path("X.mlpackage")
      let text =
        #"{"architecture":"dense","inputs":[{"name":"a"},{"name":"b"},{"name":"c"}],"#
        + #""layers":[{"weight":"w","bias":"b","activation":"softmax"}],"#
        + #""output":{"kind":"classifier","labels":["w","x","y","z"]}}"#
      let files = ModelFiles(carriedBy: "m", texts: ["model.json": Array(text.utf8)])
      func squares(_ count: Int) -> [Float] { (0..<count).map { Float($0 * $0) / 16 - 2 } }
      let weights = MemoryWeights(tensors: ["b": ([4], squares(4)), "w": ([4, 3], squares(12))])
      let model = try Model(
        origin: "m", architecture: try Architectures.recognise(files, weights: weights),
        files: files, weights: weights)
      _ = try CoreMLPackage().writeUnproven(
        try WeightCompressor.compress(
          weights: try model.usedWeights(), from: weights,
          options: try CompressionOptions(scheme: scheme, floats: .float16), jobs: 1), of: model,
        recipe: "", to: path)
      parts = try MLPackageFolder(path: path).files().reduce(into: [:]) { [path] parts, name in
        parts[name] = try MappedFile.contents(of: Folder.join(path, name), limit: 1 << 20)
      }
    }

    func write(_ bytes: [UInt8], to name: String) throws {
      try AtomicFile.write(bytes, to: Folder.join(path, name))
    }

    /// The package with one of its files replaced as `verify` opens it, from memory.
    func image(_ bytes: [UInt8], as name: String) throws -> ModelImage {
      var files: [String: MappedFile] = [:]
      for (path, content) in parts.merging([name: bytes], uniquingKeysWith: { $1 }) {
        var file = try MemoryFile(path: path, byteCount: content.count)
        unsafe file.write(content.span.bytes)
        files[path] = file.finish()
      }
      return ModelImage(path: path, files: files, companions: [:])
    }
  }

  private static let schemes: [Scheme?] = [
    nil, .int8(.perChannel), .palette(bits: 4, .perTensor), .palette(bits: 3, .perTensor),
    .palette(bits: 1, .perGroup(size: 2)),
  ]

  /// Mutations of the model file; the weights file is that of each seed's own package.
  @Test func coreMLPrograms() throws {
    for scheme in FuzzTests.schemes {
      let package = try ScratchPackage(scheme)
      let seed = try #require(package.parts[MLPackageLayout.model])
      run("core ml programs, \(scheme.label)", [seed]) { bytes in
        check(bytes, as: MLPackageLayout.model, package)
      }
    }
  }

  /// Mutations of the weights file.
  @Test func coreMLWeights() throws {
    for scheme in FuzzTests.schemes {
      let package = try ScratchPackage(scheme)
      let seed = try #require(package.parts[MLPackageLayout.weights])
      run("core ml weights, \(scheme.label)", [seed]) { bytes in
        check(bytes, as: MLPackageLayout.weights, package)
      }
    }
  }

  private func check(_ bytes: [UInt8], as name: String, _ package: ScratchPackage) -> Bool? {
    parsing(FuzzTests.errors) {
      let opened = Result { try package.image(bytes, as: name).open(as: .mlpackage) }
      try package.write(bytes, to: name)
      let model = try CoreMLPackage.model(
        of: package.path, files: ModelFiles(carriedBy: "none", texts: [:]))
      for name in model.weights.names {
        guard let shape = model.weights.shape(of: name) else { return false }
        // So small a package holds no large constant, whatever it says.
        let count = shape.reduce(1, *)
        guard count < 1 << 20, try model.weights.floats(of: name).count == count else {
          return false
        }
      }
      // What opens from a disk opens from an archive, as the same model.
      return try opened.get().architecture.output.width == model.architecture.output.width
        && model.architecture.output.width > 0
    }
  }
}
