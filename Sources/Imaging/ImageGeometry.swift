/// The size an image is resized to, and the part of it that is kept.
package struct ImageGeometry: Equatable, Sendable {
  /// The way an image is resized.
  package enum Resizing: Equatable, Sendable {
    /// Not at all.
    case none
    /// The shorter side gets this length, the longer one the length that keeps the proportions,
    /// rounded down.
    case shortestEdge(Int)
    /// Both sides get a length; proportions are not kept.
    case exactly(width: Int, height: Int)
    /// The smallest size of the same proportions that covers a size, rounded.
    case covering(width: Int, height: Int)
  }

  /// The rounding of a middle between two pixels.
  package enum Centering: Sendable {
    /// One pixel before the middle (transformers).
    case before
    /// At the even one of the two (torchvision).
    case even
  }

  package let resizing: Resizing
  package let centering: Centering
  /// Size of the centre crop; filled with zeros where the resized image does not reach.
  package let width: Int
  package let height: Int

  /// - Parameters:
  ///   - width: of the crop, in pixels.
  ///   - height: of the crop, in pixels.
  package init(resizing: Resizing, centering: Centering, width: Int, height: Int) {
    (self.resizing, self.centering) = (resizing, centering)
    (self.width, self.height) = (width, height)
  }

  /// The size of an image after resizing.
  func resized(width: Int, height: Int) -> (width: Int, height: Int) {
    switch resizing {
    case .none: return (width, height)
    case .exactly(let width, let height): return (width, height)
    case .shortestEdge(let edge):
      let long = Int(Double(edge * max(width, height)) / Double(min(width, height)))
      return width <= height ? (edge, long) : (long, edge)
    case .covering(let minWidth, let minHeight):
      let ratio = min(
        Double(height) / Double(minHeight), Double(width) / Double(minWidth))
      return (
        Int((Double(width) / ratio).rounded(.toNearestOrEven)),
        Int((Double(height) / ratio).rounded(.toNearestOrEven))
      )
    }
  }

  /// The start of the crop on an axis of the resized image; below 0 if the image is smaller.
  func offset(kept: Int, resized: Int) -> Int {
    let spare = resized - kept
    // A shift, not a division: it rounds towards the front below zero, too.
    if centering == .before { return spare >> 1 }
    guard spare > 0 else { return -(-spare / 2) }
    return Int((Double(spare) / 2).rounded(.toNearestOrEven))
  }
}
