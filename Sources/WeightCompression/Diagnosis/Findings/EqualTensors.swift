package import Graph
package import Weights

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
