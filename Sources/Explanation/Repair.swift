import Formats
package import Gate
import Graph
import Inputs
import StrictJSON
package import WeightCompression
import Weights

/// Another way to store one weight of a candidate.
package struct Repair: Hashable, Sendable {
  /// The way.
  package enum Way: Hashable, Sendable {
    /// The weight as trained, stored as the candidate stores it now.
    case asTrained(Scheme?)
    case scheme(Scheme)
    /// Without compression.
    case kept
  }

  package let place: MendBench.Place
  /// The bias that fitting moved with the weight, which is the baseline's again; nil if there is none.
  package let bias: MendBench.Place?
  package let way: Way
  /// Bytes that the model grows by.
  package let extraBytes: Int

  /// The scheme it is stored by; nil if it is uncompressed.
  package var scheme: Scheme? {
    switch way {
    case .asTrained(let scheme): scheme
    case .scheme(let scheme): scheme
    case .kept: nil
    }
  }

  /// `palette 6 bits in groups of 16 for 'w'`.
  ///
  /// - Parameter names: of the weights that are stored so.
  func words(for names: String) -> String {
    switch way {
    case .asTrained: "taking \(names) from the model as trained"
    case .scheme(let scheme): "\(scheme.label) for \(names)"
    case .kept: "no compression of \(names)"
    }
  }

  var json: JSONValue {
    let word: String
    switch way {
    case .asTrained: word = "as-trained"
    case .scheme: word = "scheme"
    case .kept: word = "kept"
    }
    return [
      "weight": .string(place.name.text),
      "encoder": place.encoder.map { .string("\($0)") } ?? .null, "way": .string(word),
      "scheme": scheme.map { .string($0.label) } ?? .null, "extraBytes": .integer(extraBytes),
    ]
  }
}

/// The ways to store one culprit that lose less than its present one, the smallest first.
struct RepairLadder {
  private let bench: MendBench
  private let jobs: Int

  /// Numbers of a weight from which palettes, which take long to find, are not tried.
  private static let large = 1 << 22
  private static let blockSizes = [32, 16]
  private static let usualBlocks = Scheme.linear(
    LinearScheme(.int8, granularity: .perBlock(size: blockSizes[0])))

  init(_ bench: MendBench, jobs: Int) { (self.bench, self.jobs) = (bench, jobs) }

  /// - Returns: empty where the weight cannot be replaced.
  func repairs(of culprit: Culprit, in causes: DriftCauses?) throws -> [Repair] {
    guard let name = culprit.weight, let place = bench.place(name, of: culprit.encoder),
      let trained = bench.trained(place), let theirs = bench.candidate(place)
    else { return [] }
    let bias = bench.bias(of: place, in: causes).map { MendBench.Place($0, of: place.encoder) }
    let storage = ModelFormat.storage(ofOpened: theirs.model)
    let reference = WeightReference(
      theirs.name, trained.reference.shape, role: trained.reference.role)
    let stored = try storage?.stored(reference)
    // Weights that another tool stored can only be taken from where they were right.
    if culprit.isFault || storage == nil {
      return [Repair(place: place, bias: bias, way: .asTrained(stored?.scheme), extraBytes: 0)]
    }
    guard let storage, let stored, let scheme = stored.scheme else { return [] }
    let format = storage.format(of: trained.model)
    let ways = RepairLadder.schemes(above: scheme, count: trained.reference.elementCount).map {
      Repair.Way.scheme($0)
    }
    let repairs = try (ways + [.kept]).compactMap { way -> Repair? in
      let bare = Repair(place: place, bias: bias, way: way, extraBytes: 0)
      guard let plan = try plan(bare, trained, format),
        (try? format.check(trained.model, [plan])) != nil
      else { return nil }
      let bytes = try format.storedBytes(of: [plan], trained.model)[0]
      guard bytes > stored.byteCount else { return nil }
      return Repair(place: place, bias: bias, way: way, extraBytes: bytes - stored.byteCount)
    }
    return repairs.sorted { $0.extraBytes < $1.extraBytes }
  }

  /// The recipe that stores weights as the candidate does, but for some.
  ///
  /// - Returns: nil for several encoders, and where Ingot did not store the weights.
  func recipe(with repairs: [Repair]) throws -> Recipe? {
    let places = bench.places
    guard let model = places.first.flatMap(bench.candidate)?.model,
      Set(places.map(\.encoder)).count == 1,
      let storage = ModelFormat.storage(ofOpened: model)
    else { return nil }
    let mended = Dictionary(repairs.map { ($0.place, $0.scheme) }) { first, _ in first }
    var schemes: [Scheme] = []
    var names: [Scheme: [TensorName]] = [:]
    for place in places {
      guard let own = bench.trained(place)?.reference, own.role.isCompressible,
        let theirs = bench.candidate(place)
      else { continue }
      let reference = WeightReference(theirs.name, own.shape, role: own.role)
      let scheme =
        if let new = mended[place] { new } else { try storage.stored(reference)?.scheme }
      guard let scheme else { continue }
      if names[scheme] == nil { schemes.append(scheme) }
      names[scheme, default: []].append(place.name)
    }
    let rules = schemes.map { scheme in
      RecipeRule(
        RecipeRule.Match(names: (names[scheme] ?? []).map { NameGlob($0.text) }), scheme)
    }
    return Recipe(name: "mended", rules: rules, keepsOthers: true)
  }

  /// The values that a repair gives its weight, and the bias beside it.
  func values(of repair: Repair) throws -> [MendBench.Place: [Float]] {
    guard let trained = bench.trained(repair.place), let theirs = bench.candidate(repair.place)
    else { return [:] }
    let storage = ModelFormat.storage(ofOpened: theirs.model)
    var values: [MendBench.Place: [Float]] = [:]
    if let bias = repair.bias, let own = bench.trained(bias) {
      values[bias] = try own.model.weights.floats(of: bias.name)
    }
    guard let storage,
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
    case .unique: return []
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
    }
  }
}
