import Files
import Graph

/// Palettes whose entries are vectors of consecutive channels.
struct VectorPalettes {
  /// Indices, and entries as they are stored.
  let codes: PaletteCodes

  init(
    _ values: [Float], _ reference: WeightReference, _ scheme: PaletteScheme,
    _ floats: FloatType, _ weights: ElementWeights?, jobs: Int
  ) {
    let blocks = scheme.blocks(of: reference)
    let places = VectorPlaces(reference, width: scheme.width, blocks: blocks)
    let groups = places.layout.groups
    // Threads share the groups; those left over work inside a group.
    let outer = max(1, min(jobs, groups))
    let found = Workers.map(groups, jobs: outer) { group in
      VectorClustering.cluster(
        places.points(of: group, values), weights: places.weights(of: group, weights),
        entries: 1 << scheme.bits, floats, jobs: max(1, jobs / outer))
    }
    let entries: PaletteCodes.Entries
    let assigned: [[UInt8]]
    switch scheme.entries {
    case .floats:
      entries = .floats(found.flatMap { $0.entries.flatMap { $0.elements(scheme.width) } })
      assigned = found.map(\.assignment)
    case .int8:
      let rounded = IntegerVectors(found, floats, jobs: outer) { group in
        (places.points(of: group, values), places.weights(of: group, weights))
      }
      entries = .int8(codes: rounded.codes(scheme.width), scale: rounded.scale)
      assigned = rounded.assignments
    }
    codes = PaletteCodes(
      bits: scheme.bits, indices: BitPacking.pack(places.inOrder(assigned), bits: scheme.bits),
      entries: entries, width: scheme.width, blocks: blocks)
  }
}

/// Places of a tensor's vectors: vector axis divided by the width, elements a stride apart.
private struct VectorPlaces: Sendable {
  /// Of the vectors, in the flat order of their indices.
  let layout: RunLayout
  private let width: Int
  /// Elements between neighbours along the channel axis.
  private let stride: Int

  init(_ reference: WeightReference, width: Int, blocks: [Int]) {
    var shape = reference.shape
    shape[reference.role.channelAxis] /= width
    layout = RunLayout(shape: shape, blocks: blocks)
    self.width = width
    stride = max(1, shape.dropFirst(reference.role.channelAxis + 1).reduce(1, *))
  }

  /// The vectors of a group; elements beyond their width are 0.
  func points(of group: Int, _ values: [Float]) -> [SIMD4<Float>] {
    var points: [SIMD4<Float>] = []
    points.reserveCapacity(layout.groupCount)
    unsafe values.withUnsafeBufferPointer { values in
      layout.forEachRun(of: group) { run in
        for vector in run {
          let first = vector / stride * width * stride + vector % stride
          var point = SIMD4<Float>()
          for element in 0..<width { point[element] = unsafe values[first + element * stride] }
          points.append(point)
        }
      }
    }
    return points
  }

  /// Mean weights of the elements of each vector; nil if all count the same.
  func weights(of group: Int, _ weights: ElementWeights?) -> [Float]? {
    guard let weights else { return nil }
    var means: [Float] = []
    layout.forEachRun(of: group) { run in
      for vector in run {
        let first = vector / stride * width * stride + vector % stride
        var elements: [Float] = []
        for element in 0..<width {
          let place = first + element * stride
          weights.append(place..<place + 1, to: &elements)
        }
        means.append(elements.reduce(0, +) / Float(width))
      }
    }
    return means.contains { $0 > 0 } ? means : nil
  }

  /// Indices of all groups in flat order.
  func inOrder(_ assigned: [[UInt8]]) -> [UInt8] {
    if assigned.count == 1 { return assigned[0] }
    var indices = [UInt8](repeating: 0, count: layout.elementCount)
    for (group, members) in assigned.enumerated() {
      var next = 0
      layout.forEachRun(of: group) { run in
        for vector in run {
          indices[vector] = members[next]
          next += 1
        }
      }
    }
    return indices
  }
}
