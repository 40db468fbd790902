import Imaging
package import StrictJSON

/// The settings that turn images into a model's input, and the file they come from.
///
/// That is `preprocessor_config.json`, or the object `image_processor` of `processor_config.json`,
/// which transformers 5 writes instead. If both exist, transformers 5 reads the object and 4.57 the
/// separate file, so they must say the same.
package struct ImagePreprocessing {
  /// The files that may say it.
  package static let paths = [own, shared]
  private static let (own, shared) = ("preprocessor_config.json", "processor_config.json")
  private static let key = "image_processor"

  /// The file that says it.
  package let path: String
  package let settings: JSONObject

  /// - Parameter paths: the files to read.
  /// - Returns: nil if none of them has the settings.
  package init?(_ files: ModelFiles, in paths: [String] = ImagePreprocessing.paths) throws {
    let whole = paths.contains(Self.shared) ? try files.object(Self.shared) : nil
    if let whole { try PreprocessorKeys.check(processor: whole) }
    let part = try whole.flatMap { $0.has(Self.key) ? try $0.object(Self.key) : nil }
    let own = paths.contains(Self.own) ? try files.object(Self.own) : nil
    if let part, let own { try Self.requireSame(part, own) }
    guard let settings = part ?? own else { return nil }
    self.settings = settings
    path = part == nil ? Self.own : Self.shared
  }

  private static func requireSame(_ part: JSONObject, _ own: JSONObject) throws(JSONError) {
    for each in [part, own] { try PreprocessorKeys.check(huggingFace: each) }
    guard let (key, here, there) = ImageSettings.difference(.init(part), .init(own)) else { return }
    throw part.error(
      "'\(key)' of '\(Self.key)' is \(here), in \(own.origin) it is \(there); transformers 5 takes "
        + "the first and 4 the second: make them agree, or delete the one that is wrong",
      at: part[key]?.position ?? part.position)
  }
}

extension ModelError {
  /// Neither file exists, or the one that does lacks the settings.
  static func noImagePreprocessing(_ files: ModelFiles) throws -> ModelError {
    let hasOther = try files.bytes(of: "processor_config.json") != nil
    return .missingProcessor(
      origin: files.origin, path: "preprocessor_config.json",
      mend:
        "it says how an image becomes the model's input, and 'processor_config.json', which may "
        + "say it too, \(hasOther ? "has no 'image_processor'" : "is not there either"); "
        + "save the model's processor with it")
  }
}
