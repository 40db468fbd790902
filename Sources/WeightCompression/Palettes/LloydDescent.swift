import Files

/// Moves centres to the means of the vectors nearest to them, repeatedly.
///
/// A vector that was nearest to a centre needs comparing only with the centres less than twice as
/// far from that one as itself (Phillips 2002, "Acceleration of k-means and related clustering
/// algorithms"); they are tried from near to far.
struct LloydDescent {
  private let points: VectorSet
  private let jobs: Int
  private(set) var centres: [SIMD4<Float>]
  /// The nearest centre of each vector, once `assign` or `run` was called.
  private(set) var assignment: [UInt8]
  /// Squared error, weighted, of the last assignment.
  private(set) var error = Double.infinity
  /// The summed weight of the vectors nearest to each centre.
  private(set) var weights: [Double] = []

  /// Vectors that one thread takes at a time; sums add up in this order on any number of threads.
  private static let pieceSize = 1 << 13

  /// The results of one thread for a piece of the vectors.
  private struct Piece: Sendable {
    var assignment: [UInt8]
    /// Of each centre, weighted.
    var sums: [SIMD4<Double>]
    var weights: [Double]
    var error = 0.0
    /// The vector that errs most, and by how much.
    var worst = 0
    var worstError: Float = 0
  }

  /// - Precondition: 1 to 256 centres.
  init(
    _ points: VectorSet, _ centres: [SIMD4<Float>], assignment: [UInt8]? = nil, jobs: Int
  ) {
    self.points = points
    self.centres = centres
    self.jobs = jobs
    self.assignment = assignment ?? [UInt8](repeating: 0, count: points.count)
  }

  /// Runs until the error falls by less than a hundred-thousandth; ends with an assignment.
  mutating func run(maximum: Int) {
    for _ in 0..<maximum {
      let before = error
      let pieces = scan()
      guard error > 0, error < before * (1 - 1e-5) else { return }
      move(pieces)
    }
    assign()
  }

  /// Gives each vector the nearest centre.
  mutating func assign() { _ = scan() }

  private mutating func scan() -> [Piece] {
    let count = (points.count + Self.pieceSize - 1) / Self.pieceSize
    let neighbours = Neighbours(centres)
    let (points, centres, old) = (points, centres, assignment)
    let pieces = Workers.map(count, jobs: jobs) { index in
      let start = index * Self.pieceSize
      let range = start..<min(start + Self.pieceSize, points.count)
      return Self.piece(range, points, centres, neighbours, old)
    }
    assignment = Array(pieces.map(\.assignment).joined())
    error = pieces.reduce(0) { $0 + $1.error }
    weights = centres.indices.map { centre in pieces.reduce(0) { $0 + $1.weights[centre] } }
    return pieces
  }

  private static func piece(
    _ range: Range<Int>, _ points: VectorSet, _ centres: [SIMD4<Float>],
    _ neighbours: Neighbours, _ old: [UInt8]
  ) -> Piece {
    var piece = Piece(
      assignment: [UInt8](repeating: 0, count: range.count),
      sums: [SIMD4<Double>](repeating: SIMD4(), count: centres.count),
      weights: [Double](repeating: 0, count: centres.count))
    unsafe centres.withUnsafeBufferPointer { centres in
      for index in range {
        let point = points.points[index]
        let (nearest, distance) = unsafe neighbours.nearest(point, from: Int(old[index]), centres)
        let weight = points.weight(index)
        piece.assignment[index - range.lowerBound] = UInt8(truncatingIfNeeded: nearest)
        piece.sums[nearest] += SIMD4<Double>(point) * weight
        piece.weights[nearest] += weight
        piece.error += Double(distance) * weight
        if distance > piece.worstError, weight > 0 {
          (piece.worst, piece.worstError) = (index, distance)
        }
      }
    }
    return piece
  }

  /// Centres become means; those without vectors move to where the error is largest.
  private mutating func move(_ pieces: [Piece]) {
    var worst = pieces.filter { $0.worstError > 0 }
    worst.sort { ($1.worstError, $0.worst) < ($0.worstError, $1.worst) }
    var free = worst.makeIterator()
    for centre in centres.indices {
      let weight = weights[centre]
      if weight > 0 {
        let sum = pieces.reduce(into: SIMD4<Double>()) { $0 += $1.sums[centre] }
        centres[centre] = SIMD4<Float>(sum / weight)
      } else if let piece = free.next() {
        centres[centre] = points.points[piece.worst]
      }
    }
  }
}

/// Of each centre all others, from near to far.
private struct Neighbours: Sendable {
  private let count: Int
  /// `count` of them for each centre, itself the first.
  private let order: [UInt8]
  /// A quarter of their squared distances.
  private let quarters: [Float]

  init(_ centres: [SIMD4<Float>]) {
    count = centres.count
    var order: [UInt8] = []
    var quarters: [Float] = []
    order.reserveCapacity(count * count)
    quarters.reserveCapacity(count * count)
    var keys = [UInt64](repeating: 0, count: count)
    for (place, centre) in centres.enumerated() {
      for (other, rival) in centres.enumerated() {
        // Bits of positive floats are in their order; the centre itself comes first.
        let quarter = other == place ? 0 : squaredDistance(centre, rival) / 4
        let tie: UInt64 = other == place ? 0 : UInt64(other) + 1
        keys[other] = UInt64(quarter.bitPattern) << 32 | tie << 8 | UInt64(other)
      }
      keys.sort()
      for key in keys {
        order.append(UInt8(truncatingIfNeeded: key))
        quarters.append(Float(bitPattern: UInt32(truncatingIfNeeded: key >> 32)))
      }
    }
    (self.order, self.quarters) = (order, quarters)
  }

  /// The nearest centre, and its squared distance.
  @inline(__always)
  func nearest(
    _ point: SIMD4<Float>, from guess: Int, _ centres: UnsafeBufferPointer<SIMD4<Float>>
  ) -> (centre: Int, distance: Float) {
    let first = unsafe squaredDistance(point, centres[guess])
    // Rounding must not hide a centre.
    let reach = first * 1.000_01
    var best = (centre: guess, distance: first)
    var place = guess * count + 1
    let end = place - 1 + count
    while place < end, quarters[place] <= reach {
      let centre = Int(order[place])
      let distance = unsafe squaredDistance(point, centres[centre])
      if distance < best.distance { best = (centre, distance) }
      place += 1
    }
    return best
  }
}
