/// Arithmetic on what a system says of itself: a network drive or a virtual machine may claim sizes
/// that no number holds, and "very much" is all that is to be learnt of them. No value is negative.
extension Machine {
  /// Both together; the largest number where that is more.
  static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, isTooLarge) = left.addingReportingOverflow(right)
    return isTooLarge ? .max : max(0, sum)
  }

  /// What is left of one without the other; nothing where the other is more.
  static func difference(_ left: Int, _ right: Int) -> Int {
    let (difference, isOutside) = left.subtractingReportingOverflow(right)
    return isOutside ? (left > right ? .max : 0) : max(0, difference)
  }

  /// So many times so many bytes; the largest number where that is more.
  static func product(_ count: Int, _ byteCount: Int) -> Int {
    let (product, isTooLarge) = max(0, count).multipliedReportingOverflow(by: max(0, byteCount))
    return isTooLarge ? .max : product
  }
}
