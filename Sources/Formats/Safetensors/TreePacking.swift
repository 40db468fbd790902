import Graph
import Trees
import WeightCompression
import Weights

/// Trees in the fewest bytes: equal nodes are one, and whole numbers take the bits that they need. Nothing is
/// lost by it.
enum TreePacking {
  /// The same weights, packed; nil of a model that has no trees.
  ///
  /// - Throws: errors of the weights, `TreeError`, and `CompressionError`.
  static func packed(
    _ weights: some CompressedTensors, of model: Model
  ) throws -> CompressedWeights? {
    let placed = try PlacedTrees.all(of: model.architecture)
    guard !placed.isEmpty else { return nil }
    var order: [TensorName] = []
    var tensors: [TensorName: CompressedTensor] = [:]
    try weights.forEach {
      order.append($0.name)
      tensors[$0.name] = $0
    }
    for trees in placed {
      for tensor in try packed(trees, tensors, path: model.origin) { tensors[tensor.name] = tensor }
    }
    return CompressedWeights(
      tensors: order.compactMap { tensors[$0] }, unused: weights.unused,
      calibration: weights.calibration, thresholds: weights.thresholds)
  }

  /// The arrays of one ensemble, the smaller of both ways to write them.
  private static func packed(
    _ trees: PlacedTrees, _ tensors: [TensorName: CompressedTensor], path: String
  ) throws -> [CompressedTensor] {
    func tensor(_ name: TensorName) throws(CompressionError) -> CompressedTensor {
      guard let tensor = tensors[name] else { throw .unknownTensor(name) }
      return tensor
    }
    let ensemble = try trees.ensemble(path: path) { try tensor($0).dequantized().map(Double.init) }
    let leaves = try tensor(trees.tensorName(.leaves))
    let mergesLeaves = leaves.content.picking(columns: [], of: leaves.shape) != nil
    let ways = try [true, false].map { mergesBranches in
      try arrays(
        ensemble.merged(mergesLeaves: mergesLeaves, mergesBranches: mergesBranches), leaves,
        of: trees.name)
    }
    // Branches that were merged lie far from their parents, whose places of them take more bits then.
    return bytes(of: ways[0]) <= bytes(of: ways[1]) ? ways[0] : ways[1]
  }

  /// What is written of trees without references: what is merged shows only once they are compressed.
  ///
  /// - Parameter planned: all arrays; or plans for some of them, each beside others as they are. Those others are
  ///   compressed once for all plans, and what is planned twice is made once.
  static func storedBytes(of planned: [PlannedTensor], _ model: Model) throws -> [Int] {
    guard Set(planned.map(\.name)).count < TreeArrays.allCases.count else {
      let tensors = try WeightCompressor.compress(planned, from: model.weights, jobs: 1)
      let bytes = try packedBytes(planned, tensors, model)
      return planned.map { bytes[$0.name, default: $0.byteCount] }
    }
    let kept = try WeightCompressor.plan(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: nil))
    let asTrained = try WeightCompressor.compress(kept, from: model.weights, jobs: 1)
    var known: [PlannedTensor: Int] = [:]
    return try planned.map { plan in
      if let bytes = known[plan] { return bytes }
      let own = try WeightCompressor.compress([plan], from: model.weights, jobs: 1).first
      let bytes = try packedBytes(
        kept.map { $0.name == plan.name ? plan : $0 },
        asTrained.map { $0.name == plan.name ? own ?? $0 : $0 }, model)
      known[plan] = bytes[plan.name, default: plan.byteCount]
      return bytes[plan.name, default: plan.byteCount]
    }
  }

  private static func packedBytes(
    _ planned: [PlannedTensor], _ tensors: [CompressedTensor], _ model: Model
  ) throws -> [TensorName: Int] {
    let compressed = CompressedWeights(planned, tensors: tensors)
    let packed =
      try ChosenThresholds(compressed, of: model, rows: nil).map { try Self.packed($0, of: model) }
      ?? Self.packed(compressed, of: model)
    return Dictionary(
      (packed?.planned ?? planned).map { ($0.name, $0.byteCount) }, uniquingKeysWith: { $1 })
  }

  private static func bytes(of tensors: [CompressedTensor]) -> Int {
    tensors.reduce(0) { $0 + $1.byteCount }
  }

  /// The arrays of merged trees, in their order.
  private static func arrays(
    _ merged: MergedTrees, _ leaves: CompressedTensor, of name: String
  ) throws -> [CompressedTensor] {
    var header = merged.ensemble.header
    if !header.precision.roundsFeatures {
      let numbers = merged.ensemble.values(of: .thresholds)
      let used = numbers.lastIndex { $0 != 0 } ?? 0
      header.thresholdCount = 1 + used / header.branchCount
    }
    return try TreeArrays.allCases.map { array in
      let reference = TreeSum.reference(array, header, of: name)
      if array == .leaves {
        let tensor = try CompressedTensor(
          reference,
          leaves.content.picking(columns: merged.leaves, of: leaves.shape) ?? leaves.content,
          floats: leaves.floats, relativeError: leaves.relativeError)
        return leaves.isRefitted ? tensor.refitted() : tensor
      }
      let values = merged.ensemble.values(of: array).prefix(reference.elementCount).map {
        Float($0)
      }
      if array == .thresholds {
        let content = thresholds(
          values, merged.ensemble.values(of: .features), header,
          named: TensorName(TreeArrays.features.tensorName(of: name)))
        return try CompressedTensor(reference, content, relativeError: 0)
      }
      guard let packed = PackedNumbers(fewestFor: values) else {
        return try CompressedTensor(reference, .uncompressed(values), relativeError: 0)
      }
      return try CompressedTensor(
        reference, .narrow(NarrowCodes(packed, values)), relativeError: 0)
    }
  }

  /// Thresholds as they are, in tables of their features, or as halves, where these hold them: whichever takes the
  /// fewest bytes.
  ///
  /// - Parameter name: of the features of their branches.
  private static func thresholds(
    _ values: [Float], _ features: [Double], _ header: TreeHeader, named name: TensorName
  ) -> CompressedTensor.Content {
    guard values.count == header.branchCount else { return .uncompressed(values) }
    let halves = NarrowCodes(float16: values)
    let tables = TableCodes(
      fewestFor: values, groups: features.map { Int($0) }, named: name)
    let ways: [CompressedTensor.Content] =
      [.uncompressed(values)] + (halves.values == values ? [.narrow(halves)] : [])
      + (tables.map { [.narrow(NarrowCodes($0, values))] } ?? [])
    return ways.min { $0.byteCount < $1.byteCount } ?? .uncompressed(values)
  }
}

extension CompressedTensor.Content {
  /// Bytes as stored, of floats of 32 bits.
  fileprivate var byteCount: Int {
    switch self {
    case .uncompressed(let values): 4 * values.count
    case .narrow(let codes): codes.byteCount(.float32)
    case .linear, .palette, .split: .max
    }
  }

  /// The numbers of some columns; nil where columns share scales or tables with their neighbours.
  ///
  /// - Parameters:
  ///   - columns: their places, ascending.
  ///   - shape: [rows, columns]
  fileprivate func picking(columns: [Int], of shape: [Int]) -> CompressedTensor.Content? {
    let (rows, count) = (shape[0], shape[1])
    func picked<Number>(_ numbers: [Number], rows: Int) -> [Number] {
      (0..<rows).flatMap { row in columns.map { numbers[row * count + $0] } }
    }
    switch self {
    case .uncompressed(let values): return .uncompressed(picked(values, rows: rows))
    case .narrow(let codes):
      guard codes.scheme == .float16 else { return nil }
      return .narrow(NarrowCodes(float16: picked(codes.values, rows: rows)))
    case .linear(let codes):
      guard codes.blocks[1] == 1 else { return nil }
      let bits = codes.integers.bits
      let all = BitPacking.unpack(codes.packed, bits: bits, count: rows * count)
      return .linear(
        LinearCodes(
          codes.integers, mode: codes.mode,
          packed: BitPacking.pack(picked(all, rows: rows), bits: bits), scales: codes.scales,
          zeroPoints: codes.zeroPoints, blocks: codes.blocks))
    case .palette(let codes):
      guard codes.blocks[1] == 1 else { return nil }
      let vectors = rows / codes.width
      let all = BitPacking.unpack(codes.indices, bits: codes.bits, count: vectors * count)
      return .palette(
        PaletteCodes(
          bits: codes.bits, indices: BitPacking.pack(picked(all, rows: vectors), bits: codes.bits),
          entries: codes.entries, width: codes.width, blocks: codes.blocks))
    case .split: return nil
    }
  }
}
