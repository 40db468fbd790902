import Release

extension ProjectFaults {
  /// Says every fault with its place, and its mend where there is one.
  func report(to console: Console) {
    for fault in faults { console.fail("\(fault.place): \(fault.message)", hint: fault.hint) }
  }
}
