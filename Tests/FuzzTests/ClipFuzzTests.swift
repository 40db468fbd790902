import ModelFixtures
import Testing
import Weights

@testable import Graph

/// The files that describe a CLIP model, each mutated while the others are sound.
extension FuzzTests {
  /// A model of one encoder: its files, and the weight that tells that the encoder is there.
  private struct Clip {
    let files: [String: String]
    let inputs: (name: TensorName, shape: [Int])
  }

  private static let half =
    #""hidden_size":8,"intermediate_size":12,"num_attention_heads":2,"num_hidden_layers":1,"#
    + #""hidden_act":"quick_gelu","layer_norm_eps":1e-5,"attention_dropout":0.0"#

  private static let clips = [
    Clip(
      files: [
        "config.json":
          #"{"model_type":"clip","projection_dim":6,"logit_scale_init_value":2.6,"text_config":{"#
          + half + #","vocab_size":20,"max_position_embeddings":7,"eos_token_id":2}}"#,
        "tokenizer_config.json": #"{"model_max_length":5}"#,
      ], inputs: ("text_model.embeddings.token_embedding.weight", [20, 8])),
    Clip(
      files: [
        "config.json":
          #"{"model_type":"clip_vision_model","projection_dim":6,"image_size":8,"patch_size":4,"#
          + half + "}",
        "preprocessor_config.json":
          #"{"image_mean":[0.5,0.25,0],"image_std":[0.5,0.25,1],"rescale_factor":0.004,"#
          + #""do_resize":true,"resample":3,"size":{"shortest_edge":8},"crop_size":8}"#,
      ], inputs: ("vision_model.embeddings.patch_embedding.weight", [8, 3, 4, 4])),
    Clip(
      files: [
        "config.json":
          #"{"model_type":"clip_vision_model","projection_dim":6,"image_size":8,"patch_size":4,"#
          + half + "}",
        "preprocessor_config.json": #"{"size":8,"crop_size":[8,8],"image_mean":[0.5,0.25,0]}"#,
        "processor_config.json":
          #"{"image_processor":{"image_mean":[0.5,0.25,0],"size":{"shortest_edge":8},"#
          + #""crop_size":{"height":8,"width":8}},"processor_class":"CLIPProcessor"}"#,
      ], inputs: ("vision_model.embeddings.patch_embedding.weight", [8, 3, 4, 4])),
    Clip(
      files: [
        "open_clip_config.json":
          #"{"model_cfg":{"embed_dim":6,"quick_gelu":true,"vision_cfg":{"image_size":8,"#
          + #""layers":1,"width":8,"patch_size":4,"head_width":4,"mlp_ratio":2},"text_cfg":{}},"#
          + #""preprocess_cfg":{"mean":[0,0,0],"std":[1,1,1],"interpolation":"bicubic"}}"#
      ], inputs: ("visual.conv1.weight", [8, 3, 4, 4])),
  ]

  @Test(arguments: clips.indices)
  func clipModels(_ index: Int) throws {
    let clip = FuzzTests.clips[index]
    var texts = clip.files.mapValues { Array($0.utf8) }
    texts["tokenizer.json"] = []
    let shapes = try shapes(clip, texts)
    for path in clip.files.keys.sorted() {
      let seed = try #require(texts[path])
      run("clip, \(path)", [seed]) { bytes in
        texts[path] = bytes
        return check(texts, shapes)
      }
      texts[path] = seed
    }
  }

  /// All weights that the sound model asks for.
  private func shapes(_ clip: Clip, _ texts: [String: [UInt8]]) throws -> ShapesOnly {
    let files = ModelFiles(carriedBy: "m", texts: texts)
    let found = try ClipEncoder.encoders(
      files, weights: ShapesOnly(shapes: [clip.inputs.name: clip.inputs.shape]))
    let weights = try #require(found.first).graph(batch: 1, length: 1).weights
    return ShapesOnly(
      shapes: Dictionary(weights.map { ($0.name, $0.shape) }) { first, _ in first })
  }
}
