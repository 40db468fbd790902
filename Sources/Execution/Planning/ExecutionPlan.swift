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
