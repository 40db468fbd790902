package import Graph
package import Imaging
package import Weights

/// Makes pixels from the bytes of an image file.
package protocol PixelSource: Sendable {
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
  /// The image preparation that the model's files describe, and a digest of that description.
  ///
  /// - Throws: `ModelError.missingFile`, or why the file cannot be used.
  package func pixelSource() throws -> (source: any PixelSource, digest: ContentDigest) {
    if architecture.isPreparedAsOpenCLIP {
      let path = "open_clip_config.json"
      let json = try preparing(path)
      let source = try ImageProcessor(openCLIP: json, origin: files.name(of: path))
      return (source, ContentDigest(of: Array("\(path)\n".utf8) + json))
    }
    let named = ImagePreprocessing.paths.filter(architecture.describingFiles.contains)
    let paths = named.isEmpty ? ImagePreprocessing.paths : named
    guard let found = try ImagePreprocessing(files, in: paths) else {
      throw missing(paths[0], or: paths.count > 1 ? paths[1] : nil)
    }
    let source = try ImageProcessor(huggingFace: found.settings)
    return (source, ContentDigest(of: Array("\(found.path)\n".utf8) + (try preparing(found.path))))
  }

  private func preparing(_ path: String) throws -> [UInt8] {
    guard let bytes = try files.bytes(of: path) else { throw missing(path) }
    return bytes
  }

  private func missing(_ path: String, or other: String? = nil) -> ModelError {
    .missingFile(
      origin: origin, path: path,
      mend: "a model that takes images needs it"
        + (other.map { ", or '\($0)' with an 'image_processor'" } ?? "")
        + (architecture.shapes == .any ? "" : "; put it beside the package"))
  }
}
