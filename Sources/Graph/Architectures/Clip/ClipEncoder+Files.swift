import Weights

extension ClipEncoder {
  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws
    -> ClipEncoder?
  {
    let found = try encoders(files, weights: weights)
    guard found.count <= 1 else { throw ModelError.severalEncoders(origin: files.origin) }
    return found.first
  }

  /// The encoders whose weights exist. The names of the weights decide the layout, since a folder
  /// may hold the files of both.
  ///
  /// - Parameter requested: the only encoder needed. The text encoder needs no image settings: if only
  ///   it is asked for, the other is left out when its inputs are not described.
  package static func encoders(
    _ files: ModelFiles, weights: any WeightSource, requested: EncoderKind? = nil
  ) throws -> [ClipEncoder] {
    func has(_ name: TensorName) -> Bool { weights.shape(of: name) != nil }
    let huggingFace = EncoderKind.allCases.filter { has(ClipNames.huggingFace($0).inputs) }
    if !huggingFace.isEmpty, let config = try HuggingFaceClip(files) {
      let isTextAlone = requested == .text && huggingFace.contains(.text)
      return try huggingFace.filter { try !isTextAlone || $0 == .text || config.preparesImages }
        .map { try config.encoder($0) }
    }
    let textRoot = has("text.token_embedding.weight") ? "text." : ""
    guard let config = try OpenClip(files) else { return [] }
    let found = EncoderKind.allCases.filter { kind in
      has(ClipNames.openCLIP(kind, textRoot: textRoot).inputs)
        || kind == .image && OpenClipTower.isThere(weights)
    }
    return try found.compactMap { kind in
      do {
        return try config.encoder(kind, textRoot: textRoot, weights: weights)
      } catch  where requested != nil && kind != requested && found.count > 1 {
        // Of two encoders one may be of a kind that is not built, and the other be all that is
        // needed.
        return nil
      }
    }
  }
}
