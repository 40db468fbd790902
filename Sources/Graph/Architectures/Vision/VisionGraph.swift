import Weights

/// Writes the operations of a vision transformer for a batch size B: S tokens of width H.
struct VisionGraph {
  let vision: VisionTransformer
  let batch: Int
  var graph = GraphBuilder()

  var width: Int { vision.blocks.width }
  private var image: VisionImage { vision.image }
  private var patchCount: Int { image.rows * image.columns }

  /// image [B, 3, height, width] of pixels 0...255 → [B, numbers that come out].
  mutating func build() throws(GraphError) -> ModelGraph {
    let pixels = try graph.pixels(
      batch: batch, width: image.width, height: image.height, image.normalisation)
    let patches = try patchRows(pixels)
    let states = try normedFirst(try tokens(patches))
    let encoded = try encode(states)
    let output = try end(encoded)
    return try graph.finish(output: output)
  }

  private func table(_ name: TensorName, _ rows: Int) -> Operand {
    .weight(WeightReference(name, [1, rows, width], role: .positionTable))
  }

  // One vector for each patch, row by row: [B, patches, H].
  private mutating func patchRows(_ pixels: Operand) throws(GraphError) -> Operand {
    guard vision.stem.isEmpty else { return try stemRows(pixels) }
    let rows = try graph.patchRows(
      pixels, weight: "\(vision.patches).weight", side: image.patch,
      shape: [batch, patchCount, width])
    guard vision.hasPatchBias else { return rows }
    let bias = Operand.weight(WeightReference("\(vision.patches).bias", [width], role: .bias))
    return try graph.append("patches_biased", ElementwiseBinary(.add, rows, bias))
  }

  // The same by convolutions: [B, patches, H].
  private mutating func stemRows(_ pixels: Operand) throws(GraphError) -> Operand {
    var states = pixels
    for (index, layer) in vision.stem.enumerated() {
      states = try graph.conv(layer, states, "stem\(index)", ConvRules(padding: .none))
    }
    let flat = try graph.append(
      "patches_flat", Reshape(states, shape: [batch, width, patchCount]))
    return try graph.append("patches_rows", Transpose(flat, permutation: [0, 2, 1]))
  }

  // All tokens in their places: the class vector, registers, patches, [B, S, H].
  private mutating func tokens(_ patches: Operand) throws(GraphError) -> Operand {
    var first: [Operand] = []
    if let name = vision.classVector {
      first.append(try repeated(try placedClass(name), "class_vectors"))
    }
    if let (name, count) = vision.registers, count > 0 {
      first.append(try repeated(table(name, count), "registers"))
    }
    let placed = try placed(patches)
    return first.isEmpty
      ? placed : try graph.append("tokens", Concat(first + [placed], axis: 1))
  }

  private mutating func normedFirst(_ states: Operand) throws(GraphError) -> Operand {
    guard let name = vision.preNorm else { return states }
    return try norm(name, states, "tokens_norm")
  }

  // One for every image. It is tiled for one image too: coremltools cannot list a package in which
  // a constant is joined to something.
  private mutating func repeated(_ rows: Operand, _ name: String) throws(GraphError) -> Operand {
    try graph.append(name, Tile(rows, repetitions: [batch, 1, 1]))
  }

  // [1, 1, H]
  private mutating func placedClass(_ name: TensorName) throws(GraphError) -> Operand {
    guard case .table(let positions, let grid, _) = vision.positions, vision.classHasPosition
    else { return table(name, 1) }
    let own = try graph.append(
      "class_position",
      SliceByIndex(
        table(positions, grid * grid + 1), begin: [0, 0, 0], end: [1, 1, width]))
    return try graph.append("class_placed", ElementwiseBinary(.add, own, table(name, 1)))
  }

  // [B, patches, H]
  private mutating func placed(_ patches: Operand) throws(GraphError) -> Operand {
    guard case .table(let name, let grid, let resampling) = vision.positions else {
      return patches
    }
    let before = vision.positionsBefore
    var own = table(name, before + grid * grid)
    if before > 0 {
      own = try graph.append(
        "patch_positions",
        SliceByIndex(own, begin: [0, before, 0], end: [1, before + grid * grid, width]))
    }
    let fitting = try resampled(own, grid, resampling)
    return try graph.append("patches_placed", ElementwiseBinary(.add, patches, fitting))
  }

  // The table for as many patches as the image has: [1, grid², H] → [1, patches, H].
  private mutating func resampled(
    _ table: Operand, _ grid: Int, _ resampling: TableResampling
  ) throws(GraphError) -> Operand {
    guard image.rows != grid || image.columns != grid else { return table }
    func weights(_ wanted: Int) -> Operand {
      .literal(.floats(resampling.weights(from: grid, to: wanted), shape: [wanted, grid]))
    }
    let square = try graph.append(
      "position_rows", Reshape(table, shape: [grid, grid * width]))
    let down = try graph.append("positions_down", Matmul(weights(image.rows), square))
    let lines = try graph.append(
      "position_lines", Reshape(down, shape: [image.rows, grid, width]))
    let across = try graph.append("positions_across", Matmul(weights(image.columns), lines))
    return try graph.append("positions", Reshape(across, shape: [1, patchCount, width]))
  }
}

extension GraphBuilder {
  /// The input of an encoder of images, [B, 3, height, width], with scale and bias of each plane: in
  /// the graph, so that a package has them baked in.
  mutating func pixels(
    batch: Int, width: Int, height: Int, _ normalisation: PixelNormalisation
  ) throws(GraphError) -> Operand {
    let pixels = input("image", ValueType(.float32, [batch, 3, height, width]))
    let shape = [1, 3, 1, 1]
    let scaled = try append(
      "image_scaled",
      ElementwiseBinary(.mul, pixels, .literal(.floats(normalisation.scale, shape: shape))))
    return try append(
      "image_normalised",
      ElementwiseBinary(.add, scaled, .literal(.floats(normalisation.bias, shape: shape))))
  }

  /// One vector for each patch of an image, row by row: [B, 3, height, width] → [B, patches, H].
  ///
  /// - Parameters:
  ///   - weight: [H, 3, side, side]
  ///   - side: of a patch, in pixels.
  ///   - shape: of the result.
  mutating func patchRows(
    _ pixels: Operand, weight: TensorName, side: Int, shape: [Int]
  ) throws(GraphError) -> Operand {
    let matrix = WeightReference(
      weight, [shape[2], 3, side, side], role: .matrix(outputAxis: 0))
    let grid = try append(
      "patches", Conv(pixels, weight: .weight(matrix), strides: [side, side]))
    let flat = try append("patches_flat", Reshape(grid, shape: [shape[0], shape[2], shape[1]]))
    return try append("patches_rows", Transpose(flat, permutation: [0, 2, 1]))
  }
}
