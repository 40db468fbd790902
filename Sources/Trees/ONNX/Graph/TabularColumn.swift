/// A value of a graph: numbers or texts in rows.
package struct TabularColumn: Equatable, Sendable {
  /// Lengths of the axes, the last one runs fastest; none for a single element.
  package let shape: [Int]
  /// As many as the shape says.
  package let elements: Elements

  /// The elements, in the precision in which they are computed.
  package enum Elements: Equatable, Sendable {
    case floats([Float])
    case doubles([Double])
    /// 32 bits, which wrap around.
    case shorts([Int32])
    case integers([Int64])
    case booleans([Bool])
    case texts([String])
  }

  /// - Parameter elements: as many as the shape says.
  package init(_ elements: Elements, _ shape: [Int]) {
    self.elements = elements
    self.shape = shape
  }

  package var count: Int { elements.count }
  package var type: TabularType { elements.type }

  /// The length of the last axis; 1 for a single element.
  var width: Int { shape.last ?? 1 }

  /// The elements with another shape of as many elements.
  func reshaped(_ shape: [Int]) -> TabularColumn { TabularColumn(elements, shape) }
}

/// What a value of a graph holds.
package enum TabularType: String, Sendable {
  case float
  case double
  case int32
  case int64
  case bool
  case string
}

extension TabularColumn.Elements {
  package var count: Int {
    switch self {
    case .floats(let values): values.count
    case .doubles(let values): values.count
    case .shorts(let values): values.count
    case .integers(let values): values.count
    case .booleans(let values): values.count
    case .texts(let values): values.count
    }
  }

  package var type: TabularType {
    switch self {
    case .floats: .float
    case .doubles: .double
    case .shorts: .int32
    case .integers: .int64
    case .booleans: .bool
    case .texts: .string
    }
  }

  /// The numbers, without loss but of integers beyond 2^53; nil of texts.
  package var numbers: [Double]? {
    switch self {
    case .floats(let values): values.map(Double.init)
    case .doubles(let values): values
    case .shorts(let values): values.map(Double.init)
    case .integers(let values): values.map(Double.init)
    case .booleans(let values): values.map { $0 ? 1 : 0 }
    case .texts: nil
    }
  }

  /// The whole numbers; nil of anything else.
  var wholeNumbers: [Int]? {
    switch self {
    case .shorts(let values): values.map(Int.init)
    case .integers(let values): values.map(Int.init)
    default: nil
    }
  }

  /// Elements by their places, each of which is there.
  func picked(_ places: [Int]) -> TabularColumn.Elements {
    switch self {
    case .floats(let values): .floats(places.map { values[$0] })
    case .doubles(let values): .doubles(places.map { values[$0] })
    case .shorts(let values): .shorts(places.map { values[$0] })
    case .integers(let values): .integers(places.map { values[$0] })
    case .booleans(let values): .booleans(places.map { values[$0] })
    case .texts(let values): .texts(places.map { values[$0] })
    }
  }

  /// The elements followed by others; nil if these are of another type.
  func followed(by other: TabularColumn.Elements) -> TabularColumn.Elements? {
    switch (self, other) {
    case (.floats(let one), .floats(let two)): .floats(one + two)
    case (.doubles(let one), .doubles(let two)): .doubles(one + two)
    case (.shorts(let one), .shorts(let two)): .shorts(one + two)
    case (.integers(let one), .integers(let two)): .integers(one + two)
    case (.booleans(let one), .booleans(let two)): .booleans(one + two)
    case (.texts(let one), .texts(let two)): .texts(one + two)
    default: nil
    }
  }
}
