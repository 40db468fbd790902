import Formats
import Gate
import Graph
import Inputs
import WeightCompression
import Weights

/// The ways to store a weight that lose less than its present one, the smallest first.
struct RepairLadder {
  private let bench: MendBench
  private let jobs: Int
  private let known = KnownSizes()

  /// Bytes of plans that were looked at before: to know those of an array of trees, all trees are packed.
  private final class KnownSizes {
    struct Key: Hashable {
      let encoder: InputKind?
      let plan: PlannedTensor
    }

    var bytes: [Key: Int] = [:]
  }

  /// Numbers of a weight from which palettes, which take long to find, are not tried.
  private static let large = 1 << 22
  private static let blockSizes = [32, 16]
  private static let usualBlocks = Scheme.linear(
    LinearScheme(.int8, granularity: .perBlock(size: blockSizes[0])))

  init(_ bench: MendBench, jobs: Int) { (self.bench, self.jobs) = (bench, jobs) }

  /// Whether a culprit is wrong in a way that its compression does not make: a scheme for all rows may
  /// well make zeros of the smallest.
  func isFault(_ culprit: Culprit) throws -> Bool {
    guard culprit.isFault, let place = place(of: culprit), let theirs = bench.candidate(place),
      let scheme = try stored(place)?.scheme
    else { return culprit.isFault }
    let again = Repair(place: place, bias: nil, way: .asTrained(scheme), extraBytes: 0)
    guard let values = try values(of: again)[place] else { return true }
    return !values.starts(with: try theirs.model.weights.floats(of: theirs.name))
  }

  /// - Parameter isFault: whether it is wrong in a way that its compression does not make.
  /// - Returns: empty where the weight cannot be replaced.
  func repairs(of culprit: Culprit, isFault: Bool) throws -> [Repair] {
    guard let place = place(of: culprit) else { return [] }
    guard isFault || storage(of: place) == nil else {
      return try repairs(ofRounded: [place])[0]
    }
    // Weights that another tool stored can only be taken from where they were right.
    let scheme = try stored(place)?.scheme
    return [Repair(place: place, bias: bias(of: place), way: .asTrained(scheme), extraBytes: 0)]
  }

  /// The ways of weights that are only rounded; none of one that the candidate does not compress.
  func repairs(ofRounded places: [MendBench.Place]) throws -> [[Repair]] {
    var all: [MendBench.Place: [Repair]] = [:]
    for places in Dictionary(grouping: places, by: \.encoder).values {
      guard let model = bench.trained(places[0])?.model,
        let format = storage(of: places[0])?.format(of: model)
      else { continue }
      let steps = try places.flatMap { try self.steps(of: $0, model, format) }
      let bytes = try storedBytes(of: steps.map(\.plan), model, format, places[0].encoder)
      for (step, bytes) in zip(steps, bytes) where bytes > step.bytesNow {
        all[step.place, default: []].append(
          Repair(
            place: step.place, bias: bias(of: step.place), way: step.way,
            extraBytes: bytes - step.bytesNow))
      }
    }
    return places.map { (all[$0] ?? []).sorted { $0.extraBytes < $1.extraBytes } }
  }

  private func storedBytes(
    of plans: [PlannedTensor], _ model: Model, _ format: any Format, _ encoder: InputKind?
  ) throws -> [Int] {
    let keys = plans.map { KnownSizes.Key(encoder: encoder, plan: $0) }
    let new = keys.filter { known.bytes[$0] == nil }
    if !new.isEmpty {
      for (key, bytes) in zip(new, try format.storedBytes(of: new.map(\.plan), model)) {
        known.bytes[key] = bytes
      }
    }
    return keys.map { known.bytes[$0, default: $0.plan.byteCount] }
  }

  /// A way of a weight that its shape and its format take.
  private struct Step {
    let place: MendBench.Place
    let way: Repair.Way
    let plan: PlannedTensor
    let bytesNow: Int
  }

  private func steps(
    of place: MendBench.Place, _ model: Model, _ format: any Format
  ) throws -> [Step] {
    guard let trained = bench.trained(place), let stored = try stored(place),
      let scheme = stored.scheme
    else { return [] }
    let schemes = RepairLadder.schemes(above: scheme, count: trained.reference.elementCount)
    return try (schemes.map(Repair.Way.scheme) + [.kept]).compactMap { way in
      let repair = Repair(place: place, bias: nil, way: way, extraBytes: 0)
      guard let plan = try plan(repair, trained, format),
        (try? format.check(model, [plan])) != nil
      else { return nil }
      return Step(place: place, way: way, plan: plan, bytesNow: stored.byteCount)
    }
  }

  private func place(of culprit: Culprit) -> MendBench.Place? {
    culprit.weight.flatMap { bench.place($0, of: culprit.encoder) }
  }

  private func storage(of place: MendBench.Place) -> (any ModelStorage)? {
    bench.candidate(place).flatMap { ModelFormat.storage(ofOpened: $0.model) }
  }

  /// How the candidate stores a weight; nil where that cannot be told.
  private func stored(_ place: MendBench.Place) throws -> StoredWeight? {
    guard let own = bench.trained(place)?.reference, let theirs = bench.candidate(place) else {
      return nil
    }
    return try storage(of: place)?.stored(
      WeightReference(theirs.name, own.shape, role: own.role))
  }

  private func bias(of place: MendBench.Place) -> MendBench.Place? {
    bench.bias(of: place).map { MendBench.Place($0, of: place.encoder) }
  }

  /// The recipe that stores weights as the candidate does, but for some.
  ///
  /// - Returns: nil for several encoders, and where Ingot did not store the weights.
  func recipe(with repairs: [Repair]) throws -> Recipe? {
    let places = bench.places
    guard let first = places.first, Set(places.map(\.encoder)).count == 1,
      storage(of: first) != nil
    else { return nil }
    let mended = Dictionary(repairs.map { ($0.place, $0.scheme) }) { first, _ in first }
    var stored: [(TensorName, Scheme)] = []
    for place in places {
      guard let own = bench.trained(place)?.reference, own.role.isCompressible else { continue }
      let scheme = if let new = mended[place] { new } else { try self.stored(place)?.scheme }
      if let scheme { stored.append((place.name, scheme)) }
    }
    return Recipe(name: "mended", storing: stored)
  }

  /// The values that a repair gives its weight, and the bias beside it.
  func values(of repair: Repair) throws -> [MendBench.Place: [Float]] {
    guard let trained = bench.trained(repair.place) else { return [:] }
    var values: [MendBench.Place: [Float]] = [:]
    if let bias = repair.bias, let own = bench.trained(bias) {
      values[bias] = try own.model.weights.floats(of: bias.name)
    }
    guard let storage = storage(of: repair.place),
      let plan = try plan(repair, trained, storage.format(of: trained.model))
    else {
      values[repair.place] = try trained.model.weights.floats(of: repair.place.name)
      return values
    }
    values[repair.place] = try WeightCompressor.compress(
      [plan], from: trained.model.weights, jobs: jobs)[0].dequantized()
    return values
  }

  /// Nil where the shape does not take the scheme.
  private func plan(
    _ repair: Repair, _ trained: (reference: WeightReference, model: Model), _ format: any Format
  ) throws -> PlannedTensor? {
    if let scheme = repair.scheme, scheme.own.fault(of: trained.reference) != nil { return nil }
    return try WeightCompressor.plan(
      weights: [trained.reference], from: trained.model.weights,
      options: try CompressionOptions(scheme: repair.scheme, floats: format.floats))[0]
  }

  /// Schemes of the same family that lose less, and integers of eight bits.
  private static func schemes(above scheme: Scheme, count: Int) -> [Scheme] {
    switch scheme {
    case .unique, .narrow: return []
    case .linear(let linear):
      guard linear.integers.bits == 8 else { return [.int8(.perChannel), usualBlocks] }
      switch linear.granularity {
      case .perTensor: return [.int8(.perChannel), usualBlocks]
      case .perChannel: return [usualBlocks]
      case .perBlock(let size):
        return blockSizes.filter { $0 < size }.map {
          .linear(LinearScheme(.int8, granularity: .perBlock(size: $0)))
        }
      }
    case .palette(let palette):
      let bits = [2, 3, 4, 6].filter { $0 > palette.bits }
      let palettes = bits.map {
        Scheme.palette(
          PaletteScheme(
            bits: $0, granularity: palette.granularity, width: palette.width,
            entries: palette.entries))
      }
      return (count < large ? palettes : []) + [.int8(.perChannel), usualBlocks]
    case .split(let split):
      // The rest as good as the first rows, or all of them better.
      let isSlow = if case .palette = split.first { count >= large } else { false }
      return (isSlow ? [] : [split.first]) + schemes(above: split.first, count: count)
    }
  }
}
