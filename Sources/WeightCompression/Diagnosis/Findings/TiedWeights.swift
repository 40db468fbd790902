package import Graph
package import Weights

/// Groups weights of a graph that hold the same numbers and so need to be stored only once.
///
/// Tied weights have equal shapes, bit-identical values, and different names. Whether they can
/// share storage depends on their schemes: tables and matrices have different channel axes.
package struct TiedWeights: Sendable {
  /// Groups of tied weights, each in the order in which the graph uses them.
  package let groups: [[WeightReference]]
  /// Each later name, and the first of its group.
  private let firsts: [TensorName: TensorName]

  /// Reads the beginning of every weight whose shape another one has, and all of it, piece by piece,
  /// where two begin alike.
  ///
  /// - Throws: errors of the source for a weight that it has but cannot read.
  package init(_ weights: [WeightReference], in source: any WeightSource) throws {
    let known = weights.filter { source.shape(of: $0.name) != nil }
    let sharing = Self.counts(known.map(\.shape))
    let starts = try known.map { weight in
      sharing[weight.shape] == 1
        ? nil
        : Key(
          shape: weight.shape,
          hash: ContentHash(try source.floats(of: weight.name, first: Self.probe)))
    }
    let beginnings = Self.counts(starts.compactMap(\.self))
    let keys = try zip(known, starts).map { weight, start -> Key? in
      guard let start, beginnings[start] != 1 else { return nil }
      return Key(shape: weight.shape, hash: try Self.hash(of: weight.name, in: source))
    }
    let places = try EqualTensors.groups(keys) { first, second in
      try EqualTensors.areSame(known[first].name, known[second].name, in: source)
    }
    groups = places.map { $0.map { known[$0] } }
    var firsts: [TensorName: TensorName] = [:]
    for group in groups {
      for weight in group.dropFirst() { firsts[weight.name] = group[0].name }
    }
    self.firsts = firsts
  }

  /// The first weight, in the order in which the graph uses them, with the numbers of `name`:
  /// `name` itself unless it is tied to an earlier one.
  package func first(of name: TensorName) -> TensorName { firsts[name] ?? name }

  /// Values that tell most weights apart.
  private static let probe = 256

  private static func counts<Thing: Hashable>(_ things: [Thing]) -> [Thing: Int] {
    things.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func hash(of name: TensorName, in source: any WeightSource) throws -> ContentHash {
    var state = ContentHash.State()
    try source.forEachPiece(of: name) {
      state.add($0)
      return true
    }
    return state.finish()
  }

  private struct Key: Hashable {
    let shape: [Int]
    let hash: ContentHash
  }
}

/// Finds tensors that hold the same numbers.
package enum EqualTensors {
  /// Places whose keys are equal and whose content is, each group and all of them in the order of
  /// their first place. Nothing is equal to a nil key.
  ///
  /// - Parameter areEqual: compares two places; asked only where keys are equal.
  package static func groups<Key: Hashable>(
    _ keys: [Key?], areEqual: (Int, Int) throws -> Bool
  ) rethrows -> [[Int]] {
    var groupsOfKey: [Key: [Int]] = [:]
    var groups: [[Int]] = []
    for (place, key) in keys.enumerated() {
      guard let key else { continue }
      let known = groupsOfKey[key] ?? []
      if let group = try known.first(where: { try areEqual(groups[$0][0], place) }) {
        groups[group].append(place)
      } else {
        groupsOfKey[key] = known + [groups.count]
        groups.append([place])
      }
    }
    return groups.filter { $0.count > 1 }
  }

  /// Whether two lists hold the same bits, NaN being equal to itself and 0 not to −0.
  package static func areSame(_ left: [Float], _ right: [Float]) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right in
        var difference: UInt32 = 0
        for offset in stride(from: 0, to: left.count, by: 4) {
          unsafe difference |=
            left.load(fromByteOffset: offset, as: UInt32.self)
            ^ right.load(fromByteOffset: offset, as: UInt32.self)
        }
        return difference == 0
      }
    }
  }

  /// Whether two of a source's weights, of one shape, hold the same bits.
  ///
  /// Large ones are not held in memory together: their digests are compared.
  package static func areSame(
    _ left: TensorName, _ right: TensorName, in source: any WeightSource
  ) throws -> Bool {
    let count = source.shape(of: left)?.reduce(1, *) ?? 0
    guard count > maxInMemory else {
      return areSame(try source.floats(of: left), try source.floats(of: right))
    }
    return try digest(of: left, in: source) == digest(of: right, in: source)
  }

  /// Values of a weight that is compared in memory.
  private static let maxInMemory = 16 << 20

  private static func digest(of name: TensorName, in source: any WeightSource) throws
    -> ContentDigest
  {
    var stream = DigestStream()
    try source.forEachPiece(of: name) {
      unsafe stream.update($0.bytes)
      return true
    }
    return stream.finish()
  }

  /// The finding about tensors with the same numbers; nil if no model uses any.
  package static func finding(_ tensors: [DiagnosedTensor]) -> Finding? {
    let used = tensors.filter(\.isUsed)
    let order = used + tensors.filter { !$0.isUsed }
    guard tensors.count > 1, let first = order.first else { return nil }
    let others = order.dropFirst().map(\.name)
    let names = others.map { "'\($0)'" }.joined(separator: ", ")
    let action: String
    switch used.count {
    case 0:
      guard first.use == .unknown else { return nil }
      action = "stored once where a model uses several"
    case 1: action = "stored once; the model does not use the others"
    case tensors.count: action = first.mayBeCompressed ? "stored once" : "each is stored"
    default:
      action =
        (first.mayBeCompressed ? "stored once" : "each is stored")
        + "; what the model does not use is left out"
    }
    return Finding(
      used.count > 1 ? .tied : .duplicate, .note, first.name, "equal to \(names)", action,
      [.count("count", tensors.count)], others: others)
  }
}

/// A hash of values: equal for equal values, almost never equal for others.
///
/// It only tells which tensors are worth comparing. Its key is drawn anew by each process, so that
/// no file can be crafted whose tensors must all be compared.
package struct ContentHash: Hashable, Sendable {
  private let value: UInt64

  private static let key = UInt64.random(in: .min ... .max) | 1

  package init(_ values: [Float]) {
    var state = State()
    state.add(values.span)
    self = state.finish()
  }

  /// A hash of values that come piece by piece.
  package struct State {
    // Four streams of words, each multiplied and turned, mixed at the end.
    private var streams = (key, key &* 3, key &* 5, key &* 7)

    package init() {}

    /// Takes the next values; all calls but the last take a multiple of eight.
    package mutating func add(_ values: Span<Float>) {
      unsafe values.withUnsafeBytes { unsafe add($0) }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
      var (a, b, c, d) = streams
      var offset = 0
      while offset + 32 <= bytes.count {
        a = unsafe ContentHash.mixed(
          a, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        b = unsafe ContentHash.mixed(
          b, bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
        c = unsafe ContentHash.mixed(
          c, bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
        d = unsafe ContentHash.mixed(
          d, bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
        offset += 32
      }
      while offset + 4 <= bytes.count {
        let half = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        a = ContentHash.mixed(a, UInt64(half))
        offset += 4
      }
      streams = (a, b, c, d)
    }

    /// The hash of everything so far.
    package func finish() -> ContentHash {
      let (a, b, c, d) = streams
      return ContentHash(
        value: ContentHash.mixed(ContentHash.mixed(ContentHash.mixed(a, b), c), d))
    }
  }

  private init(value: UInt64) { self.value = value }

  @inline(__always)
  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* key
    return product ^ product >> 29
  }
}
