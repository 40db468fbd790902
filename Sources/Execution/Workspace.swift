import Files

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
