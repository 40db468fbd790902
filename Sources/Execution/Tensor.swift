import Files
import Graph

/// A value while a plan runs: its type and the address of its numbers, row-major.
///
/// Every element takes four bytes, an fp64 eight; a bool is an Int32, 0 or 1. The memory belongs to the workspace
/// or to a `Constant` that the plan holds. Both outlive every kernel call.
@safe struct Tensor {
  let type: ValueType
  private let base: UnsafeMutableRawPointer

  /// Bytes of one word: of an element of any type but fp64.
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

  /// The elements of an fp64 tensor.
  var doubles: UnsafeMutablePointer<Double> {
    unsafe base.assumingMemoryBound(to: Double.self)
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
    unsafe base.copyMemory(from: source.base, byteCount: type.wordCount * Tensor.stride)
  }
}

extension ValueType {
  /// Product of all axes but the last.
  var rowCount: Int { shape.dropLast().reduce(1, *) }
  /// Length of the last axis, 1 for a scalar.
  var rowWidth: Int { shape.last ?? 1 }
}

/// Scratch memory of one worker; grows to the needs of the largest plan and is freed at the end.
@safe struct Workspace: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int

  init() {
    capacity = 0
    unsafe base = .allocate(byteCount: 0, alignment: Workspace.alignment)
  }

  deinit { unsafe base.deallocate() }

  /// A cache line, and the widest vector.
  static let alignment = 64

  /// Memory for `elementCount` elements; its previous contents are lost.
  ///
  /// - Throws: `ExecutionError.noMemory`.
  mutating func memory(elementCount: Int) throws(ExecutionError) -> UnsafeMutableRawPointer {
    let byteCount = elementCount * Tensor.stride
    if byteCount > capacity {
      do throws(FileError) {
        try Memory.require(byteCount, for: "what lies between its steps", of: "a run of the model")
      } catch {
        throw .noMemory(error)
      }
      unsafe base.deallocate()
      unsafe base = .allocate(byteCount: byteCount, alignment: Workspace.alignment)
      capacity = byteCount
    }
    return unsafe base
  }
}

/// Numbers that stay the same from run to run: a weight, weights joined, or a literal.
@safe final class Constant: Sendable {
  let count: Int
  // Written only before `init` returns and freed in `deinit`; read from many threads between.
  private nonisolated(unsafe) let base: UnsafeMutableRawPointer

  /// Copies floats.
  convenience init(_ values: [Float]) {
    self.init(count: values.count) { memory in
      for (index, value) in values.enumerated() { unsafe memory.floats[index] = value }
    }
  }

  /// Takes a literal's numbers.
  convenience init(_ literal: Literal) {
    switch literal {
    case .floats(let values, _): self.init(values)
    case .integers(let values, _):
      self.init(count: values.count) { memory in
        for (index, value) in values.enumerated() { unsafe memory.integers[index] = value }
      }
    }
  }

  /// Lets a closure write all elements.
  init<Failure: Error>(count: Int, _ fill: (Tensor) throws(Failure) -> Void) throws(Failure) {
    self.count = count
    unsafe base = .allocate(byteCount: count * Tensor.stride, alignment: Workspace.alignment)
    unsafe try fill(Tensor(ValueType(.float32, [count]), at: base))
  }

  deinit { unsafe base.deallocate() }

  /// The elements from `offset` on as a tensor, which must not be written to.
  func tensor(_ type: ValueType, offset: Int) -> Tensor {
    precondition(offset + type.elementCount <= count, "the tensor is larger than its memory")
    return unsafe Tensor(type, at: base + offset * Tensor.stride)
  }
}
