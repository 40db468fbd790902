import Graph
import Weights

/// What a layer's weight is fitted by.
extension CalibrationPass {
  /// The moments of all uses of a layer's weight, one for each group of its outputs.
  ///
  /// - Throws: `CalibrationError` that names the first layer with a value that is not finite.
  mutating func moments(ofLayer index: Int) throws -> [LayerMoments] {
    do {
      return try layers[index].isFittedByInputs
        ? momentsByInputs(ofLayer: index) : ownMoments(ofLayer: index)
    } catch let error as CalibrationError {
      guard case .nonFinite = error, let earlier = try overflow(before: index) else { throw error }
      throw CalibrationError(.notFinite(.outputs, row: 0, column: 0), layer: earlier)
    }
  }

  /// The first layer whose outputs in the original model are not finite, among those fitted by their
  /// inputs, whose outputs nothing looked at.
  private func overflow(before index: Int) throws -> TensorName? {
    var stream = ValueStream(sample, jobs: jobs)
    let unseen = layers[..<index].filter(\.isFittedByInputs)
    for (place, layer) in unseen.enumerated() {
      try stream.make(layer.output, with: model.weights)
      guard stream[layer.output].allSatisfy({ $0.allSatisfy(\.isFinite) }) else {
        return layer.weight.name
      }
      stream.keep(for: unseen[(place + 1)...].map(\.output))
    }
    return nil
  }

  /// The moments of a layer whose wanted outputs follow from its inputs in the original model: those of
  /// the inputs in both models are shared with the layers beside it.
  private mutating func momentsByInputs(ofLayer index: Int) throws -> [LayerMoments] {
    let layer = layers[index]
    let known: [LayerMoments]
    if let shared, shared.serves(layer) {
      known = shared.moments
      forget(behind: index)
    } else {
      known = try ownMoments(ofLayer: index)
      shared = SharedMoments(of: layer, moments: known)
    }
    let weights = Matrix(
      channelsOf: layer.weight, try model.weights.floats(of: layer.weight.name))
    let bias = try layer.affine?.bias.map { try model.weights.floats(of: $0.name) }
    return try CalibrationError.placing(layer.weight.name) { () throws(GPTQError) in
      try known.map { moments throws(GPTQError) in
        try moments.mapped(by: weights, bias: bias, jobs: jobs)
      }
    }
  }

  private mutating func ownMoments(ofLayer index: Int) throws -> [LayerMoments] {
    let statistics = try statistics(ofLayer: index)
    return try CalibrationError.placing(layers[index].weight.name) { () throws(GPTQError) in
      try statistics.map { statistics throws(GPTQError) in try statistics.moments() }
    }
  }

  /// The statistics of all uses of a layer's weight, one for each group of its outputs.
  private mutating func statistics(ofLayer index: Int) throws -> [LayerStatistics] {
    let layer = layers[index]
    var statistics = LayerValues.statistics(of: layer, jobs: jobs)
    let values = try values(ofLayer: index)
    try LayerMemory.require(for: layer, rows: values.rowCount, of: model.origin)
    try values.add(to: &statistics)
    try addLaterUses(of: layer, to: &statistics)
    forget(behind: index)
    return statistics
  }

  /// Runs both models up to a layer.
  private mutating func values(ofLayer index: Int) throws -> LayerValues {
    let layer = layers[index]
    try makeResidual(of: layer)
    // A value that several layers read is computed once.
    if layer.sharesInput { try original.make(layer.input, with: model.weights) }
    try original.make(layer.wanted, with: model.weights)
    original.keep(for: needs(from: index).original)
    try compressed.make(layer.input, with: weights)
    return values(of: layer, original, compressed)
  }

  private mutating func makeResidual(of layer: CalibratedLayer) throws {
    guard let residual = layer.residual else { return }
    try original.make(residual, with: model.weights)
    try compressed.make(residual, with: weights)
  }

  private func values(
    of layer: CalibratedLayer, _ original: ValueStream, _ compressed: ValueStream
  ) -> LayerValues {
    LayerValues(
      layer: layer, inputs: compressed[layer.input], outputs: original[layer.wanted],
      residuals: layer.residual.map { (original[$0], compressed[$0]) } ?? ([], []),
      counts: sample.batches.map(\.count), firstRowShare: settings.firstRowShare)
  }

  /// Adds the further uses of a weight, which run behind weights that are not compressed yet, itself
  /// among them: those are as trained for now, and what they make is forgotten again.
  private func addLaterUses(
    of layer: CalibratedLayer, to statistics: inout [LayerStatistics]
  ) throws {
    var ahead = self
    for (place, use) in layer.laterUses.enumerated() {
      try ahead.makeResidual(of: use)
      try ahead.original.make(use.output, with: model.weights)
      try ahead.compressed.make(use.input, with: weights)
      try ahead.values(of: use, ahead.original, ahead.compressed).add(to: &statistics)
      let rest = CalibrationPass.needs(of: Array(layer.laterUses[(place + 1)...]))
      ahead.original.keep(for: rest.original)
      ahead.compressed.keep(for: rest.compressed)
    }
  }

  /// Forgets the values that no later layer needs.
  private mutating func forget(behind index: Int) {
    let later = needs(from: index + 1)
    original.keep(for: later.original)
    compressed.keep(for: later.compressed)
  }

  /// The values that layers from `index` on are fitted by.
  private func needs(from index: Int) -> (original: [String], compressed: [String]) {
    CalibrationPass.needs(of: layers[index...].flatMap { [$0] + $0.laterUses })
  }

  private static func needs(
    of uses: [CalibratedLayer]
  ) -> (original: [String], compressed: [String]) {
    let residuals = uses.compactMap(\.residual)
    let shared = uses.filter(\.sharesInput).map(\.input)
    return (uses.map(\.wanted) + residuals + shared, uses.map(\.input) + residuals)
  }
}

/// What layers that read one value are fitted by.
struct SharedMoments {
  private let input: String
  private let isFirstRowTaken: Bool
  /// Of the value in the compressed model, and in the original one as outputs.
  let moments: [LayerMoments]

  init(of layer: CalibratedLayer, moments: [LayerMoments]) {
    (input, isFirstRowTaken) = (layer.input, layer.isFirstRowTaken)
    self.moments = moments
  }

  func serves(_ layer: CalibratedLayer) -> Bool {
    layer.input == input && layer.isFirstRowTaken == isFirstRowTaken
  }
}
