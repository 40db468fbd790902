/// A range of lengths in words: `1...128`.
package struct LengthRange: Sendable {
  package let bounds: ClosedRange<Int>

  /// - Returns: nil for anything but two numbers from 1 on, the second above the first.
  package init?(_ text: String) {
    let parts = text.split(separator: "...", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let lower = parts[0], let upper = parts[1], lower >= 1, lower < upper
    else { return nil }
    bounds = lower...upper
  }
}
