import Imaging
import StrictJSON

/// Scale and bias for the pixels of each plane, R, G and B: `pixel · scale + bias`, pixels being
/// 0...255.
struct PixelNormalisation: Equatable, Sendable {
  let scale: [Float]
  let bias: [Float]

  private static let (mean, deviation) = (ProcessorKind.clip.mean, ProcessorKind.clip.deviation)

  /// - Parameters:
  ///   - factor: multiplies each pixel first, usually by 1 ÷ 255.
  ///   - mean: subtracted next, for each plane.
  ///   - deviation: divides last; never 0.
  init(factor: Double, mean: [Double], deviation: [Double]) {
    scale = deviation.map { Float(factor / $0) }
    bias = zip(mean, deviation).map { Float(-$0 / $1) }
  }

  /// Reads Hugging Face's settings for images.
  init(huggingFace config: JSONObject) throws(JSONError) {
    try PreprocessorKeys.check(huggingFace: config)
    func isOn(_ key: String) throws(JSONError) -> Bool {
      config.has(key) ? try config.bool(key) : true
    }
    let factor = config.has("rescale_factor") ? try config.double("rescale_factor") : 1.0 / 255
    let normalises = try isOn("do_normalize")
    let usual = ProcessorKind.named(in: config)
    self.init(
      factor: try isOn("do_rescale") ? factor : 1,
      mean: normalises
        ? try PixelNormalisation.planes("image_mean", config) ?? usual.mean : [0, 0, 0],
      deviation: normalises
        ? try PixelNormalisation.deviations("image_std", config) ?? usual.deviation : [1, 1, 1])
  }

  /// Reads `preprocess_cfg` of OpenCLIP's `open_clip_config.json`; nil if it is absent.
  init(openCLIP config: JSONObject?) throws(JSONError) {
    guard let config else {
      self.init(factor: 1.0 / 255, mean: Self.mean, deviation: Self.deviation)
      return
    }
    self.init(
      factor: 1.0 / 255, mean: try PixelNormalisation.planes("mean", config) ?? Self.mean,
      deviation: try PixelNormalisation.deviations("std", config) ?? Self.deviation)
  }

  // Three numbers, or nil if the key is absent.
  static func planes(_ key: String, _ config: JSONObject) throws(JSONError) -> [Double]? {
    guard config.has(key) else { return nil }
    let numbers = try config.array(key).compactMap(\.double)
    guard numbers.count == 3, try config.array(key).count == 3 else {
      throw config.mismatch(key, expected: "three numbers", try config.required(key))
    }
    return numbers
  }

  static func deviations(
    _ key: String, _ config: JSONObject
  ) throws(JSONError) -> [Double]? {
    guard let numbers = try planes(key, config) else { return nil }
    guard numbers.allSatisfy({ $0 > 1e-6 }) else {
      throw config.mismatch(key, expected: "three positive numbers", try config.required(key))
    }
    return numbers
  }
}
