import Graph

/// Something a plan can execute: an operation, or several fused into one.
protocol Kernel: Sendable {
  /// Computes the output from inputs of the types the graph inferred.
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault)

  /// The output's offset inside the first input, in elements, if it is a contiguous part of it;
  /// then nothing is executed.
  func viewOffset(_ inputs: [ValueType], _ output: ValueType) -> Int?

  /// Inputs whose memory the output may take when no one needs them afterwards.
  var replaceableInputs: [Int] { get }

  /// Floats of scratch memory.
  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int
}

extension Kernel {
  func viewOffset(_ inputs: [ValueType], _ output: ValueType) -> Int? { nil }
  var replaceableInputs: [Int] { [] }
  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int { 0 }
}

/// An operation of the graph that can run unfused.
///
/// A new operation is one file in `Operations/` with this conformance.
protocol ExecutableOperation: Operation, Kernel {}

/// Resources shared by all kernels.
@safe struct KernelContext {
  let loops: VectorLoops
  /// Threads a matrix product may use.
  let threads: Int
  /// `scratchCount` floats.
  let scratch: UnsafeMutablePointer<Float>
}

/// Why a kernel could not finish; the executor adds where.
package enum KernelFault: Error {
  case indexOutOfRange(index: Int32, position: Int, rows: Int)
  case divisionByZero(position: Int)
  case matrixProduct(status: Int32)

  func error(at place: ExecutionError.Place) -> ExecutionError {
    switch self {
    case .indexOutOfRange(let index, let position, let rows):
      .indexOutOfRange(place, index: index, position: position, rows: rows)
    case .divisionByZero(let position): .divisionByZero(place, position: position)
    case .matrixProduct(let status): .matrixProduct(place, status: status)
    }
  }
}
