/// The steps of a window over the rows and columns of an image, in MIL's terms.
package struct WindowSteps: Hashable, Sendable {
  /// Steps down and across from one place to the next, at least 1.
  package let strides: [Int]
  /// Rows above and below and columns left and right that are added to the image.
  package let padding: [Int]
  /// Steps down and across from one element of the window to the next, at least 1.
  package let dilations: [Int]

  /// The most of each number, which keeps sizes far from overflow.
  private static let limit = 1 << 14

  package init(strides: [Int], padding: [Int] = [0, 0, 0, 0], dilations: [Int] = [1, 1]) {
    self.strides = strides
    self.padding = padding
    self.dilations = dilations
  }

  /// Whether the image has no rows or columns added.
  package var isUnpadded: Bool { padding.allSatisfy { $0 == 0 } }

  /// Rows and columns of places.
  ///
  /// - Parameters:
  ///   - window: its rows and columns.
  ///   - image: rows and columns.
  /// - Throws: `ShapeFault` for steps that do not exist, and if the window does not fit once.
  func places(of window: [Int], in image: [Int]) throws(ShapeFault) -> [Int] {
    try check()
    guard window.allSatisfy({ (1...Self.limit).contains($0) }) else {
      throw ShapeFault("the window is \(window), expected sides from 1 to \(Self.limit)")
    }
    return [try places(0, of: window, in: image), try places(1, of: window, in: image)]
  }

  private func places(
    _ axis: Int, of window: [Int], in image: [Int]
  ) throws(ShapeFault) -> Int {
    let reach = (window[axis] - 1) * dilations[axis] + 1
    let padded = image[axis] + padding[2 * axis] + padding[2 * axis + 1]
    guard padded >= reach else {
      throw ShapeFault(
        "a window of \(reach) does not fit an image of \(padded) on axis \(axis + 2)")
    }
    return (padded - reach) / strides[axis] + 1
  }

  private func check() throws(ShapeFault) {
    let known = 1...Self.limit
    guard strides.count == 2, strides.allSatisfy(known.contains) else {
      throw ShapeFault("'strides' is \(strides), expected two numbers from 1 on")
    }
    guard dilations.count == 2, dilations.allSatisfy(known.contains) else {
      throw ShapeFault("'dilations' is \(dilations), expected two numbers from 1 on")
    }
    guard padding.count == 4, padding.allSatisfy({ (0...Self.limit).contains($0) }) else {
      throw ShapeFault("'pad' is \(padding), expected four numbers from 0 on")
    }
  }
}
