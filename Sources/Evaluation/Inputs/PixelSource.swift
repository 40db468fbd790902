import Graph
import Preprocessing
import Weights

/// Makes pixels from the bytes of an image file.
protocol PixelSource: Sendable {
  /// Size of every image that comes out.
  var width: Int { get }
  var height: Int { get }
  /// Planes R, G and B, [3, height, width].
  ///
  /// - Parameter origin: the file, for messages.
  func pixels(of file: [UInt8], origin: String) throws(ImageError) -> [UInt8]
}

extension ImageProcessor: PixelSource {}

extension Model {
  /// What prepares images for the model as its own files say, and a digest of what those say.
  ///
  /// - Throws: `ModelError.missingFile`, or why the file cannot be used.
  func pixelSource() throws -> (source: any PixelSource, digest: ContentDigest) {
    let isOpenCLIP = architecture.isPreparedAsOpenCLIP
    let path = isOpenCLIP ? "open_clip_config.json" : "preprocessor_config.json"
    guard let json = try files.bytes(of: path) else {
      throw ModelError.missingFile(
        origin: origin, path: path,
        mend: "a model that takes images needs it"
          + (architecture.shapes == .any ? "" : "; put it beside the package"))
    }
    let name = files.name(of: path)
    let source =
      isOpenCLIP
      ? try ImageProcessor(openCLIP: json, origin: name)
      : try ImageProcessor(huggingFace: json, origin: name)
    return (source, ContentDigest(of: Array("\(path)\n".utf8) + json))
  }
}
