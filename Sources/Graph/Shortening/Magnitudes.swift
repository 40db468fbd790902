/// Upper bounds of the magnitudes of a value's numbers: one for each place along the axes that do
/// not follow the tokens, all of them finite.
struct Magnitudes: Equatable {
  /// The value's shape, with 1 in place of each axis that follows the tokens.
  let shape: [Int]
  /// Row-major.
  let limits: [Double]

  /// From here on a sum rounds to infinity in float32.
  private static let end = Double(Float.greatestFiniteMagnitude) + 0x1p103

  /// What rounding in float32 may add to a sum of thousands of terms, as a factor of its bound.
  static let rounding = 1 + 1e-3

  /// What rounding may add to a sum of millions of terms that are too small for their digits.
  static let smallest = 0x1p-126

  /// A limit that rounding keeps, too. Beside the largest numbers of a mask scores vanish, so that their
  /// sum is no larger.
  static func held(_ limit: Double) -> Double { limit < 1e30 ? limit * rounding + smallest : limit }

  /// - Returns: nil if a number within the limits may be infinite in float32.
  init?(_ limits: [Double], shape: [Int]) {
    guard limits.allSatisfy({ $0 < Magnitudes.end }) else { return nil }
    self.limits = limits
    self.shape = shape
  }

  /// The same limit at every place.
  init?(_ limit: Double, shape: [Int]) {
    self.init(Array(repeating: limit, count: shape.reduce(1, *)), shape: shape)
  }

  /// The largest of all.
  var largest: Double { limits.max() ?? 0 }

  /// Limits made of each limit.
  func map(_ change: (Double) -> Double) -> Magnitudes? {
    Magnitudes(limits.map(change), shape: shape)
  }

  /// The same numbers in another shape.
  func reshaped(_ shape: [Int]) -> Magnitudes? { Magnitudes(limits, shape: shape) }

  /// Limits of two values, broadcast to one shape and combined place by place.
  func combined(
    with other: Magnitudes, _ combine: (Double, Double) -> Double
  ) -> Magnitudes? {
    guard let shape = try? broadcast(self.shape, other.shape) else { return nil }
    let left = strides(in: shape), right = other.strides(in: shape)
    var places = PlaceCounter(shape)
    var result: [Double] = []
    result.reserveCapacity(places.count)
    for _ in 0..<places.count {
      result.append(combine(limits[places.offset(left)], other.limits[places.offset(right)]))
      places.advance()
    }
    return Magnitudes(result.map(Magnitudes.held), shape: shape)
  }

  /// One limit for each line along an axis, which stays with length 1.
  func reduced(_ axis: Int, _ combine: (Double, Double) -> Double) -> Magnitudes? {
    var shape = shape
    let length = shape[axis], inner = shape[(axis + 1)...].reduce(1, *)
    shape[axis] = 1
    var result: [Double] = []
    result.reserveCapacity(shape.reduce(1, *))
    for outer in 0..<shape[..<axis].reduce(1, *) {
      for place in 0..<inner {
        var limit = 0.0
        for step in 0..<length {
          limit = combine(limit, limits[(outer * length + step) * inner + place])
        }
        result.append(Magnitudes.held(limit))
      }
    }
    return Magnitudes(result, shape: shape)
  }

  /// Axis i of the result is axis `permutation[i]`.
  func transposed(_ permutation: [Int]) -> Magnitudes? {
    let own = strides(in: shape)
    return gathered(permutation.map { shape[$0] }, strides: permutation.map { own[$0] }, from: 0)
  }

  /// The part that begins at a place.
  func sliced(_ begin: [Int], _ shape: [Int]) -> Magnitudes? {
    let own = strides(in: self.shape)
    return gathered(shape, strides: own, from: zip(begin, own).reduce(0) { $0 + $1.0 * $1.1 })
  }

  /// The parts one after the other along an axis.
  static func joined(_ parts: [Magnitudes], axis: Int) -> Magnitudes? {
    guard var shape = parts.first?.shape else { return nil }
    shape[axis] = parts.reduce(0) { $0 + $1.shape[axis] }
    let inner = shape[(axis + 1)...].reduce(1, *)
    var limits: [Double] = []
    for outer in 0..<shape[..<axis].reduce(1, *) {
      for part in parts {
        let run = part.shape[axis] * inner
        limits += part.limits[outer * run..<(outer + 1) * run]
      }
    }
    return Magnitudes(limits, shape: shape)
  }

  /// Bounds of sums over products: x [.., m, k] and y [.., k, n] → [.., m, n].
  ///
  /// - Parameter terms: how often the inner axis counts where it follows the tokens and so has
  ///   length 1 here.
  func product(_ other: Magnitudes, terms: Double) -> Magnitudes? {
    let rank = max(shape.count, other.shape.count)
    guard let left = padded(rank), let right = other.padded(rank) else { return nil }
    guard let batch = try? broadcast(Array(left.shape.dropLast(2)), Array(right.shape.dropLast(2)))
    else { return nil }
    let rows = left.shape[rank - 2], inner = left.shape[rank - 1], columns = right.shape[rank - 1]
    let leftStrides = Array(left.strides(in: batch + [rows, inner]).dropLast(2))
    let rightStrides = Array(right.strides(in: batch + [inner, columns]).dropLast(2))
    var places = PlaceCounter(batch)
    var result: [Double] = []
    result.reserveCapacity(places.count * rows * columns)
    for _ in 0..<places.count {
      let x = places.offset(leftStrides), y = places.offset(rightStrides)
      for row in 0..<rows {
        for column in 0..<columns {
          var sum = 0.0
          for step in 0..<inner {
            sum += left.limits[x + row * inner + step] * right.limits[y + step * columns + column]
          }
          result.append(Magnitudes.held(sum * terms))
        }
      }
      places.advance()
    }
    return Magnitudes(result, shape: batch + [rows, columns])
  }

  /// With axes of length 1 in front.
  func padded(_ rank: Int) -> Magnitudes? {
    reshaped(Array(repeating: 1, count: rank - shape.count) + shape)
  }

  private func gathered(_ shape: [Int], strides: [Int], from first: Int) -> Magnitudes? {
    var places = PlaceCounter(shape)
    var result: [Double] = []
    result.reserveCapacity(places.count)
    for _ in 0..<places.count {
      result.append(limits[first + places.offset(strides)])
      places.advance()
    }
    return Magnitudes(result, shape: shape)
  }

  /// Steps along the axes of a shape that this broadcasts to; 0 along those it does not have.
  private func strides(in shape: [Int]) -> [Int] {
    var strides = Array(repeating: 0, count: shape.count)
    var step = 1
    for axis in self.shape.indices.reversed() {
      strides[axis + shape.count - self.shape.count] = self.shape[axis] == 1 ? 0 : step
      step *= self.shape[axis]
    }
    return strides
  }
}

/// Counts through the places of a shape, the last axis first.
private struct PlaceCounter {
  private let shape: [Int]
  private var place: [Int]

  init(_ shape: [Int]) {
    self.shape = shape
    place = Array(repeating: 0, count: shape.count)
  }

  /// Number of places.
  var count: Int { shape.reduce(1, *) }

  func offset(_ strides: [Int]) -> Int {
    var offset = 0
    for axis in place.indices { offset += place[axis] * strides[axis] }
    return offset
  }

  mutating func advance() {
    for axis in place.indices.reversed() {
      place[axis] += 1
      if place[axis] < shape[axis] { return }
      place[axis] = 0
    }
  }
}
