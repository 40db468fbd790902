import StrictJSON

extension OpenClip {
  /// The vision transformer that OpenCLIP builds itself.
  func image(_ part: JSONObject) throws -> ClipEncoder.Image {
    let (height, width) = try sides(part)
    var image = try ClipEncoder.Image(
      width: width, height: height,
      patch: try integer("patch_size", of: part, 16, in: 1...1 << 12),
      normalisation: try normalisation, part)
    image.hasPreNorm = try !flag("no_ln_pre", of: part)
    image.normsPooled = try flag("final_ln_after_pool", of: part)
    image.pooler = try pooler(part)
    switch try word("pool_type", of: part, "tok") {
    case "tok": image.pooling = .classToken
    case "avg": image.pooling = .mean
    case let other: throw unsupported("pool_type", other, "tok, avg")
    }
    guard image.pooling == .classToken || image.pooler?.queries != 1 else {
      throw unsupported("attn_pooler_queries", "1", "2 or more where 'pool_type' is avg")
    }
    return image
  }

  /// Nil without attention that pools. The library calls its other kinds, which have names, untested.
  private func pooler(_ part: JSONObject) throws -> ClipEncoder.Image.Pooler? {
    if let word = part["attentional_pool"]?.string, !word.isEmpty {
      throw unsupported("attentional_pool", word, "true, false")
    }
    guard part["attentional_pool"]?.string == nil, try flag("attentional_pool", of: part) else {
      return nil
    }
    let heads = try integer("attn_pooler_heads", of: part, 8, in: 1...1 << 12)
    guard try projection.isMultiple(of: heads) else {
      throw try part.error(
        "'embed_dim' \(projection) is not a multiple of 'attn_pooler_heads' \(heads)",
        at: part.position)
    }
    return .init(
      queries: try integer("attn_pooler_queries", of: part, 256, in: 1...1 << 16), heads: heads)
  }

  /// Height and width: a number for both, or a list of two.
  func sides(_ part: JSONObject) throws -> (height: Int, width: Int) {
    guard let list = part["image_size"]?.array else {
      let side = try integer("image_size", of: part, 224, in: 1...1 << 14)
      return (side, side)
    }
    let sides = list.compactMap(\.integer).filter { (1...1 << 14).contains($0) }
    guard list.count == 2, sides.count == 2 else {
      throw part.mismatch(
        "image_size", expected: "a number or two", try part.required("image_size"))
    }
    return (sides[0], sides[1])
  }
}
