package import Weights

/// One encoder of a SigLIP or SigLIP 2 model with images of one size: its vector, scaled to length 1;
/// or a classifier of images.
///
/// Source: Zhai et al. 2023, arXiv:2303.15343; Tschannen et al. 2025, arXiv:2502.14786; the layout
/// is that of transformers' `SiglipModel`, which files of SigLIP 2 name, too.
package struct Siglip: RecognisedArchitecture {
  package static let name = "siglip"
  package static let modelTypes = [name, "siglip_vision_model", "siglip_text_model"]
  package static let signature = "config.json with \"model_type\": \"siglip\""

  enum Part: Sendable {
    case image(VisionTransformer)
    case text(SiglipText)
  }

  let part: Part
  package let describingFiles: [String]

  package var encoder: EncoderKind? {
    switch part {
    case .image(let vision): vision.task == nil ? .image : nil
    case .text: .text
    }
  }

  package var input: ModelInput {
    switch part {
    case .image(let vision): .image(width: vision.image.width, height: vision.image.height)
    case .text(let text): .tokens(maximumLength: text.length, vocabulary: text.vocabulary)
    }
  }

  package var output: ModelOutput {
    switch part {
    case .image(let vision): vision.output
    case .text(let text): .embedding(width: text.projection)
    }
  }

  package var outputName: String {
    if case .image(let vision) = part { vision.outputName } else { "embedding" }
  }

  package func role(ofUnused name: TensorName) -> String? {
    let other = encoder == .text ? Self.imageRoot : Self.textRoot
    if name.text.hasPrefix(other) { return "of the other encoder" }
    if encoder == nil, name.text.hasPrefix("\(Self.imageRoot)head.") {
      return "pooling of the image encoder, which its classifiers do not have"
    }
    switch name.text.split(separator: ".").last {
    case "position_ids": return "numbers of positions"
    case "logit_scale", "logit_bias": return "scale of training's loss"
    default: return nil
    }
  }

  // Of a model with both halves. Transformers 5 saves a half alone without.
  private static let (imageRoot, textRoot) = ("vision_model.", "text_model.")

  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Siglip? {
    let found = try encoders(files, weights: weights, requested: nil)
    guard found.count <= 1 else { throw ModelError.severalEncoders(origin: files.origin) }
    return found.first
  }

  package static func encoders(
    _ files: ModelFiles, weights: any WeightSource, requested: EncoderKind?
  ) throws -> [Siglip] {
    func root(_ usual: String, _ table: String) -> String? {
      [usual, ""].first { weights.shape(of: TensorName("\($0)embeddings.\(table)")) != nil }
    }
    var found: [Siglip] = []
    if requested != .text, let root = root(imageRoot, "patch_embedding.weight"),
      let image = try SiglipFiles.image(files, root, weights)
    {
      found.append(image)
    }
    // The tokenizer's files are not read for images.
    if requested != .image, let root = root(textRoot, "token_embedding.weight"),
      let text = try SiglipFiles.text(files, root)
    {
      found.append(text)
    }
    return found
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    switch part {
    case .image(let vision):
      var builder = VisionGraph(vision: vision, batch: batch)
      return try builder.build()
    case .text(let text):
      var builder = SiglipTextGraph(text: text, batch: batch)
      return try builder.build(length: length)
    }
  }
}
