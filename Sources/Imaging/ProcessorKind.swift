package import StrictJSON

/// A class of transformers that prepares images: the names it has in files, and its values for keys
/// that a file leaves out.
///
/// Source: the classes of transformers 4.57 and 5; their fast twins have the same values.
package struct ProcessorKind: Equatable, Sendable {
  /// Under `image_processor_type` or `feature_extractor_type`; the first is the one in messages.
  package let names: [String]
  /// Both sides, or the shorter one for a class that crops.
  let edge: Int
  /// Whether the middle is cut out unless the file says otherwise. The other classes never cut.
  let crops: Bool
  /// Of Pillow's filters.
  let filter: ResamplingFilter
  /// Subtracted from R, G and B in 0...1.
  package let mean: [Double]
  /// The divisors of R, G and B.
  package let deviation: [Double]
  /// Whether a size of one number is that of both sides, and not of the shorter one.
  let makesSquares: Bool
  /// Whether levels are scaled before they are resized, and come out between whole ones.
  var scalesFirst = false

  private static let halves = [0.5, 0.5, 0.5]

  /// Also the values for files that name no class.
  package static let clip = ProcessorKind(
    names: twins("CLIP"), edge: 224, crops: true, filter: .bicubic,
    mean: [0.48145466, 0.4578275, 0.40821073], deviation: [0.26862954, 0.26130258, 0.27577711],
    makesSquares: false)
  package static let bit = ProcessorKind(
    names: twins("Bit", isOld: false), edge: 224, crops: true, filter: .bicubic, mean: clip.mean,
    deviation: clip.deviation, makesSquares: false)
  package static let vit = ProcessorKind(
    names: twins("ViT"), edge: 224, crops: false, filter: .bilinear, mean: halves,
    deviation: halves, makesSquares: true)
  package static let siglip = ProcessorKind(
    names: twins("Siglip", isOld: false), edge: 224, crops: false, filter: .bicubic, mean: halves,
    deviation: halves, makesSquares: false)
  package static let dinov3 = ProcessorKind(
    names: twins("DINOv3ViT", isOld: false), edge: 224, crops: false, filter: .bilinear,
    mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225], makesSquares: true,
    scalesFirst: true)

  static let all = [clip, bit, vit, siglip, dinov3]

  private static func twins(_ stem: String, isOld: Bool = true) -> [String] {
    ["\(stem)ImageProcessor", "\(stem)ImageProcessorFast"]
      + (isOld ? ["\(stem)FeatureExtractor"] : [])
  }

  /// The key that names the class. Files that transformers converted have both, and the first counts.
  static func key(in root: JSONObject) -> String? {
    ["image_processor_type", "feature_extractor_type"].first { root.has($0) }
  }

  /// The class that a file names; CLIP's where it names none that is known.
  package static func named(in root: JSONObject) -> ProcessorKind {
    let name = key(in: root).flatMap { root[$0]?.string }
    return all.first { kind in name.map(kind.names.contains) ?? false } ?? .clip
  }

  /// The same.
  ///
  /// - Throws: if the file names one that is not known.
  static func known(in root: JSONObject) throws(PreprocessingError) -> ProcessorKind {
    guard let key = key(in: root) else { return .clip }
    let name = try reading { () throws(JSONError) in try root.string(key) }
    guard let kind = all.first(where: { $0.names.contains(name) }) else {
      throw root.unsupported(key, name, at: key, known: all.flatMap(\.names))
    }
    return kind
  }
}
