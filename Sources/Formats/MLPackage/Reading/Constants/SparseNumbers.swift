import Graph
import StrictJSON
import WeightCompression
import Weights

/// Numbers that are zero but where a mask says otherwise; only those others are stored, in the order of the mask.
///
/// Source: MIL's `constexpr_sparse_to_dense`, `constexpr_lut_to_sparse` and `constexpr_sparse_blockwise_shift_scale`,
/// and the arithmetic of coremltools 9.0.
struct SparseNumbers: Sendable {
  /// Which places have a number.
  struct Mask: Sendable {
    private let data: TensorData
    /// Whether bits are packed in bytes that do not say so.
    private let isPacked: Bool
    /// An axis along which each bit is so many.
    private let repeated: (axis: Int, count: Int)?
    let shape: [Int]

    /// - Throws: `ShapeFault` where the data do not have a bit for each place.
    init(_ data: TensorData, shape: [Int]? = nil) throws {
      (self.data, repeated) = (data, nil)
      self.shape = shape ?? data.shape
      isPacked = shape != nil
      guard let shape else {
        guard data.type == .uint1 else {
          throw ShapeFault("a mask is \(data.type.word), expected uint1")
        }
        return
      }
      guard shape.allSatisfy({ $0 >= 0 }), let count = CheckedSize.elementCount(of: shape),
        data.type == .uint8, data.count == count / 8 + (count % 8 == 0 ? 0 : 1)
      else {
        throw ShapeFault(
          "'mask' has \(Figures.count(data.count, "byte")), a bit for each number of \(shape) "
            + "needs another number")
      }
    }

    /// The mask of vectors: each bit as many times along an axis as a vector has numbers.
    ///
    /// - Throws: `ShapeFault` if there are more places than fit.
    init(_ mask: Mask, repeating count: Int, along axis: Int) throws {
      (data, isPacked, repeated) = (mask.data, mask.isPacked, (axis, count))
      var shape = mask.shape
      let (length, overflow) = shape[axis].multipliedReportingOverflow(by: count)
      shape[axis] = length
      guard !overflow, CheckedSize.elementCount(of: shape) != nil else {
        throw ShapeFault("\(count) times \(mask.shape) is more than fits")
      }
      self.shape = shape
    }

    var elementCount: Int { shape.reduce(1, *) }

    var byteCount: Int { data.byteCount }

    /// One for each place, row-major.
    func bits() throws -> [Bool] {
      try data.requireMemory((isPacked ? 16 : 2) + (repeated?.count ?? 0))
      let codes = try data.codes()
      let bits = isPacked ? BitPacking.unpack(codes, bits: 1, count: elementCount) : codes
      guard let repeated else { return bits.map { $0 != 0 } }
      let inner = shape.dropFirst(repeated.axis + 1).reduce(1, *)
      return (0..<elementCount).map { place in
        bits[place / (inner * repeated.count) * inner + place % inner] != 0
      }
    }
  }

  /// What is stored.
  indirect enum Stored: Sendable {
    case data(TensorData)
    /// Numbers of a constant at the places of a mask.
    case picked(WeightConstant, Mask)
  }

  let mask: Mask
  let stored: Stored

  /// - Throws: `ShapeFault` if there are not as many numbers as places.
  init(_ mask: Mask, _ stored: Stored) throws {
    (self.mask, self.stored) = (mask, stored)
    let places = try mask.bits().count { $0 }
    let count =
      switch stored {
      case .data(let data): data.count
      case .picked(_, let own): try own.bits().count { $0 }
      }
    guard places == count else {
      throw ShapeFault(
        "'mask' has \(Figures.count(places, "one")), 'nonzero_data' has "
          + Figures.count(count, "number"))
    }
  }

  var type: MILDataType {
    switch stored {
    case .data(let data): data.type
    case .picked(let constant, _): constant.type
    }
  }

  var byteCount: Int {
    switch stored {
    case .data(let data): mask.byteCount + data.byteCount
    case .picked(let constant, _): constant.byteCount
    }
  }

  /// The constant that was made of few numbers and is picked from; nil where numbers are stored as they are.
  var source: WeightConstant? {
    if case .picked(let constant, _) = stored { constant } else { nil }
  }

  /// All values, row-major.
  func floats() throws -> [Float] {
    let numbers: [Float]
    switch stored {
    case .data(let data): numbers = try data.floats()
    case .picked(let constant, let own):
      numbers = zip(try constant.floats(), try own.bits()).filter(\.1).map(\.0)
    }
    return Self.spread(numbers, try mask.bits(), zero: 0)
  }

  /// Numbers at the places of a mask, and zero elsewhere.
  static func spread<Number>(_ numbers: [Number], _ mask: [Bool], zero: Number) -> [Number] {
    var next = numbers.makeIterator()
    return mask.map { $0 ? next.next() ?? zero : zero }
  }
}
