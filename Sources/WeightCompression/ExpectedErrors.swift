import Files
package import Graph
import Weights

/// Estimates the loss of compression from a sample of each tensor.
package enum ExpectedErrors {
  /// Number of sampled values from which the loss of compressing a whole tensor is estimated.
  static let sampleCount = 1 << 16

  static func squares(_ values: [Float]) -> Double {
    values.reduce(0) { $0 + Double($1) * Double($1) }
  }

  /// Figures over all values of a weight, or of one part of it, which a sample cannot give.
  struct Whole {
    /// The flat place of the first value.
    let start: Int
    private(set) var count = 0
    private(set) var squares = 0.0
    /// The place among these of the first value of the greatest magnitude.
    private(set) var largestPlace = 0
    private var largest: Float = -1

    /// Reads a weight piece by piece.
    ///
    /// - Parameter places: flat ones, all by default.
    init(
      of name: TensorName, in source: any WeightSource, places: Range<Int> = 0..<Int.max
    ) throws {
      start = places.lowerBound
      var next = 0
      try source.forEachPiece(of: name) { piece in
        let part = places.clamped(to: next..<next + piece.count)
        add(piece.extracting(part.lowerBound - next..<part.upperBound - next))
        next += piece.count
        return next < places.upperBound
      }
    }

    private mutating func add(_ values: Span<Float>) {
      var (squares, largest, place) = (squares, largest, largestPlace)
      for index in values.indices {
        let value = values[index]
        squares += Double(value) * Double(value)
        if largest < value.magnitude { (largest, place) = (value.magnitude, count + index) }
      }
      (self.squares, self.largest, largestPlace) = (squares, largest, place)
      count += values.count
    }
  }

  /// ‖w − ŵ‖ / ‖w‖ of each planned tensor, in their order; nil for those that compression refuses.
  ///
  /// Compresses channels evenly spread over a tensor as it would the whole. If all channels share
  /// one scale, the one with the largest value is among them.
  ///
  /// - Parameter progress: told when a tensor is done, from any thread.
  /// - Throws: errors of the source.
  package static func measure(
    _ planned: [PlannedTensor], from source: any WeightSource, jobs: Int,
    progress: @escaping @Sendable () -> Void = {}
  ) throws -> [Double?] {
    let work = CompressionWork(source: source, jobs: 1)
    return try Workers.map(planned.count, jobs: jobs) { index in
      defer { progress() }
      return try work.expectedError(planned[index])
    }
  }
}

extension CompressionWork {
  fileprivate func expectedError(_ planned: PlannedTensor) throws -> Double? {
    guard source.shape(of: planned.name) != nil else { return nil }
    if planned.requested == nil, planned.floats == .float32 { return 0 }
    guard case .split(let split) = planned.requested else {
      return try expectedError(planned, ExpectedErrors.Whole(of: planned.name, in: source))
    }
    let (first, rest) = split.parts(of: planned.reference)
    let place = first.elementCount
    var (lost, total) = (0.0, 0.0)
    for (part, scheme, places) in [
      (first, split.first, 0..<place), (rest, split.rest, place..<Int.max),
    ] {
      let whole = try ExpectedErrors.Whole(of: planned.name, in: source, places: places)
      let planned = PlannedTensor(part, requested: scheme, floats: planned.floats)
      guard let error = try expectedError(planned, whole) else { return nil }
      lost += error * error * whole.squares
      total += whole.squares
    }
    guard total > 0 else { return total == 0 ? 0 : nil }
    return (lost / total).squareRoot()
  }

  private func expectedError(
    _ planned: PlannedTensor, _ whole: ExpectedErrors.Whole
  ) throws -> Double? {
    guard whole.count == planned.reference.elementCount else { return nil }
    let sample = try ChannelSample(planned, whole, from: self)
    guard case .compressed(let tensor) = compress(sample.planned, sample.values) else { return nil }
    // Channels that were left out lose as much; the norm of all values is known.
    let share = Double(whole.count) / Double(max(1, sample.values.count))
    let total = whole.squares
    guard total > 0 else { return tensor.relativeError }
    let part = ExpectedErrors.squares(sample.values) * share / total
    return tensor.relativeError * part.squareRoot()
  }
}

/// Some channels of a tensor as a tensor of their own.
struct ChannelSample {
  let planned: PlannedTensor
  let values: [Float]

  /// Takes whole groups of channels, evenly spread, until the sample is large enough.
  init(
    _ planned: PlannedTensor, _ whole: ExpectedErrors.Whole, from work: CompressionWork
  ) throws {
    let reference = planned.reference
    let scheme = planned.scheme?.own
    let unit = scheme?.channelUnit ?? 1
    let units = reference.channels / unit
    let maximum = max(1, ExpectedErrors.sampleCount * units / max(1, whole.count))
    guard reference.hasChannels, units > maximum else {
      try work.requireMemory(for: planned)
      let all = try work.source.floats(of: planned.name)
      let places = whole.start..<whole.start + whole.count
      (self.planned, values) = (planned, places == all.indices ? all : Array(all[places]))
      return
    }
    var chosen = (0..<maximum).map { $0 * units / maximum }
    let inner = reference.shape.dropFirst(reference.role.channelAxis + 1).reduce(1, *)
    if let scheme, scheme.hasOneScale {
      let one = whole.largestPlace / inner % reference.channels / unit
      if !chosen.contains(one) { chosen = (chosen + [one]).sorted() }
    }
    let outer = whole.count / (reference.channels * inner)
    let length = unit * inner
    var shape = reference.shape
    shape[reference.role.channelAxis] = chosen.count * unit
    self.planned = planned.resized(
      to: WeightReference(reference.name, shape, role: reference.role))
    try work.requireMemory(for: self.planned)
    let ranges = (0..<outer).lazy.flatMap { block in
      chosen.lazy.map { place in
        let start = whole.start + block * reference.channels * inner + place * length
        return start..<start + length
      }
    }
    values = try Self.values(in: ranges, of: planned.name, from: work.source)
  }

  /// The values of ascending ranges that do not overlap.
  private static func values(
    in ranges: some Sequence<Range<Int>>, of name: TensorName, from source: any WeightSource
  ) throws -> [Float] {
    var values: [Float] = []
    var rest = ranges.makeIterator()
    var wanted = rest.next()
    var start = 0
    try source.forEachPiece(of: name) { piece in
      while let range = wanted, range.lowerBound < start + piece.count {
        let part = range.clamped(to: start..<start + piece.count)
        let found = piece.extracting(part.lowerBound - start..<part.upperBound - start)
        unsafe found.withUnsafeBufferPointer { unsafe values.append(contentsOf: $0) }
        guard range.upperBound <= start + piece.count else { break }
        wanted = rest.next()
      }
      start += piece.count
      return wanted != nil
    }
    return values
  }
}
