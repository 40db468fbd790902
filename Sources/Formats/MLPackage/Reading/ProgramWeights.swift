import Files
import Graph
import Weights

/// The constants of a package's program, and which bytes they are.
struct ProgramWeights: WeightFile {
  let constants: [String: WeightConstant]
  /// Paths of all files of the package.
  let files: [String]
  private let origin: String
  private let blobs: [(path: String, file: BlobFile)]
  private let others: [(name: String, digest: ContentDigest)]

  /// - Parameters:
  ///   - model: the bytes of the package's message, as they were read.
  ///   - blobs: the weight files as they were opened; what is hashed is what is read.
  init(
    _ folder: MLPackageFolder, origin: String, model: [UInt8], blobs: BlobFiles,
    constants: [String: WeightConstant]
  ) throws {
    self.constants = constants
    self.origin = origin
    let opened = blobs.byPath
    let modelPath = folder.modelPath
    var found: [(path: String, file: BlobFile)] = []
    var others: [(name: String, digest: ContentDigest)] = []
    let paths = try folder.files()
    files = paths.map { Folder.join(folder.path, $0) }
    for path in paths {
      let place = Folder.join(folder.path, path)
      if place == modelPath {
        others.append((path, try CoreMLDigest.ofModel(model)))
      } else if let blob = opened[place] {
        found.append((path, blob))
      } else {
        others.append((path, ContentDigest(of: try folder.file(at: path))))
      }
    }
    self.blobs = found
    self.others = others
  }

  var names: [TensorName] { constants.keys.map { TensorName($0) }.sorted() }

  func shape(of name: TensorName) -> [Int]? { constants[name.text]?.shape }

  func floats(of name: TensorName) throws -> [Float] {
    guard let constant = constants[name.text] else {
      throw ModelError.missingWeight(origin: origin, name: name)
    }
    return try constant.floats()
  }

  func digest() -> ContentDigest {
    .combining(others + blobs.map { ($0.path, $0.file.digest()) })
  }
}
