import Graph

/// A value while a plan runs: its type and the address of its numbers, row-major.
///
/// Every element takes four bytes; a bool is an Int32, 0 or 1. The memory belongs to the workspace
/// or to a `Constant` that the plan holds. Both outlive every kernel call.
@safe struct Tensor {
  let type: ValueType
  private let base: UnsafeMutableRawPointer

  /// Bytes of one element.
  static let stride = 4

  init(_ type: ValueType, at base: UnsafeMutableRawPointer) {
    self.type = type
    unsafe self.base = base
  }

  var shape: [Int] { type.shape }
  var count: Int { type.elementCount }

  /// The elements of an fp32 tensor.
  var floats: UnsafeMutablePointer<Float> {
    unsafe base.assumingMemoryBound(to: Float.self)
  }

  /// The elements of an int32 or bool tensor.
  var integers: UnsafeMutablePointer<Int32> {
    unsafe base.assumingMemoryBound(to: Int32.self)
  }

  /// Whether both begin at the same address.
  func overlaps(_ other: Tensor) -> Bool { unsafe base == other.base }

  /// Copies all elements of a tensor of the same count.
  func copy(from source: Tensor) {
    guard !overlaps(source) else { return }
    unsafe base.copyMemory(from: source.base, byteCount: count * Tensor.stride)
  }
}

extension ValueType {
  /// Product of all axes but the last.
  var rowCount: Int { shape.dropLast().reduce(1, *) }
  /// Length of the last axis, 1 for a scalar.
  var rowWidth: Int { shape.last ?? 1 }
}
