import Project

extension ProjectFaults {
  /// Says every fault with its place, and its remedy if there is one.
  func report(to console: Console) {
    for fault in faults {
      switch fault.severity {
      case .error: console.fail(fault.description, hint: fault.hint)
      case .warning: console.warn(fault.description, hint: fault.hint)
      }
    }
  }
}
