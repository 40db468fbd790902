import Files
import Graph

/// A graph ready to run: steps in order, and the memory offset of every value.
struct ExecutionPlan: Sendable {
  /// The start of a value's elements.
  enum Location: Sendable {
    /// In the workspace, counted in elements.
    case workspace(offset: Int)
    case constant(Constant, offset: Int)
  }

  struct Value: Sendable {
    let type: ValueType
    let location: Location
  }

  struct Step: Sendable {
    let place: ExecutionError.Place
    let kernel: any Kernel
    let inputs: [Value]
    let output: Value
    /// Offset of the kernel's scratch memory in the workspace, in elements.
    let scratchOffset: Int
  }

  /// Graph inputs by name, in the graph's order; stored in the workspace.
  let inputs: [(name: String, value: Value)]
  let steps: [Step]
  let output: Value
  /// Elements of workspace the plan needs.
  let workspaceCount: Int
}

extension ExecutionPlan {
  /// Runs all steps.
  ///
  /// - Parameter observe: shown every input and, once made, every value, with its name.
  /// - Returns: the output's elements as floats, row-major.
  func run(
    _ inputs: [String: InputValues], in workspace: inout Workspace, threads: Int,
    arithmetic: Arithmetic = .fastest,
    observing observe: ((String, Tensor) -> Void)? = nil
  ) throws(ExecutionError) -> [Float] {
    try check(inputs)
    let memory = try unsafe workspace.memory(elementCount: workspaceCount)
    func tensor(_ value: Value) -> Tensor {
      switch value.location {
      case .workspace(let offset): unsafe Tensor(value.type, at: memory + offset * Tensor.stride)
      case .constant(let constant, let offset): constant.tensor(value.type, offset: offset)
      }
    }
    for (name, value) in self.inputs {
      if let given = inputs[name] { ExecutionPlan.copy(given, into: tensor(value)) }
      observe?(name, tensor(value))
    }
    for step in steps {
      let scratch = unsafe memory + step.scratchOffset * Tensor.stride
      let context = unsafe KernelContext(
        arithmetic, threads: threads, scratch: scratch.assumingMemoryBound(to: Float.self))
      do throws(KernelFault) {
        try step.kernel.execute(step.inputs.map(tensor), into: tensor(step.output), context)
      } catch {
        throw error.error(at: step.place)
      }
      observe?(step.place.value, tensor(step.output))
    }
    try requireMemory(for: output)
    return ExecutionPlan.floats(tensor(output))
  }

  /// Checks that memory suffices for the output of a run in addition to its workspace.
  private func requireMemory(for output: Value) throws(ExecutionError) {
    do throws(FileError) {
      try Memory.require(
        output.type.elementCount * Tensor.stride, for: "what it gives", of: "a run of the model")
    } catch {
      throw .noMemory(error)
    }
  }

  private func check(_ given: [String: InputValues]) throws(ExecutionError) {
    for (name, value) in inputs {
      guard let values = given[name] else { throw .missingInput(name, value.type) }
      try values.check(name, value.type)
    }
    for name in given.keys.sorted() where !inputs.contains(where: { $0.name == name }) {
      throw .unknownInput(name)
    }
  }

  private static func copy(_ values: InputValues, into tensor: Tensor) {
    switch values {
    case .integers(let values):
      unsafe values.withUnsafeBufferPointer { source in
        guard let base = source.baseAddress else { return }
        unsafe tensor.integers.update(from: base, count: source.count)
      }
    case .floats(let values):
      unsafe values.withUnsafeBufferPointer { source in
        guard let base = source.baseAddress else { return }
        unsafe tensor.floats.update(from: base, count: source.count)
      }
    case .doubles(let values):
      unsafe values.withUnsafeBufferPointer { source in
        guard let base = source.baseAddress else { return }
        unsafe tensor.doubles.update(from: base, count: source.count)
      }
    }
  }

  private static func floats(_ tensor: Tensor) -> [Float] {
    unsafe [Float](unsafeUninitializedCapacity: tensor.count) { buffer, count in
      for index in 0..<tensor.count {
        unsafe buffer.initializeElement(
          at: index,
          to: tensor.type.scalar == .float32
            ? tensor.floats[index] : Float(tensor.integers[index]))
      }
      count = tensor.count
    }
  }
}

/// The values of one graph input, row-major.
package enum InputValues: Sendable {
  case integers([Int32])
  case floats([Float])
  case doubles([Double])

  /// Checks that they are of an input's type, and as many.
  func check(_ name: String, _ type: ValueType) throws(ExecutionError) {
    switch (self, type.scalar) {
    case (.integers(let values), .int32):
      guard values.count == type.elementCount else {
        throw .inputCount(name, count: values.count, type)
      }
    case (.floats(let values), .float32):
      guard values.count == type.elementCount else {
        throw .inputCount(name, count: values.count, type)
      }
    case (.doubles(let values), .float64):
      guard values.count == type.elementCount else {
        throw .inputCount(name, count: values.count, type)
      }
    case (.integers, _): throw .inputKind(name, given: "integers", type)
    case (.floats, _): throw .inputKind(name, given: "floats", type)
    case (.doubles, _): throw .inputKind(name, given: "doubles", type)
    }
  }
}

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

  /// The kernel to run, once the weights are there: itself, or one that holds what it makes of them.
  ///
  /// - Throws: errors of the weights.
  func prepared(_ weights: WeightStore, for place: ExecutionError.Place) throws -> any Kernel

  /// Floats of scratch memory.
  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int
}

extension Kernel {
  func viewOffset(_ inputs: [ValueType], _ output: ValueType) -> Int? { nil }
  var replaceableInputs: [Int] { [] }
  func prepared(_ weights: WeightStore, for place: ExecutionError.Place) throws -> any Kernel {
    self
  }
  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int { 0 }
}

/// An operation of the graph that can run unfused.
///
/// A new operation is one file in `Operations/` with this conformance.
protocol ExecutableOperation: Operation, Kernel {
  /// What its kernel is given: all operands, unless it fetches weights itself in `prepared`.
  var executedOperands: [Operand] { get }
}

extension ExecutableOperation {
  var executedOperands: [Operand] { operands.map(\.operand) }
}

/// Resources shared by all kernels.
@safe struct KernelContext {
  let loops: VectorLoops
  /// Threads a matrix product may use.
  let threads: Int
  /// `scratchCount` floats.
  let scratch: UnsafeMutablePointer<Float>
  private let arithmetic: Arithmetic

  init(
    _ arithmetic: Arithmetic = .fastest, threads: Int, scratch: UnsafeMutablePointer<Float>
  ) {
    loops = arithmetic == .portable ? .portable : .best
    self.arithmetic = arithmetic
    self.threads = threads
    unsafe self.scratch = scratch
  }

  /// The same with the rest of its scratch memory.
  func moved(by count: Int) -> KernelContext {
    unsafe KernelContext(arithmetic, threads: threads, scratch: scratch + count)
  }

  /// As `MatrixProduct.multiply`.
  func multiply(
    _ left: MatrixProduct.Factor, _ right: MatrixProduct.Factor,
    into output: UnsafeMutablePointer<Float>, rows: Int, columns: Int, inner: Int,
    outputStride: Int? = nil
  ) throws(KernelFault) {
    switch arithmetic {
    case .fastest:
      try unsafe MatrixProduct.multiply(
        left, right, into: output, rows: rows, columns: columns, inner: inner,
        outputStride: outputStride)
    case .portable:
      unsafe PortableProduct.multiply(
        left, right, into: output, rows: rows, columns: columns, inner: inner,
        outputStride: outputStride ?? columns)
    }
  }
}

/// How a graph is computed.
package enum Arithmetic: Sendable {
  /// As fast as the processor can; the last bits of a sum depend on how wide its vectors are.
  case fastest
  /// With the same bits on every processor of this kind, whatever its vectors are, and slower.
  case portable
}

/// Why a kernel could not finish; the executor adds where.
package enum KernelFault: Error {
  case indexOutOfRange(index: Int32, position: Int, rows: Int)
  case divisionByZero(position: Int)
  case matrixProduct(status: Int32)
  /// A gradient was asked for that the operation does not give.
  case irreversible(parameter: String)
  /// A gradient was asked for of an operation that has none.
  case noGradient

  func error(at place: ExecutionError.Place) -> ExecutionError {
    switch self {
    case .indexOutOfRange(let index, let position, let rows):
      .indexOutOfRange(place, index: index, position: position, rows: rows)
    case .divisionByZero(let position): .divisionByZero(place, position: position)
    case .matrixProduct(let status): .matrixProduct(place, status: status)
    case .irreversible(let parameter): .irreversible(place, parameter: parameter)
    case .noGradient: .noGradient(place)
    }
  }
}
